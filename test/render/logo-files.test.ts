import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corner } from './logo-fixtures.ts';

/** Needs strace, which only Linux has; where it is missing the test shows as skipped. */
const strace = Bun.which('strace');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-logo-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.skipIf(strace === null)(
  'no drawing makes the program open a file or a connection',
  async () => {
    await Bun.write(join(folder, 'secret.png'), corner(16, 16));
    await Bun.spawn(['mkfifo', join(folder, 'fifo')]).exited;
    const log = join(folder, 'trace.txt');
    const program = join(import.meta.dir, 'logo-traced.ts');
    const calls = 'trace=open,openat,openat2,connect,socket,execve';
    const traced = Bun.spawn(
      [strace ?? '', '-f', '-qq', '-e', calls, '-o', log, process.execPath, program, folder],
      { cwd: folder, stdout: 'pipe', stderr: 'pipe' },
    );
    const printed = await new Response(traced.stdout).text();
    expect(await traced.exited).toBe(0);
    expect(Number(printed)).toBe(160);

    const lines = (await Bun.file(log).text()).split('\n');
    const begin = lines.findIndex((line) => line.includes(join(folder, 'begin')));
    const end = lines.findIndex((line) => line.includes(join(folder, 'end')));
    expect(begin).toBeGreaterThan(0);
    expect(end).toBeGreaterThan(begin);
    // Bun itself reads /proc and /sys now and then to see how much memory there is.
    const opened = lines.slice(begin + 1, end).filter((line) => !/"\/(proc|sys)\//.test(line));
    expect(opened).toEqual([]);
  },
  60_000,
);
