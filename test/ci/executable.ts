import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/program.ts';

const root = join(import.meta.dir, '../..');
const buildMs = 120_000;
const build = (...flags: string[]) =>
  runCommand([process.execPath, 'build.ts', ...flags], { cwd: root, deadlineMs: buildMs });

describe('the executable', () => {
  let folder: string;
  let executable: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-executable-'));
    executable = join(folder, 'waymark');
    expect(await build('--outfile', executable)).toMatchObject({ exitCode: 0 });
  }, buildMs);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs it in an empty folder with an empty environment. */
  const run = async (...args: string[]) => {
    const empty = await mkdtemp(join(tmpdir(), 'waymark-empty-'));
    const { exitCode, stdout, stderr } = await runCommand([executable, ...args], {
      cwd: empty,
      env: {},
    });
    const left = await readdir(empty);
    await rm(empty, { recursive: true });
    return { exitCode, stdout, stderr, left };
  };

  test('creates, decodes, redirects and counts a QR from an empty folder', async () => {
    const { stdout, ...rest } = await run('demo', '--once', '--json');
    expect(rest).toEqual({ exitCode: 0, stderr: '', left: [] });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'active', scans: 1, kind: 'qr' });
  });

  test(
    'security check 39: is reproducible to the byte in another folder',
    async () => {
      const again = join(folder, 'again', 'waymark');
      expect(await build('--outfile', again)).toMatchObject({ exitCode: 0 });
      const digest = async (path: string) =>
        new Bun.CryptoHasher('sha256').update(await Bun.file(path).arrayBuffer()).digest('hex');
      expect(await digest(again)).toBe(await digest(executable));
    },
    buildMs,
  );

  test('is at most 19 MB larger than the bare runtime', () => {
    const ownBytes = Bun.file(executable).size - Bun.file(process.execPath).size;
    expect(ownBytes).toBeGreaterThan(5_000_000);
    expect(ownBytes).toBeLessThan(19_000_000);
  });

  test('does not contain the path of its build folder', async () => {
    const bytes = Buffer.from(await Bun.file(executable).arrayBuffer());
    expect(bytes.includes(join(root, 'node_modules'))).toBe(false);
    expect(bytes.includes(join(root, 'src'))).toBe(false);
  });
});

test.each([
  ['an unknown target', ['--target', 'amiga']],
  ['an unknown flag', ['--help']],
])('build.ts with %s prints the targets', async (_, flags) => {
  const { exitCode, stderr } = await build(...flags);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('linux-arm64');
  expect(stderr).not.toMatch(/^\s+at /m);
});
