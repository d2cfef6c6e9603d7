import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFolder } from '../../src/cli/doctor/folder.ts';
import { closeStore, openConnection } from '../../src/sqlite/database/open.ts';
import { runProgram } from '../support/program.ts';
import { canMount, createMounts } from './mounts.ts';

setDefaultTimeout(120_000);

const { mountWith } = createMounts();
const run = (folder: string, ...args: string[]) =>
  runProgram([...args, '--data', folder], { cwd: tmpdir(), stdin: 'correct horse battery' });

/** Takes all the space that is left. */
function fill(folder: string): string {
  const file = join(folder, 'fill');
  for (const piece of [64 * 1024, 4096, 1])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(piece), { flag: 'a' });
    } catch {
      // No more of this size.
    }
  return file;
}

describe.skipIf(!canMount)('what an operator is told', () => {
  test('while the disk is full: the reason, and nothing of owners', async () => {
    const folder = mountWith('size=1m,mode=700');
    await run(folder, 'account', 'create', 'a@example.org', '--password-stdin');
    // As beside a server: what SQLite needs for reading is there.
    const server = openConnection(folder, { durability: 'process', busyTimeoutMs: 0 });
    const file = fill(folder);
    expect(checkFolder(folder)).toMatchObject({ status: 'broken', advice: 'Free some space.' });
    const { exitCode, stderr } = await run(folder, 'key', 'generate', 'a@example.org');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^waymark: .*\bfull/)]);
    rmSync(file);
    expect((await run(folder, 'key', 'generate', 'a@example.org')).exitCode).toBe(0);
    closeStore(server);
  });

  test('of a full disk that a backup goes to: which file, and nothing is left there', async () => {
    const folder = mountWith('mode=700');
    await run(folder, 'account', 'create', 'a@example.org', '--password-stdin');
    const full = mountWith('size=64k');
    const { exitCode, stderr } = await run(folder, 'backup', join(full, 'backup.db'));
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^waymark: .*backup\.db cannot be written: .*full\. Check the free space/,
      ),
    ]);
    expect(readdirSync(full)).toEqual([]);
  });

  test('of a read-only file system: how its database can be read', async () => {
    const folder = mountWith('mode=700');
    await run(folder, 'account', 'create', 'a@example.org', '--password-stdin');
    spawnSync('mount', ['-o', 'remount,ro', folder]);
    expect(checkFolder(folder)).toMatchObject({
      status: 'broken',
      advice: expect.stringContaining('Mount it for writing'),
    });
    const { exitCode, stderr } = await run(folder, 'export');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('copy the whole folder')]);
  });
});
