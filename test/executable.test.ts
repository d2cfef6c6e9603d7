import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dir, '..');
const buildMs = 120_000;

describe('one executable carries everything', () => {
  let folder: string;
  let executable: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-executable-'));
    executable = join(folder, 'waymark');
    const build = Bun.spawn([process.execPath, 'build.ts', '--outfile', executable], {
      cwd: root,
      stdout: 'ignore',
      stderr: 'inherit',
    });
    expect(await build.exited).toBe(0);
  }, buildMs);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs it with nothing around it: an empty folder, an empty environment. */
  const run = async (...args: string[]) => {
    const empty = await mkdtemp(join(tmpdir(), 'waymark-empty-'));
    const process = Bun.spawn([executable, ...args], { cwd: empty, env: {}, stderr: 'pipe' });
    const [stdout, stderr] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
    ]);
    const left = await readdir(empty);
    await rm(empty, { recursive: true });
    return { code: await process.exited, stdout, stderr, left };
  };

  test('it creates, proves, serves and counts a QR from an empty folder', async () => {
    const { code, stdout, stderr, left } = await run('demo', '--once', '--json');
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: '', left: [] });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'active', scans: 1, kind: 'qr' });
  });

  test('it knows nothing of the folder that it was built in, so it cannot reach node_modules', async () => {
    const bytes = Buffer.from(await Bun.file(executable).arrayBuffer());
    expect(bytes.includes(join(root, 'node_modules'))).toBe(false);
    expect(bytes.includes(join(root, 'src'))).toBe(false);
  });
});
