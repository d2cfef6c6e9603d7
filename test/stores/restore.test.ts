import { Database } from 'bun:sqlite';
import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkOwner } from '../../src/cli/doctor/folder.ts';
import { FileError } from '../../src/lib/errors.ts';
import { createAccountStore } from '../../src/sqlite/accounts/accounts.ts';
import { DatabaseUnusable } from '../../src/sqlite/database/errors.ts';
import { databasePath } from '../../src/sqlite/database/files.ts';
import { lockFolder } from '../../src/sqlite/database/lock.ts';
import { closeConnection } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { backUp } from '../../src/sqlite/maintenance/backup.ts';
import { restore } from '../../src/sqlite/maintenance/restore.ts';
import { addAccount, createFolders } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

setDefaultTimeout(120_000);

const { newFolder, openIn } = createFolders();
const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const again = { replace: true, nowMs };
const first = { replace: false, nowMs };

/** A data folder with one account of this name and some codes, which nobody has open. */
async function folderOf(email: string, codes = 50): Promise<string> {
  const made = newFolder();
  const store = openStore(made, { durability: 'process', busyTimeoutMs: 0 });
  addManyQrs(store.$client, await addAccount(store, email), codes);
  closeConnection(store);
  // The driver lets go of a closed file when its statements are collected, whenever that is.
  const folder = newFolder();
  copyFileSync(databasePath(made), databasePath(folder));
  return folder;
}

async function backupOf(email: string): Promise<string> {
  const file = join(newFolder(), 'backup.db');
  backUp(await folderOf(email), file, false);
  return file;
}

async function accountsIn(folder: string): Promise<string[]> {
  const { accounts } = await createAccountStore(openIn(folder)).search('');
  return accounts.map(({ email }) => email);
}

const lasting = (folder: string) =>
  readdirSync(folder).filter((name) => !/^server\.lock/.test(name) && !/-(wal|shm)$/.test(name));

describe('restore', () => {
  test('into an empty folder: one private file, and nothing is left beside it', async () => {
    const file = await backupOf('a@example.com');
    // As it may come back from another machine.
    chmodSync(file, 0o644);
    const folder = join(newFolder(), 'new', 'data');
    const { rows, kept } = restore(file, folder, first);
    expect(rows).toEqual({ accounts: 1, designs: 1, qrs: 50, formerDestinations: 0, hits: 0 });
    expect(kept).toBeNull();
    expect(lasting(folder)).toEqual(['waymark.db']);
    expect((statSync(databasePath(folder)).mode & 0o777).toString(8)).toBe('600');
    expect(await accountsIn(folder)).toEqual(['a@example.com']);
  });

  test('over a database: only when it is asked for, and the old one can be had back', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com');
    expect(() => restore(file, folder, first)).toThrow(FileError);
    const { kept } = restore(file, folder, again);
    expect(kept).toBe('waymark-replaced-2026-11-21T12-30-00.000Z.db');
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    const undone = newFolder();
    restore(join(folder, kept ?? ''), undone, first);
    expect(await accountsIn(undone)).toEqual(['old@example.com']);
  });

  test('what was only in the log of the old one is kept with it, and stays out of the new one', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com');
    // A crash: the log is there, and nobody took it in.
    const crashed = openIn(folder);
    await addAccount(crashed, 'in-the-log@example.com');
    const left = newFolder();
    for (const suffix of ['', '-wal'])
      copyFileSync(databasePath(folder) + suffix, databasePath(left) + suffix);
    const { kept } = restore(file, left, again);
    expect(await accountsIn(left)).toEqual(['new@example.com']);
    const undone = newFolder();
    restore(join(left, kept ?? ''), undone, first);
    expect(await accountsIn(undone)).toEqual(['old@example.com', 'in-the-log@example.com']);
  });

  test('a log without its database is not taken for that of the new one', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com');
    await addAccount(openIn(folder), 'in-the-log@example.com');
    const left = newFolder();
    copyFileSync(`${databasePath(folder)}-wal`, `${databasePath(left)}-wal`);
    restore(file, left, first);
    expect(await accountsIn(left)).toEqual(['new@example.com']);
  });

  test('nor is the log of one that an earlier restore was cut off in', async () => {
    const file = await backupOf('new@example.com');
    const running = await folderOf('cut-off@example.com');
    await addAccount(openIn(running), 'in-the-log@example.com');
    const folder = newFolder();
    for (const suffix of ['', '-wal'])
      copyFileSync(databasePath(running) + suffix, `${databasePath(folder)}.restoring${suffix}`);
    restore(file, folder, first);
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    expect(lasting(folder)).toEqual(['waymark.db']);
  });

  test('takes a plain copy of a running database with the log beside it', async () => {
    const folder = await folderOf('a@example.com');
    await addAccount(openIn(folder), 'in-the-log@example.com');
    const copy = join(newFolder(), 'copy.db');
    for (const suffix of ['', '-wal']) copyFileSync(databasePath(folder) + suffix, copy + suffix);
    const before = readFileSync(copy);
    const target = newFolder();
    restore(copy, target, first);
    expect(await accountsIn(target)).toEqual(['a@example.com', 'in-the-log@example.com']);
    expect(readFileSync(copy).equals(before)).toBe(true);
  });

  test('replaces a database that is beyond reading, and keeps it as it is', async () => {
    const file = await backupOf('new@example.com');
    const folder = newFolder();
    writeFileSync(databasePath(folder), 'no database at all');
    writeFileSync(`${databasePath(folder)}-wal`, 'nor a log');
    const { kept } = restore(file, folder, again);
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toBe('no database at all');
    expect(readFileSync(join(folder, `${kept}-wal`), 'utf8')).toBe('nor a log');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'as root: the files belong to the owner of the folder',
    async () => {
      const file = await backupOf('new@example.com');
      const folder = newFolder();
      chownSync(folder, 65_534, 65_534);
      restore(file, folder, first);
      for (const name of readdirSync(folder))
        expect([name, statSync(join(folder, name)).uid]).toEqual([name, 65_534]);
      expect(checkOwner(folder).status).toBe('ok');
      chownSync(databasePath(folder), 0, 0);
      expect(checkOwner(folder)).toMatchObject({
        status: 'warning',
        advice: expect.stringContaining('chown -R 65534'),
      });
    },
  );

  test('is refused while a server holds the folder, or a command has the database open', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com');
    const unlock = lockFolder(folder);
    expect(() => restore(file, folder, again)).toThrow(/already running/);
    unlock();
    const command = openIn(folder);
    command.$client.query('SELECT count(*) FROM accounts').get();
    expect(() => restore(file, folder, again)).toThrow(/Another program has .* open/);
    expect(await accountsIn(folder)).toEqual(['old@example.com']);
    expect(readdirSync(folder).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
  });
});

