import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../../src/core/errors.ts';
import { DatabaseUnusable } from '../../src/sqlite/database/errors.ts';
import { databasePath } from '../../src/sqlite/database/files.ts';
import { closeConnection, type Durability } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { write } from '../../src/sqlite/database/write.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

const options = { durability: 'power', busyTimeoutMs: 5 } as const;

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** The bytes of a database that Waymark made and closed in good order. */
function goodDatabase(): Buffer {
  const folder = newFolder();
  closeConnection(openStore(folder, options));
  return readFileSync(databasePath(folder));
}

/** A data folder whose database is these bytes. */
function folderWith(bytes: string | Uint8Array): string {
  const folder = newFolder();
  writeFileSync(databasePath(folder), bytes);
  return folder;
}

/** Opens what must be refused. @returns what the person is told */
function refusal(folder: string): string {
  const before = readFileSync(databasePath(folder));
  try {
    openStore(folder, options).$client.close();
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnusable);
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was opened');
}

describe('a new data folder', () => {
  test('is made for its owner alone, and so is everything in it', () => {
    const folder = join(newFolder(), 'deep', 'data');
    const umask = process.umask(0);
    try {
      const store = openStore(folder, options);
      expect(modeOf(folder)).toBe('700');
      for (const suffix of ['', '-wal', '-shm'])
        expect([suffix, modeOf(`${databasePath(folder)}${suffix}`)]).toEqual([suffix, '600']);
      store.$client.close();
    } finally {
      process.umask(umask);
    }
  });

  test('that cannot be made is refused', () => {
    const folder = join(folderWith('x'), 'waymark.db', 'data');
    expect(() => openStore(folder, options)).toThrow(/\(WAYMARK_DATA\) cannot be created/);
  });

  test('is left with nothing but the database when it is closed', () => {
    const folder = newFolder();
    closeConnection(openStore(folder, options));
    expect(existsSync(`${databasePath(folder)}-wal`)).toBe(false);
  });
});

describe('the connection', () => {
  test.each<[Durability, number]>([
    ['power', 2],
    ['process', 1],
  ])('durability %s is synchronous = %i, in a write-ahead log', (durability, synchronous) => {
    // Of a database that is there already: the one that makes it is left so by its migrations.
    const folder = folderWith(goodDatabase());
    const { $client } = openStore(folder, { durability, busyTimeoutMs: 123 });
    const pragma = (name: string) =>
      Object.values($client.query(`PRAGMA ${name}`).get() as Record<string, unknown>)[0];
    expect({
      journal: pragma('journal_mode'),
      synchronous: pragma('synchronous'),
      foreignKeys: pragma('foreign_keys'),
      busyTimeout: pragma('busy_timeout'),
      trustedSchema: pragma('trusted_schema'),
      journalBytes: pragma('journal_size_limit'),
    }).toEqual({
      journal: 'wal',
      synchronous,
      foreignKeys: 1,
      busyTimeout: 123,
      trustedSchema: 0,
      journalBytes: 67_108_864,
    });
    $client.close();
  });

  test('refuses a row that refers to nothing, and a parameter that is missing', () => {
    const { $client } = openIn(newFolder());
    const insert =
      'INSERT INTO former_destinations (qr_id, destination, until) VALUES ($qr, $to, 0)';
    expect(() => $client.query(insert).run({ qr: 1, to: 'https://example.com/' })).toThrow(
      /FOREIGN KEY/,
    );
    expect(() => $client.query(insert).run({ qr: 1 })).toThrow(/Missing parameter/);
  });
});

