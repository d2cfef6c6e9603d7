import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { DatabaseUnusable } from '../../src/core/errors.ts';
import { WouldReplaceDatabase } from '../../src/core/storage.ts';
import { FileError } from '../../src/lib/errors.ts';
import { databasePath } from '../../src/redirect/sqlite/files.ts';
import { lockFolder } from '../../src/redirect/sqlite/lock.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { closeConnection } from '../../src/sqlite/database/open.ts';
import { backUp } from '../../src/sqlite/maintenance/backup.ts';
import { repair } from '../../src/sqlite/maintenance/repair.ts';
import { restore } from '../../src/sqlite/maintenance/restore.ts';
import { addAccount, createFolders, storesOn } from './folder.ts';
import { addManyQrs } from './many-qrs.ts';

const { newFolder, openIn } = createFolders();
const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const replacing = { replace: true, keepSessions: true, nowMs };
const first = { ...replacing, replace: false };

const made = new Map<string, Promise<string>>();

/** Returns a copy of a file that is made once for all tests. */
async function copyOf(key: string, name: string, make: () => Promise<string>): Promise<string> {
  const file = made.get(key) ?? make();
  made.set(key, file);
  const copy = join(newFolder(), name);
  copyFileSync(await file, copy);
  return copy;
}

/** Creates a data folder with one account and some codes. */
async function folderOf(email: string, codes = 50): Promise<string> {
  const copy = await copyOf(`${email} ${codes}`, 'waymark.db', async () => {
    const folder = newFolder();
    const store = openWithDrizzle(folder, { durability: 'process', busyTimeoutMs: 0 });
    addManyQrs(store.$client, await addAccount(store, email), codes);
    closeConnection(store);
    return databasePath(folder);
  });
  return dirname(copy);
}

const backupOf = (email: string): Promise<string> =>
  copyOf(`backup of ${email}`, 'backup.db', async () => {
    const file = join(newFolder(), 'backup.db');
    backUp(await folderOf(email), file, { replace: false, nowMs: 0 });
    return file;
  });

/** Copies a database with the log of a crashed process, which has one more account. */
async function copyWithWal(email: string, target: string, suffixes = ['', '-wal']): Promise<void> {
  const folder = await folderOf(email);
  await addAccount(openIn(folder), 'in-the-log@example.com');
  for (const suffix of suffixes) copyFileSync(databasePath(folder) + suffix, target + suffix);
}

/** Changes a database as somebody can who has the file. */
function change(file: string, sql: string): void {
  const database = new Database(file);
  database.run('PRAGMA ignore_check_constraints = ON');
  database.run(sql);
  database.close();
}

async function changedBackup(sql: string): Promise<string> {
  const file = await backupOf('a@example.com');
  change(file, sql);
  return file;
}

async function accountsIn(folder: string): Promise<string[]> {
  const { accounts } = await storesOn(openIn(folder)).accounts.search('');
  return accounts.map(({ email }) => email);
}

const filesIn = (folder: string) =>
  readdirSync(folder).filter((name) => !/^server\.lock/.test(name) && !/-(wal|shm)$/.test(name));