describe('a file that is no sound backup is refused, and the folder stays as it was', () => {
  const refused = async (file: string, error: unknown = DatabaseUnusable) => {
    const folder = await folderOf('old@example.com');
    const before = readFileSync(databasePath(folder));
    // The message is what the person sees; whoever throws it decides its class.
    expect(() => restore(file, folder, again)).toThrow(error as typeof Error);
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true);
    expect(lasting(folder)).toEqual(['waymark.db']);
  };

  test('missing, a folder, empty, or something else', async () => {
    await refused(join(newFolder(), 'missing.db'), FileError);
    await refused(newFolder(), FileError);
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await refused(file);
    writeFileSync(file, 'not SQLite'.repeat(1000));
    await refused(file);
  });

  test('cut off between two pages: told of the backup, not of the database in the folder', async () => {
    const file = await backupOf('a@example.com');
    truncateSync(file, statSync(file).size - 4096);
    expect(() => restore(file, newFolder(), first)).toThrow(
      /^(?!.*--force).*Restore an earlier backup/,
    );
  });

  test('a database of another program', async () => {
    const file = join(newFolder(), 'foreign.db');
    const foreign = new Database(file);
    foreign.run('CREATE TABLE accounts (id)');
    foreign.close();
    await refused(file, /not one that Waymark made/);
  });

  test('newer than this program', async () => {
    const file = await backupOf('a@example.com');
    const newer = new Database(file);
    newer.run("INSERT INTO migrations VALUES ('9999_tomorrow')");
    newer.close();
    await refused(file, /was made by a newer Waymark/);
  });

  test('cut short, wherever', async () => {
    const file = await backupOf('a@example.com');
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
        writeFileSync(file, whole);
        truncateSync(file, length);
        await refused(file);
      }),
      { numRuns: 40 },
    );
  });

  test('a page overwritten, whichever holds something', async () => {
    const file = await backupOf('a@example.com');
    const whole = readFileSync(file);
    const pages = whole.length / 4096;
    for (let page = 0; page < pages; page++) {
      const damaged = Buffer.from(whole);
      damaged.fill(0x5a, page * 4096, (page + 1) * 4096);
      writeFileSync(file, damaged);
      await refused(file);
    }
    expect(pages).toBeGreaterThan(20);
  });
});

