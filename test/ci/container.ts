import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { chown, cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildExecutable } from '../../release/executable.ts';
import { targets } from '../../release/targets.ts';
import { readPage } from '../docs/blocks.ts';
import { canMount } from '../faults/mounts.ts';
import { freePort } from '../support/free-port.ts';
import { createLoggedProcesses, runCommand } from '../support/program.ts';
import { until } from '../support/until.ts';

/**
 * Runs the image of deploy/Containerfile without a container engine: its file system, made from the C library of this
 * machine as the base image is from Debian's, read-only, with the environment, user and commands of the file.
 */

const isX64 = process.platform === 'linux' && process.arch === 'x64';
const nonroot = 65532;

/** Returns what an instruction of the file says; that of the last stage, since it is the last. */
function instruction(file: string, name: string): string {
  const joined = file.replaceAll(/\\\n\s*/g, '');
  return [...joined.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].at(-1)?.[1] ?? '';
}

describe.skipIf(!isX64 || !canMount)('the image', () => {
  let folder: string;
  let root: string;
  let entrypoint: string[];
  let command: string[];
  let health: string[];
  let env: Record<string, string>;
  const port = freePort();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-container-'));
    root = join(folder, 'root');
    const file = await readPage('deploy/Containerfile');
    entrypoint = JSON.parse(instruction(file, 'ENTRYPOINT'));
    command = JSON.parse(instruction(file, 'CMD'));
    health = JSON.parse(/CMD (\[.*)$/.exec(instruction(file, 'HEALTHCHECK'))?.[1] ?? '[]');
    const fixed = instruction(file, 'ENV').split(' ');
    env = {
      ...Object.fromEntries(fixed.map((pair) => pair.split('=', 2))),
      WAYMARK_PORT: String(port),
      WAYMARK_PUBLIC_URL: 'https://qr.example.com',
    };

    const executable = join(root, entrypoint[0] ?? '');
    await mkdir(dirname(executable), { recursive: true });
    const target = targets.find(({ name }) => name === 'linux-x64');
    await buildExecutable({ outfile: executable, target });
    for (const library of librariesOf(executable)) {
      await mkdir(join(root, dirname(library)), { recursive: true });
      await cp(library, join(root, library), { dereference: true });
    }
    for (const empty of ['proc', 'tmp', 'dev', 'data', 'backups']) await mkdir(join(root, empty));
    for (const volume of ['data', 'backups']) await chown(join(root, volume), nonroot, nonroot);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function librariesOf(executable: string): string[] {
    const { stdout } = Bun.spawnSync(['ldd', executable]);
    return [...stdout.toString().matchAll(/(\/\S+) \(/g)].map(([, path]) => path ?? '');
  }

  /** Returns a command that runs another one in the image, as an engine with a read-only root does. */
  function inImage(arguments_: readonly string[]): string[] {
    const script = `set -e
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1; shift
mount --bind "$root" "$root"
for volume in data backups; do mount --bind "$root/$volume" "$root/$volume"; done
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/dev"
for device in null urandom; do touch "$root/dev/$device"; mount --bind /dev/$device "$root/dev/$device"; done
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs $(command -v chroot) --userspec=${nonroot}:${nonroot} "$root" "$@"`;
    const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child'];
    return [...unshare, 'sh', '-c', script, 'sh', root, ...arguments_];
  }

  function firstProcessOf(pid: number): number {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  }

  const run = (arguments_: readonly string[]) =>
    runCommand(inImage(arguments_), { cwd: folder, env });

  test('has no shell, and less than 150 MB', async () => {
    const files = await readdir(root, { recursive: true });
    expect(files.filter((path) => /bin\/\w+$/.test(path))).toEqual(['usr/bin/waymark']);
    const sizes = await Promise.all(files.map(async (path) => (await stat(join(root, path))).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000_000);
  });

  test('serves as nobody on a read-only root, is healthy, and keeps data in its volume', async () => {
    const processes = createLoggedProcesses(join(folder, 'log'));
    const asked = () => run(health);
    expect(await asked()).toMatchObject({ exitCode: 1 });

    const child = processes.spawn(inImage([...entrypoint, ...command]), { cwd: folder, env });
    try {
      await until(async () => {
        if (child.exitCode !== null) throw new Error(processes.log());
        return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok === true;
      });
      expect((await asked()).exitCode).toBe(0);
      const created = await run([...entrypoint, 'account', 'create', 'a@example.org', '--json']);
      expect(created).toMatchObject({ exitCode: 0 });
      const page = await fetch(`http://127.0.0.1:${port}/docs/swagger-ui.js`);
      expect(page.status).toBe(200);
      expect(processes.log()).toContain('"open this link to create the first account"');
      // As the page of the installation restores it, into another folder.
      await until(async () =>
        (await readdir(join(root, 'backups'))).some((name) => /\.db$/.test(name)),
      );
      const verified = await run([...entrypoint, 'verify', '/backups', '--json']);
      expect(verified).toMatchObject({ exitCode: 0 });
      // An engine signals the first process of the container.
      process.kill(firstProcessOf(child.pid), 'SIGTERM');
      expect(await child.exited).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
    expect((await asked()).exitCode).toBe(1);
    expect(await readdir(join(root, 'data'))).toContain('waymark.db');
    expect((await stat(join(root, 'data/waymark.db'))).uid).toBe(nonroot);
    expect(await readdir(join(root, 'tmp'))).toEqual([]);
  });
});
