/** Programs that a release needs, with the package of Debian and of Fedora that has them. */
const packages: Readonly<Record<string, readonly [debian: string, fedora: string]>> = {
  git: ['git', 'git'],
  tar: ['tar', 'tar'],
  zip: ['zip', 'zip'],
  'dpkg-deb': ['dpkg', 'dpkg'],
  rpmbuild: ['rpm', 'rpm-build'],
};

/** @throws Error that names the programs that are missing, and how to install them */
export function requireTools(find: (name: string) => string | null = Bun.which): void {
  const missing = Object.entries(packages).filter(([name]) => find(name) === null);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  const debian = missing.map(([, [name]]) => name).join(' ');
  const fedora = missing.map(([, [, name]]) => name).join(' ');
  throw new Error(
    `A release needs ${names}. Install: apt-get install ${debian} (Debian, Ubuntu) or dnf install ` +
      `${fedora} (Fedora).`,
  );
}

/**
 * Runs a program and returns what it prints on stdout.
 *
 * @throws Error with what it prints on stderr, when it fails
 */
export async function runTool(
  command: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>>; stdin?: string } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { cwd, env = {}, stdin = '' } = options;
  const child = Bun.spawn([...command], {
    ...(cwd !== undefined && { cwd }),
    // Sorted and dated as everywhere.
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', ...env },
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}:\n${stderr}`);
  return stdout;
}