describe('backup', () => {
  test('holds everything, is private, and leaves nothing else', async () => {
    const folder = await folderOf('a@example.com', 1000);
    const target = join(newFolder(), 'backup.db');
    const umask = process.umask(0);
    const { bytes, rows } = backUp(folder, target, false);
    process.umask(umask);
    expect(rows).toMatchObject({ accounts: 1, qrs: 1000 });
    expect(bytes).toBe(statSync(target).size);
    expect((statSync(target).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(join(target, '..'))).toEqual(['backup.db']);
  });

  test('replaces a file only when it is asked to, and the database never', async () => {
    const folder = await folderOf('a@example.com');
    const target = join(newFolder(), 'backup.db');
    writeFileSync(target, 'mine');
    expect(() => backUp(folder, target, false)).toThrow(FileError);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    backUp(folder, target, true);
    expect(readFileSync(target, 'latin1')).toStartWith('SQLite format 3');
    for (const suffix of ['', '-wal', '-shm'])
      expect(() => backUp(folder, databasePath(folder) + suffix, true)).toThrow(/database itself/);
    expect(() => backUp(folder, newFolder(), true)).toThrow(FileError);
    expect(() => backUp(folder, '/nowhere/backup.db', true)).toThrow(FileError);
  });

  test('is refused when a value violates the schema', async () => {
    const folder = await folderOf('a@example.com');
    const target = join(newFolder(), 'backup.db');
    const database = new Database(databasePath(folder));
    // As a disk does it, which knows no rules.
    database.run('PRAGMA ignore_check_constraints = ON');
    database.run("UPDATE qrs SET status = 'acthve' WHERE id = 7");
    database.close();
    expect(() => backUp(folder, target, false)).toThrow('The copy failed its integrity check');
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  test('with a row that refers to nothing is refused, and says which', async () => {
    const folder = await folderOf('a@example.com');
    const database = new Database(databasePath(folder));
    database.run("INSERT INTO former_destinations VALUES (1, 999, 'https://example.org/', 1)");
    database.close();
    const target = join(newFolder(), 'backup.db');
    expect(() => backUp(folder, target, false)).toThrow(
      'a row of former_destinations refers to a missing row of qrs',
    );
  });

  test('with an index by which an account is not found is refused', async () => {
    const folder = await folderOf('a@example.com');
    changeRoot(folder, 'accounts_email_unique', (page) =>
      page.write('z', page.indexOf('a@example.com')),
    );
    const target = join(newFolder(), 'backup.db');
    expect(() => backUp(folder, target, false)).toThrow(
      'The copy failed its integrity check and was deleted: row 1 missing from index accounts_email_unique',
    );
  });

  test('of codes that cannot be read is refused, and says what tells more', async () => {
    const folder = await folderOf('a@example.com');
    changeRoot(folder, 'qrs', (page) => page.fill(0x5a));
    const target = join(newFolder(), 'backup.db');
    expect(() => backUp(folder, target, false)).toThrow(/damaged and cannot be copied.*doctor/);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  test('of nothing, or of a damaged database, is refused and leaves no file', async () => {
    const target = join(newFolder(), 'backup.db');
    expect(() => backUp(newFolder(), target, false)).toThrow(DatabaseUnusable);
    const folder = await folderOf('a@example.com', 1000);
    const bytes = readFileSync(databasePath(folder));
    bytes.fill(0x5a, bytes.length - 40 * 4096, bytes.length - 10 * 4096);
    writeFileSync(databasePath(folder), bytes);
    expect(() => backUp(folder, target, false)).toThrow(DatabaseUnusable);
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });
});

/** Changes the first page of a table or an index, as a disk does it. */
function changeRoot(folder: string, name: string, change: (page: Buffer) => void): void {
  const path = databasePath(folder);
  const database = new Database(path);
  const found = database
    .query<{ root: number }, [string]>('SELECT rootpage AS root FROM sqlite_schema WHERE name = ?')
    .get(name);
  database.close();
  if (found === null) throw new Error(`there is no ${name}`);
  const bytes = readFileSync(path);
  change(bytes.subarray((found.root - 1) * 4096, found.root * 4096));
  writeFileSync(path, bytes);
}
