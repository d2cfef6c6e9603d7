import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, writeArchive } from './archive.ts';
import { type Checkout, git, readCheckout } from './checkout.ts';
import { createDocuments, type Documents } from './documents/documents.ts';
import { buildExecutable } from './executable.ts';
import { writeDeb } from './packages/deb.ts';
import { writeRpm } from './packages/rpm.ts';
import { publishedCompose, withProject } from './project.ts';
import { createSbom } from './sbom.ts';
import { type Target, targets } from './targets.ts';
import { requireTools } from './tools.ts';
import type { Entry } from './tree.ts';

/**
 * Makes the artefacts of a release: archives, packages, the list of software, and their digests. Two runs on one
 * commit give equal bytes.
 *
 *   bun run release                      into dist/VERSION
 *   bun run release --out FOLDER         into another folder
 *   bun run release --target linux-x64   for this target only; may be repeated
 *   bun run release --rebuild            although the version has a tag, to compare with its release
 */

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      target: { type: 'string', multiple: true },
      rebuild: { type: 'boolean' },
    },
  });
  await release(values);
} catch (error) {
  console.error(error instanceof AggregateError ? error : `release: ${messageOf(error)}`);
  process.exitCode = 1;
}

async function release(options: { out?: string; target?: string[]; rebuild?: boolean }) {
  const chosen = chooseTargets(options.target);
  const checkout = readCheckout();
  const seconds = timeOf(checkout, options.rebuild === true);
  requireTools();
  const { version } = checkout;
  const out = resolve(options.out ?? join(import.meta.dir, '../dist', version));
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'waymark-release-'));
  const build: Build = { version, seconds, work, out };
  try {
    const documents = await createDocuments(version, seconds);
    for (const target of chosen) {
      console.log(`${target.name} …`);
      await makeArtefacts(build, target, documents);
    }
    await writeArchive(build, `waymark-${version}-deploy`, 'tar.gz', await deployFiles(version));
    await Bun.write(join(out, `waymark-${version}.cdx.json`), await createSbom(version, seconds));
    await writeSums(out);
  } finally {
    await rm(work, { recursive: true });
  }
  console.log(`${out} holds Waymark ${version} of commit ${checkout.commit}.`);
  if (checkout.isDirty) console.log('Files differ from the commit: do not publish this.');
  else if (options.rebuild !== true)
    console.log(`To publish it, tag the commit: git tag -a v${version} -m "Waymark ${version}"`);
}

function chooseTargets(names: readonly string[] | undefined): readonly Target[] {
  const unknown = names?.find((name) => !targets.some((target) => target.name === name));
  if (unknown !== undefined)
    throw new Error(
      `There is no target ${unknown}. Targets: ${targets.map(({ name }) => name).join(', ')}.`,
    );
  return targets.filter(({ name }) => names === undefined || names.includes(name));
}

/**
 * Returns the time of the commit, in seconds since 1970.
 *
 * @throws Error when there is no commit, or its version is released
 */
function timeOf({ commit, version }: Checkout, isRebuild: boolean): number {
  if (!/^[0-9a-f]{40}$/.test(commit) || git('rev-parse', 'HEAD') === null)
    throw new Error(
      'This is no git repository, and the time of a commit is that of every file. Clone the repository.',
    );
  const tag = `v${version.replace('+dirty', '')}`;
  if (!isRebuild && git('rev-parse', '--verify', `refs/tags/${tag}`) !== null)
    throw new Error(
      `${tag} is released. Raise the version in package.json; or, to build the release again and compare it, ` +
        `check out ${tag} and run this with --rebuild.`,
    );
  return Number(git('show', '--no-patch', '--format=%ct', 'HEAD'));
}

async function makeArtefacts(build: Build, target: Target, documents: Documents): Promise<void> {
  const { version, work } = build;
  const isWindows = target.name.startsWith('windows');
  const outfile = join(work, 'waymark');
  await buildExecutable({ outfile, target });
  const executable = isWindows ? `${outfile}.exe` : outfile;
  const archive = `waymark-${version}-${target.name}`;
  await writeArchive(build, archive, isWindows ? 'zip' : 'tar.gz', [
    {
      path: isWindows ? 'waymark.exe' : 'waymark',
      content: { file: executable },
      mode: 0o755,
    },
    { path: 'LICENSES.txt', content: documents.licenses },
    { path: 'CHANGELOG.md', content: documents.changelog },
    ...(isWindows ? [] : unixFiles(documents)),
    ...(target.name.startsWith('linux') ? serviceFiles(documents) : []),
  ]);
  if (target.packages !== undefined) {
    await writeDeb(build, documents, executable, target.packages.deb);
    await writeRpm(build, documents, executable, target.packages.rpm);
  }
  await rm(executable);
}

function unixFiles({ manual, bash, zsh, fish }: Documents): Entry[] {
  return [
    { path: 'waymark.1', content: manual },
    { path: 'completions/waymark.bash', content: bash },
    { path: 'completions/_waymark', content: zsh },
    { path: 'completions/waymark.fish', content: fish },
  ];
}

function serviceFiles({ unit, settings, waymarkctl }: Documents): Entry[] {
  return [
    { path: 'systemd/waymark.service', content: unit },
    { path: 'systemd/waymark.env', content: settings },
    { path: 'systemd/waymarkctl', content: waymarkctl, mode: 0o755 },
  ];
}

/** What a container needs, without the repository, and the documents. */
async function deployFiles(version: string): Promise<Entry[]> {
  const root = join(import.meta.dir, '..');
  const text = (path: string) => Bun.file(join(root, path)).text();
  const compose = ['compose.yaml', 'compose.scale.yaml'].map(async (path) => ({
    path,
    content: publishedCompose(await text(`deploy/${path}`), version),
  }));
  const others = ['Caddyfile', 'Caddyfile.scale', 'waymark.container', 'prometheus/alerts.yaml'];
  const copied = others.map(async (path) => ({
    path,
    content: withProject(await text(`deploy/${path}`)),
  }));
  const pages = ['README.md', ...[...new Bun.Glob('docs/*.md').scanSync(root)].sort()];
  const documents = pages.map(async (path) => ({ path, content: withProject(await text(path)) }));
  return Promise.all([...documents, ...compose, ...copied]);
}

/** Writes the digests of all artefacts, for `sha256sum --check`. */
async function writeSums(out: string): Promise<void> {
  const names = (await readdir(out)).sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const bytes = await Bun.file(join(out, name)).bytes();
      return `${new Bun.CryptoHasher('sha256').update(bytes).digest('hex')}  ${name}\n`;
    }),
  );
  await Bun.write(join(out, 'SHA256SUMS'), lines.join(''));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