describe('restore', () => {
  test('creates one private file in an empty folder', async () => {
    const file = await backupOf('a@example.com');
    chmodSync(file, 0o644);
    const folder = join(newFolder(), 'new', 'data');
    const { rows, kept } = restore(file, folder, first);
    expect(rows).toEqual({ accounts: 1, designs: 1, qrs: 50, hits: 0 });
    expect(kept).toBeNull();
    expect(filesIn(folder)).toEqual(['waymark.db']);
    expect((statSync(databasePath(folder)).mode & 0o777).toString(8)).toBe('600');
    expect(await accountsIn(folder)).toEqual(['a@example.com']);
  });

  test('lists what a damaged database has and the backup lacks, as far as it can be read', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com', 500);
    const path = databasePath(folder);
    truncateSync(path, Math.floor(statSync(path).size / 2));
    const { losses } = restore(file, folder, replacing);
    expect(losses).toMatchObject({ isComplete: false });
  });

  test('replaces a database only with `replace`, and keeps the old one with its log', async () => {
    const file = await backupOf('new@example.com');
    const folder = newFolder();
    await copyWithWal('old@example.com', databasePath(folder));
    expect(() => restore(file, folder, first)).toThrow(WouldReplaceDatabase);
    const { kept } = restore(file, folder, replacing);
    expect(kept).toBe('waymark-replaced-2026-11-21T12-30-00.000Z.db');
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    const undone = newFolder();
    restore(join(folder, kept ?? ''), undone, first);
    expect(await accountsIn(undone)).toEqual(['old@example.com', 'in-the-log@example.com']);
  });

  test.each([
    ['a log without its database', (folder: string) => databasePath(folder), ['-wal']],
    [
      'what an interrupted restore left',
      (folder: string) => `${databasePath(folder)}.restoring`,
      ['', '-wal'],
    ],
  ])('does not apply %s', async (_, target, suffixes) => {
    const file = await backupOf('new@example.com');
    const folder = newFolder();
    await copyWithWal('old@example.com', target(folder), suffixes);
    restore(file, folder, first);
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    expect(filesIn(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  test('accepts a plain copy of a running database with its log', async () => {
    const copy = join(newFolder(), 'copy.db');
    await copyWithWal('a@example.com', copy);
    const before = readFileSync(copy);
    const target = newFolder();
    restore(copy, target, first);
    expect(await accountsIn(target)).toEqual(['a@example.com', 'in-the-log@example.com']);
    expect(readFileSync(copy).equals(before)).toBe(true);
  });

  test('replaces a corrupt database and keeps it unchanged', async () => {
    const file = await backupOf('new@example.com');
    const folder = newFolder();
    writeFileSync(databasePath(folder), 'no database at all');
    writeFileSync(`${databasePath(folder)}-wal`, 'nor a log');
    const { kept } = restore(file, folder, replacing);
    expect(await accountsIn(folder)).toEqual(['new@example.com']);
    expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toBe('no database at all');
    expect(readFileSync(join(folder, `${kept}-wal`), 'utf8')).toBe('nor a log');
  });

  test.skipIf(process.getuid?.() !== 0)('as root gives the files to the folder owner', async () => {
    const file = await backupOf('new@example.com');
    const folder = newFolder();
    chownSync(folder, 65_534, 65_534);
    restore(file, folder, first);
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).uid]).toEqual([name, 65_534]);
  });

  test('is rejected while a server or a command has the database open', async () => {
    const file = await backupOf('new@example.com');
    const folder = await folderOf('old@example.com');
    const unlock = lockFolder(folder);
    expect(() => restore(file, folder, replacing)).toThrow(/already running/);
    unlock();
    openIn(folder).$client.query('SELECT count(*) FROM accounts').get();
    expect(() => restore(file, folder, replacing)).toThrow(/Another program has .* open/);
    expect(await accountsIn(folder)).toEqual(['old@example.com']);
    expect(filesIn(folder)).toEqual(['waymark.db']);
  });
});

describe('restore of a file that is not an intact backup is rejected and changes nothing', () => {
  const expectRejected = async (
    file: string,
    error: RegExp | typeof FileError | typeof DatabaseUnusable = DatabaseUnusable,
  ) => {
    const folder = await folderOf('old@example.com');
    const before = readFileSync(databasePath(folder));
    expect(() => restore(file, folder, replacing)).toThrow(error);
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true);
    expect(filesIn(folder)).toEqual(['waymark.db']);
  };

  test('missing, a folder, empty, or something else', async () => {
    await expectRejected(join(newFolder(), 'missing.db'), FileError);
    await expectRejected(newFolder(), FileError);
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expectRejected(file);
    writeFileSync(file, 'not SQLite'.repeat(1000));
    await expectRejected(file, /Restore an earlier backup/);
  });

  test.each([
    [
      'of another program',
      'PRAGMA application_id = 1',
      /not one that this version of Waymark can read/,
    ],
    ['newer', 'PRAGMA user_version = 99', /was made by a newer Waymark/],
  ])('a database that is %s', async (_, change, message) => {
    await expectRejected(await changedBackup(change), message);
  });

  test('truncated anywhere', async () => {
    const file = await backupOf('a@example.com');
    const whole = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: whole.length - 1 }), async (length) => {
        writeFileSync(file, whole.subarray(0, length));
        await expectRejected(file);
      }),
      { numRuns: 8 },
    );
    writeFileSync(file, whole);
    truncateSync(file, whole.length - 4096);
    await expectRejected(file, /Restore an earlier backup/);
  });

  test('with any page overwritten', async () => {
    const file = await backupOf('a@example.com');
    const whole = readFileSync(file);
    // Every third page, so that each kind of page is among them.
    for (let at = 0; at < whole.length; at += 3 * 4096) {
      writeFileSync(file, Buffer.from(whole).fill(0x5a, at, at + 4096));
      await expectRejected(file);
    }
  });
});