describe('a file that cannot be trusted is refused and left as it is', () => {
  test('an empty one, which SQLite would take for a new database', () => {
    expect(refusal(folderWith(''))).toContain('is empty');
    expect(refusal(folderWith('S'))).toContain('is empty');
  });

  test('a text', () => {
    expect(refusal(folderWith('Dear diary,\n'.repeat(1000)))).toContain(
      'damaged, or not an SQLite',
    );
  });

  test('a database that someone else made', () => {
    const folder = newFolder();
    const foreign = new Database(databasePath(folder));
    foreign.run('CREATE TABLE photos (id integer PRIMARY KEY)');
    foreign.close();
    expect(refusal(folder)).toContain('not one that Waymark made');
  });

  test.each([
    ['of another shape', 'CREATE TABLE migrations (id integer, migration text, batch integer)'],
    ['with other steps', "CREATE TABLE migrations AS SELECT '2014_10_12_000000_users' AS name"],
  ])('one that someone else made, with a table of migrations %s', (_, statement) => {
    const folder = newFolder();
    const foreign = new Database(databasePath(folder));
    foreign.run(statement);
    foreign.close();
    expect(refusal(folder)).toContain('not one that Waymark made');
  });

  test('one that a newer Waymark made', () => {
    const folder = folderWith(goodDatabase());
    const newer = new Database(databasePath(folder));
    newer.run("INSERT INTO migrations (name) VALUES ('9999_later')");
    newer.close();
    const message = refusal(folder);
    expect(message).toContain('newer Waymark');
    expect(message).toContain('9999_later');
  });

  test.each([2, 50, 100, 4095, 4096, 8192, 20_000])('one cut off after %i bytes', (bytes) => {
    const folder = folderWith(goodDatabase());
    truncateSync(databasePath(folder), bytes);
    expect(refusal(folder)).toContain('damaged, or not an SQLite');
  });

  test.each([
    ['the name of the format', 3],
    ['the size of a page', 16],
    ['the kind of the first page', 100],
    ['the cells of the schema', 103],
  ])('one with a flipped bit in %s', (_, at) => {
    const bytes = goodDatabase();
    bytes[at] = (bytes[at] ?? 0) ^ 0x40;
    expect(refusal(folderWith(bytes))).toContain('damaged, or not an SQLite');
  });

  // SQLite has no checksums, so most flips show only when their page is read.
  test('one with any flipped bit, unless it opens', () => {
    const good = goodDatabase();
    for (let at = 0; at < good.length; at += 1021) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const folder = folderWith(bytes);
      try {
        openStore(folder, options).$client.close();
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnusable);
        expect(readFileSync(databasePath(folder)).equals(bytes)).toBe(true);
      }
    }
  });
});

describe('a write that the database cannot take now', () => {
  test('waits for another connection to finish', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder);
    other.$client.run('BEGIN IMMEDIATE');
    let tries = 0;
    const written = write(() => {
      tries++;
      store.$client.run("INSERT INTO short_url_prefixes (prefix) VALUES ('http://a')");
    });
    expect(tries).toBe(1);
    other.$client.run('ROLLBACK');
    await written;
    expect(tries).toBe(2);
  });

  test('does not keep another connection from being opened', async () => {
    const folder = newFolder();
    openIn(folder).$client.run('BEGIN IMMEDIATE');
    expect(openIn(folder).$client.query('SELECT count(*) FROM qrs').values()).toEqual([[0]]);
  });

  test('is StoreUnavailable while another connection writes for long', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder);
    const insert = () =>
      write(() => store.$client.run("INSERT INTO short_url_prefixes (prefix) VALUES ('http://a')"));
    other.$client.run('BEGIN IMMEDIATE');
    const refused = await insert().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    other.$client.run('ROLLBACK');
    await insert();
  });

  // Asking holds up the thread that answers redirects.
  test('of many writes only the first asks again, and all are done in the end', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder);
    other.$client.run('BEGIN IMMEDIATE');
    let tries = 0;
    const written = Array.from({ length: 40 }, (_, nth) =>
      write(() => {
        tries++;
        store.$client
          .query('INSERT INTO short_url_prefixes (prefix) VALUES (?)')
          .run(`http://${nth}`);
      }),
    );
    expect(tries).toBe(1);
    other.$client.run('ROLLBACK');
    await Promise.all(written);
    expect(tries).toBe(41);
    expect(store.$client.query('SELECT count(*) FROM short_url_prefixes').values()).toEqual([[40]]);
  });

  test('and a fault of ours stays what it is', async () => {
    const store = openIn(newFolder());
    const fault = await write(() => store.$client.run('INSERT INTO nowhere VALUES (1)')).catch(
      (error: unknown) => error,
    );
    expect(String(fault)).toMatch(/no such table/);
  });

  test('a database that another program holds for itself is refused with what to check', () => {
    const folder = folderWith(goodDatabase());
    const blocker = new Database(databasePath(folder));
    blocker.run('PRAGMA locking_mode = EXCLUSIVE');
    blocker.run('BEGIN EXCLUSIVE');
    expect(() => openStore(folder, options)).toThrow(/cannot be written/);
    blocker.close();
  });
});
