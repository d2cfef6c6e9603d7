import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFolder } from '../../src/cli/doctor/folder.ts';
import { closeConnection, openConnection } from '../../src/sqlite/database/open.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { programCommand, programEnv, runCommand, runProgram } from '../support/program.ts';
import { canMount, createMounts, fill } from './mounts.ts';

const { mountWith } = createMounts();
const run = (folder: string, ...args: string[]) =>
  runProgram([...args, '--data', folder], { cwd: tmpdir(), stdin: 'correct horse battery' });

/** Mounts a file system with a database that has an account. */
async function folderWithAccount(options = 'mode=700'): Promise<string> {
  const folder = mountWith(options);
  await run(folder, 'account', 'create', 'a@example.org', '--password-stdin');
  return folder;
}

describe.skipIf(!canMount)('commands', () => {
  test('report a full disk, and work again when there is space', async () => {
    const folder = await folderWithAccount('size=2m,mode=700');
    // As beside a server: what SQLite needs for reading is there.
    const server = openConnection(folder, { durability: 'process', busyTimeoutMs: 0 });
    const relieve = fill(folder);
    expect(checkFolder(folder)).toMatchObject({ status: 'broken' });
    const { exitCode, stderr } = await run(folder, 'key', 'generate', 'a@example.org');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^waymark: .*\bfull/)]);
    relieve();
    expect((await run(folder, 'key', 'generate', 'a@example.org')).exitCode).toBe(0);
    closeConnection(server);
  });

  test('report a full disk of a backup and leave no file there', async () => {
    const folder = await folderWithAccount();
    const full = mountWith('size=64k');
    const { exitCode, stderr } = await run(folder, 'backup', join(full, 'backup.db'));
    expect(stderr).toMatch(/^waymark: .*backup\.db cannot be written.*full.*[Ff]ree some space/);
    expect(exitCode).toBe(1);
    expect(readdirSync(full)).toEqual([]);
  });

  test('report a full disk of a restore and leave no database there', async () => {
    const folder = await folderWithAccount();
    const file = join(folder, 'backup.db');
    expect((await run(folder, 'backup', file)).exitCode).toBe(0);
    // Room for the copy of the backup, and not for its rows.
    const kib = Math.ceil(statSync(file).size / 1024) + 64;
    const full = mountWith(`size=${kib}k,mode=700`);
    const { exitCode, stderr } = await run(full, 'restore', file);
    expect(stderr).toMatch(/^waymark: .*cannot be written.*full.*[Ff]ree some space/);
    expect(exitCode).toBe(1);
    expect(readdirSync(full)).toEqual(['server.lock']);
  });

  test('name the folder for temporary files that SQLite misses', async () => {
    const folder = await folderWithAccount();
    const database = new Database(join(folder, 'waymark.db'), { strict: true });
    addManyQrs(database, { accountId: 1, designId: 1 }, 20_000);
    database.close();
    // The data folder is on a file system of its own below.
    const script =
      'for at in /tmp /var/tmp; do mount --rbind $at $at; mount -o remount,ro,bind $at; done; exec "$@"';
    const { exitCode, stderr } = await runCommand(
      [
        ...['unshare', '--mount', 'sh', '-c', script, 'sh', ...programCommand()],
        ...['account', 'delete', 'a@example.org', '--yes', '--data', folder],
      ],
      { cwd: mountWith('ro'), env: programEnv() },
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/temporary files.*TMPDIR/)]);
  });

  test('read the database of a read-only file system, and report that it cannot be written', async () => {
    const folder = await folderWithAccount();
    spawnSync('mount', ['-o', 'remount,ro', folder]);
    expect(checkFolder(folder)).toMatchObject({ status: 'broken' });
    expect(await run(folder, 'export')).toMatchObject({ exitCode: 0, stderr: '' });
    const line = ['key', 'generate', 'a@example.org'];
    const { exitCode, stderr } = await run(folder, ...line);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('read-only')]);
  });
});