describe('a hostile backup', () => {
  const replaceTable = (name: string, created: string) =>
    `ALTER TABLE ${name} RENAME TO kept; ${created}`;
  const setDesign = (setting: string, value: string) =>
    `UPDATE designs SET settings = json_set(settings, '$.${setting}', ${value})`;
  const setCode = (column: string, value: string) =>
    `UPDATE qrs SET ${column} = ${value} WHERE id = 7`;

  test('gets none of its triggers, views, indexes and tables into the database', async () => {
    const file = await changedBackup(`
      CREATE TRIGGER operator AFTER INSERT ON accounts BEGIN UPDATE accounts SET is_operator = 1; END;
      CREATE TRIGGER at_sign_in AFTER INSERT ON sessions BEGIN UPDATE accounts SET is_operator = 1; END;
      CREATE VIEW more AS SELECT * FROM accounts;
      CREATE INDEX by_name ON qrs (name);
      CREATE TABLE notes (text);
      CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)`);
    const folder = newFolder();
    const { leftOut, rows } = restore(file, folder, first);
    expect(leftOut.toSorted()).toEqual([
      'index by_name',
      'table notes',
      'trigger at_sign_in',
      'trigger operator',
      'view more',
    ]);
    expect(rows.qrs).toBe(50);
    const schema = (path: string) => {
      const database = new Database(path, { readonly: true });
      return database.query('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
    };
    expect(schema(databasePath(folder))).toEqual(
      schema(databasePath(await folderOf('b@example.com'))),
    );
    await addAccount(openIn(folder), 'c@example.com');
    const { accounts } = await storesOn(openIn(folder)).accounts.search('');
    expect(accounts.filter(({ isOperator }) => isOperator)).toEqual([]);
  });

  test.each([
    ['a view', replaceTable('accounts', 'CREATE VIEW accounts AS SELECT * FROM kept'), /a view/],
    [
      'a virtual table',
      replaceTable('rules', 'CREATE VIRTUAL TABLE rules USING fts5(expression, decision)'),
      /rules is virtual/,
    ],
    [
      'a generated column',
      `ALTER TABLE rules DROP COLUMN note; ALTER TABLE rules ADD note text AS (hex('x'))`,
      /no stored column note/,
    ],
    ['no table', 'DROP TABLE sessions', /sessions is missing/],
    ['a version below the first', 'PRAGMA user_version = -1', /not one that/],
  ])('with %s in place of a table is rejected', async (_, sql, error) => {
    const folder = newFolder();
    const file = await changedBackup(sql);
    expect(() => restore(file, folder, first)).toThrow(error);
    expect(filesIn(folder)).toEqual([]);
  });

  test.each([
    [setCode('destination', "'javascript:alert(1)'"), '1 code has a destination'],
    ["UPDATE qrs SET destination = 'data:text/html,x' WHERE id < 4", '3 codes have a destination'],
    [
      setCode('destination', "'https://a.example/' || char(13, 10) || 'Set-Cookie: x'"),
      'destination',
    ],
    [setCode('destination', 'zeroblob(20000000)'), 'destination'],
    [setCode('short_link', "'javascript:alert(1)'"), 'short link'],
    [setCode('code', "'../account'"), 'code'],
    [setCode('status', "'open'"), 'status'],
    [setCode('name', "'two' || char(10) || 'lines'"), 'name'],
    [setCode('note', 'hex(zeroblob(600))'), 'note'],
    [setCode('logo_placement', "'{}'"), 'logo placement'],
    [setCode('image_hash', "x'00'"), 'image hash'],
    [setCode('created_at', '9e18'), 'created at'],
    ["UPDATE accounts SET email = 'A@EXAMPLE.COM'", '1 account has an email'],
    ["UPDATE accounts SET is_operator = 'yes'", 'is operator'],
    ["UPDATE accounts SET password_hash = 'x'", 'password hash'],
    [
      `UPDATE accounts SET password_hash = '$argon2id$v=19$m=524288,t=2,p=1$' ||
       '${'A'.repeat(43)}' || '$' || '${'A'.repeat(43)}'`,
      '1 account has a password hash that Waymark does not accept: a@example.com.',
    ],
    [setDesign('foreground', `'red" onload="x'`), '1 design has settings'],
    [setDesign('moduleShape', "'stars'"), 'settings'],
    [setDesign('quietZoneModules', '0'), 'settings'],
    [setDesign('logo', "json('{}')"), 'settings'],
    ['UPDATE designs SET logo_png = zeroblob(400000)', 'logo png'],
    ["UPDATE designs SET settings = ''", 'settings'],
    [
      "UPDATE accounts SET totp_secret = 'not base32'",
      '1 account has a totp secret that Waymark does not accept: a@example.com.',
    ],
    [
      `UPDATE accounts SET recovery_codes = '${'a'.repeat(64)} '`,
      '1 account has recovery codes that Waymark does not accept: a@example.com.',
    ],
    [
      "INSERT INTO sessions (hash, account_id, created_at, last_seen_at) VALUES ('x', 1, 0, 0)",
      '1 row of sessions has a hash',
    ],
    ["INSERT INTO short_url_prefixes VALUES ('javascript:')", 'prefix'],
    ["INSERT INTO rules VALUES (1, 'a.example/', 'maybe', 0, '')", 'decision'],
    [
      `INSERT INTO list_sources VALUES ('x', '{"name":"x","url":"file:///etc/passwd","addedAtMs":0}', NULL)`,
      'source',
    ],
    [
      'DROP INDEX qrs_code_unique; UPDATE qrs SET code = (SELECT code FROM qrs WHERE id = 1)',
      '49 codes',
    ],
  ])('%s is rejected, and the value is named', async (sql, message) => {
    const folder = newFolder();
    const file = await changedBackup(sql);
    expect(() => restore(file, folder, first)).toThrow(message);
    expect(filesIn(folder)).toEqual([]);
  });

  test('has no value of another type, or beyond what its name says, in any column', async () => {
    const wrong = { integer: "'text'", text: '7', blob: "'text'" };
    const schema = new Database(await backupOf('a@example.com'));
    const rows = schema
      .query<{ table: string; column: string; type: keyof typeof wrong; pk: number }, []>(
        `SELECT list.name AS "table", info.name AS "column", lower(info.type) AS type, info.pk AS pk
         FROM pragma_table_list AS list, pragma_table_info(list.name) AS info
         WHERE list.schema = 'main' AND list.type = 'table'`,
      )
      .all()
      .filter(({ table, pk }) => pk === 0 && ['accounts', 'designs', 'qrs'].includes(table));
    schema.close();
    expect(rows.length).toBeGreaterThan(40);
    for (const { table, column, type } of rows) {
      // SQLite stores a number in a column of texts as a text.
      if (type === 'text') continue;
      const file = await changedBackup(`UPDATE ${table} SET "${column}" = ${wrong[type]}`);
      expect(() => restore(file, newFolder(), first)).toThrow(DatabaseUnusable);
    }
  });

  test('has no row that refers to a missing one, also if its schema has no references', async () => {
    const file = await changedBackup(`
      DROP TABLE former_destinations;
      CREATE TABLE former_destinations (id integer, qr_id integer, destination text, until integer,
        replaced_as_planned integer);
      INSERT INTO former_destinations VALUES (1, 99, 'https://a.example/', 0, 0)`);
    expect(() => restore(file, newFolder(), first)).toThrow(
      'a row of former_destinations refers to a missing row of qrs',
    );
  });

  test.each([
    ['a view that the schema calls a table', 'CREATE VIEW rules AS SELECT * FROM qrs;'],
    ['no SQL', 'x'],
  ])('whose schema has %s is rejected', async (_, sql) => {
    const file = await backupOf('a@example.com');
    const text = readFileSync(file, 'latin1');
    const [created = ''] = /CREATE TABLE `rules` \([^)]*\)/.exec(text) ?? [];
    writeFileSync(file, text.replace(created, sql.padEnd(created.length)), 'latin1');
    expect(() => restore(file, newFolder(), first)).toThrow(/damaged, or not a database/);
  });

  test('has the prefixes of its short links named, also one that it does not list', async () => {
    const file = await changedBackup(setCode('short_link', "'https://evil.example/q/menu'"));
    const { shortUrlPrefixes } = restore(file, newFolder(), first);
    expect(shortUrlPrefixes).toContain('https://evil.example/q');
  });

  test('does not change a terminal by what it names', async () => {
    const file = await changedBackup(
      setCode('destination', "char(27) || '[2J' || char(155, 8238)"),
    );
    expect(() => restore(file, newFolder(), first)).toThrow(/\(\?\[2J\?\?\)\. To restore/);
  });

  test('values that only an earlier version accepted are restored', async () => {
    const stored = [
      'https://https://a.example',
      'https://a.example\\\\@b.example',
      'https://a..b/',
    ];
    const file = await changedBackup(
      stored
        .map((url, at) => `UPDATE qrs SET destination = '${url}' WHERE id = ${at + 1}`)
        .join(';'),
    );
    expect(restore(file, newFolder(), first).rows.qrs).toBe(50);
  });

  test('is repaired without the values that are refused, and says so', async () => {
    const folder = newFolder();
    const file = await changedBackup(
      `${setCode('destination', "'javascript:alert(1)'")}; UPDATE qrs SET note = char(7) WHERE id = 8;
       CREATE TRIGGER later AFTER INSERT ON sessions BEGIN UPDATE accounts SET is_operator = 1; END`,
    );
    copyFileSync(file, databasePath(folder));
    const target = join(newFolder(), 'repaired.db');
    const { rows, missing } = repair(folder, target, first);
    expect(rows.qrs).toBe(49);
    expect(missing.notes.join()).toMatch(/1 code has a destination that .*1 code has a note that/);
    expect(restore(target, newFolder(), first)).toMatchObject({ leftOut: [], rows: { qrs: 49 } });
  });
});

describe('backup', () => {
  test('has all rows, is private, and leaves no other file', async () => {
    const folder = await folderOf('a@example.com', 100);
    const target = join(newFolder(), 'backup.db');
    const umask = process.umask(0);
    const { bytes, rows } = backUp(folder, target, { replace: false, nowMs: 0 });
    process.umask(umask);
    expect(rows).toMatchObject({ accounts: 1, qrs: 100 });
    expect(bytes).toBe(statSync(target).size);
    expect((statSync(target).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(join(target, '..'))).toEqual(['backup.db']);
  });

  test('replaces a file only with `replace`, and the database never', async () => {
    const folder = await folderOf('a@example.com');
    const target = join(newFolder(), 'backup.db');
    writeFileSync(target, 'mine');
    expect(() => backUp(folder, target, { replace: false, nowMs: 0 })).toThrow(FileError);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    backUp(folder, target, { replace: true, nowMs: 0 });
    expect(readFileSync(target, 'latin1')).toStartWith('SQLite format 3');
    for (const suffix of ['', '-wal', '-shm'])
      expect(() =>
        backUp(folder, databasePath(folder) + suffix, { replace: true, nowMs: 0 }),
      ).toThrow(/database itself/);
    expect(() => backUp(folder, newFolder(), { replace: true, nowMs: 0 })).toThrow(FileError);
    expect(() => backUp(folder, '/nowhere/backup.db', { replace: true, nowMs: 0 })).toThrow(
      FileError,
    );
  });

  const failed = 'The copy failed its integrity check';

  test.each([
    [
      'violates the schema',
      (file: string) => change(file, "UPDATE qrs SET status = 'acthve' WHERE id = 7"),
      failed,
    ],
    [
      'has a row with a missing reference',
      (file: string) =>
        change(
          file,
          "INSERT INTO former_destinations (id, qr_id, destination, until) VALUES (1, 999, 'https://a/', 1)",
        ),
      'a row of former_destinations refers to a missing row of qrs',
    ],
    [
      'has a wrong index',
      (file: string) =>
        changeRootPage(file, 'accounts_email_unique', (page) =>
          page.write('z', page.indexOf('a@example.com')),
        ),
      'row 1 missing from index accounts_email_unique',
    ],
    [
      'has an unreadable table',
      (file: string) => changeRootPage(file, 'qrs', (page) => page.fill(0x5a)),
      /damaged and cannot be copied.*doctor/,
    ],
  ])('of a database that %s is rejected and leaves no file', async (_, damage, message) => {
    const folder = await folderOf('a@example.com');
    damage(databasePath(folder));
    const target = join(newFolder(), 'backup.db');
    expect(() => backUp(folder, target, { replace: false, nowMs: 0 })).toThrow(message);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });
});

/** Changes the first page of a table or an index, as a faulty disk does. */
function changeRootPage(path: string, name: string, damage: (page: Buffer) => void): void {
  const database = new Database(path);
  const found = database
    .query<{ root: number }, [string]>('SELECT rootpage AS root FROM sqlite_schema WHERE name = ?')
    .get(name);
  database.close();
  if (found === null) throw new Error(`there is no ${name}`);
  const bytes = readFileSync(path);
  damage(bytes.subarray((found.root - 1) * 4096, found.root * 4096));
  writeFileSync(path, bytes);
}
