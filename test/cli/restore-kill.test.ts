import { expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccountStore } from '../../src/sqlite/accounts/accounts.ts';
import { closeStore, databasePath } from '../../src/sqlite/database/open.ts';
import { openForReading } from '../../src/sqlite/database/read-only.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { backUp } from '../../src/sqlite/maintenance/backup.ts';
import { flawsOf } from '../../src/sqlite/maintenance/integrity.ts';
import { restore } from '../../src/sqlite/maintenance/restore.ts';
import { addAccount, createFolders } from '../stores/folder.ts';
import { programCommand, programEnv } from '../support/program.ts';

setDefaultTimeout(120_000);

const { newFolder, openIn } = createFolders();
const tracer = Bun.which('strace');
const mayBeMissing = process.platform !== 'linux' || process.env['CI'] !== 'true';

// Everything by which a program changes files. The kill comes in place of the call.
const calls = [
  ...['rename', 'link', 'unlink', 'fsync', 'fdatasync', 'ftruncate', 'pwrite64'],
  ...['copy_file_range', 'sendfile'],
];
// More than any of them is made; so that a command that never ends its work ends this loop.
const mostCalls = 60;

test.skipIf(tracer === null && mayBeMissing)(
  'killed before any change it makes to a file, restore leaves the old database or the new one, whole',
  async () => {
    const [file, crashed] = [await backupOf('new@example.com'), await crashedFolder()];
    const seen = new Map<string, number>();
    for (const call of calls) {
      for (let nth = 1; ; nth++) {
        expect(nth).toBeLessThan(mostCalls);
        const folder = newFolder();
        copyDatabase(crashed, folder);
        const ended = await killedBefore(call, nth, ['restore', file, '--force', '--data', folder]);
        const holds = await whatHolds(folder);
        seen.set(holds, (seen.get(holds) ?? 0) + 1);
        if (ended === 'done') {
          expect(holds).toBe('new@example.com');
          break;
        }
        expect(['old@example.com in-the-log@example.com', 'new@example.com']).toContain(holds);
        if (holds === 'new@example.com')
          expect(await keptIn(folder)).toMatch(/^old@.* in-the-log@/);
      }
    }
    // Kills before and after the decisive step, and every call was met.
    expect(seen.get('old@example.com in-the-log@example.com') ?? 0).toBeGreaterThan(10);
    expect(seen.get('new@example.com') ?? 0).toBeGreaterThan(calls.length);
  },
);

test.skipIf(tracer === null && mayBeMissing)('after a kill the same command succeeds', async () => {
  const [file, crashed] = [await backupOf('new@example.com'), await crashedFolder()];
  for (const call of ['rename', 'link', 'copy_file_range']) {
    const folder = newFolder();
    copyDatabase(crashed, folder);
    const command = ['restore', file, '--force', '--data', folder];
    expect(await killedBefore(call, 1, command)).toBe('killed');
    expect(await killedBefore('rename', 99, command)).toBe('done');
    expect(await whatHolds(folder)).toBe('new@example.com');
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  }
});

/** Runs the program until it is about to make a call for the nth time. */
async function killedBefore(
  call: string,
  nth: number,
  args: readonly string[],
): Promise<'done' | 'killed'> {
  const inject = `inject=${call}:signal=SIGKILL:when=${nth}`;
  const tracing = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
  const child = Bun.spawn([...tracing, ...programCommand(), ...args], {
    env: programEnv(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const said = new Response(child.stderr).text();
  const exitCode = await child.exited;
  if (exitCode === 0) return 'done';
  if (child.signalCode === 'SIGKILL' || exitCode === 137) return 'killed';
  throw new Error(`${call} ${nth}: exit ${exitCode}\n${await said}`);
}

/** Starts on a folder as the server does. @returns the accounts, in order */
async function whatHolds(folder: string): Promise<string> {
  openForReading(folder).$client.close();
  const store = openIn(folder);
  expect(flawsOf(store.$client)).toEqual([]);
  return (await createAccountStore(store).list()).map(({ email }) => email).join(' ');
}

async function keptIn(folder: string): Promise<string> {
  const [kept] = readdirSync(folder).filter((name) => /-replaced-.*\.db$/.test(name));
  const undone = newFolder();
  restore(join(folder, kept ?? 'missing'), undone, { replace: false, nowMs: 0 });
  return whatHolds(undone);
}

async function backupOf(email: string): Promise<string> {
  const folder = newFolder();
  const store = openStore(folder, { durability: 'process', busyTimeoutMs: 0 });
  await addAccount(store, email);
  closeStore(store);
  const file = join(newFolder(), 'backup.db');
  backUp(folder, file, false);
  return file;
}

/** A database as a crash leaves it: part of what is committed is in the log alone. */
async function crashedFolder(): Promise<string> {
  const running = newFolder();
  const store = openIn(running);
  await addAccount(store, 'old@example.com');
  store.$client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  await addAccount(store, 'in-the-log@example.com');
  const crashed = newFolder();
  copyDatabase(running, crashed);
  return crashed;
}

function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal'])
    copyFileSync(databasePath(from) + suffix, databasePath(to) + suffix);
}
