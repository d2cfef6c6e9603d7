import { Database } from 'bun:sqlite';
import { describe, expect, jest, spyOn, test } from 'bun:test';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, DatabaseUnusable, StoreUnavailable } from '../../src/core/errors.ts';
import { retryLimitMs } from '../../src/redirect/sqlite/connection.ts';
import { databasePath } from '../../src/redirect/sqlite/files.ts';
import { isLocked, lockFolder } from '../../src/redirect/sqlite/lock.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { closeConnection } from '../../src/sqlite/database/open.ts';
import { createWriteTransaction, write } from '../../src/sqlite/database/write.ts';
import { createFolders } from './folder.ts';

const { newFolder, openIn } = createFolders();

const options = { durability: 'power', busyTimeoutMs: 5 } as const;

/** The bytes of a new, closed database. */
const goodDatabase = (() => {
  const folder = newFolder();
  closeConnection(openWithDrizzle(folder, options));
  return readFileSync(databasePath(folder));
})();

/** A data folder whose database is these bytes. */
function folderWith(bytes: string | Uint8Array): string {
  const folder = newFolder();
  writeFileSync(databasePath(folder), bytes);
  return folder;
}

/** Opens a database that must be rejected, and returns the message. */
function rejection(folder: string): string {
  const before = readFileSync(databasePath(folder));
  try {
    openWithDrizzle(folder, options).$client.close();
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnusable);
    expect(readFileSync(databasePath(folder)).equals(before)).toBe(true);
    return error instanceof Error ? error.message : '';
  }
  throw new Error('it was opened');
}

test('a connection checks foreign keys and missing parameters', () => {
  const { $client } = openIn(newFolder());
  const insert = $client.query(
    'INSERT INTO former_destinations (qr_id, destination, until) VALUES ($qr, $to, 0)',
  );
  expect(() => insert.run({ qr: 1, to: 'https://example.com/' })).toThrow(/FOREIGN KEY/);
  expect(() => insert.run({ qr: 1 })).toThrow(/Missing parameter/);
});

describe('a file that is rejected and left unchanged', () => {
  test('a database of another program', () => {
    const folder = newFolder();
    const foreign = new Database(databasePath(folder));
    foreign.run('CREATE TABLE photos (id integer PRIMARY KEY)');
    foreign.close();
    expect(rejection(folder)).toContain('not one that this version of Waymark can read');
  });

  test.each([2, 4096, goodDatabase.length - 4096])('one truncated to %i bytes', (bytes) => {
    const folder = folderWith(goodDatabase);
    truncateSync(databasePath(folder), bytes);
    expect(rejection(folder)).toContain('damaged, or not an SQLite');
  });

  // SQLite has no checksums, so most flips show only when their page is read.
  test('one with any flipped bit that does not open', () => {
    for (let at = 0; at < goodDatabase.length; at += 2039) {
      const bytes = Buffer.from(goodDatabase);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      const folder = folderWith(bytes);
      try {
        openWithDrizzle(folder, options).$client.close();
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnusable);
        expect(readFileSync(databasePath(folder)).equals(bytes)).toBe(true);
      }
    }
  });
});

describe('while another connection writes', () => {
  /** A store whose database another connection has locked. */
  function locked() {
    const folder = newFolder();
    const { $client } = openIn(folder);
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    let tries = 0;
    const insert = (prefix: string) =>
      write(() => {
        tries++;
        $client.query('INSERT INTO short_url_prefixes (prefix) VALUES (?)').run(prefix);
      });
    return {
      folder,
      insert,
      tries: () => tries,
      unlock: () => other.run('ROLLBACK'),
      rows: () => $client.query('SELECT count(*) FROM short_url_prefixes').values(),
    };
  }

  test('writes wait, and only the first is retried', async () => {
    const { insert, tries, unlock, rows } = locked();
    const written = Array.from({ length: 40 }, (_, nth) => insert(`http://${nth}`));
    await new Promise((resolve) => setImmediate(resolve));
    expect(tries()).toBe(1);
    unlock();
    await Promise.all(written);
    expect(tries()).toBe(41);
    expect(rows()).toEqual([[40]]);
  });

  test('a write is unavailable after a second, and succeeds later', async () => {
    const { insert, unlock } = locked();
    await expect(insert('http://a')).rejects.toBeInstanceOf(StoreUnavailable);
    unlock();
    await insert('http://a');
  });

  test('a write that waited for a slow one, not for another process, is tried', async () => {
    jest.useFakeTimers();
    try {
      const slow = write(() => {
        jest.advanceTimersByTime(2 * retryLimitMs);
      });
      const waiting = write(() => 'done');
      await slow;
      expect(await waiting).toBe('done');
    } finally {
      jest.useRealTimers();
    }
  });

  test('another connection can be opened', () => {
    const { folder } = locked();
    expect(openIn(folder).$client.query('SELECT count(*) FROM qrs').values()).toEqual([[0]]);
  });

  test('an error of a statement is thrown unchanged', async () => {
    const store = openIn(newFolder());
    await expect(write(() => store.$client.run('INSERT INTO nowhere VALUES (1)'))).rejects.toThrow(
      /no such table/,
    );
  });

  test('with an exclusive lock, opening is rejected', () => {
    const folder = folderWith(goodDatabase);
    const blocker = new Database(databasePath(folder));
    blocker.run('PRAGMA locking_mode = EXCLUSIVE');
    blocker.run('BEGIN EXCLUSIVE');
    expect(() => openWithDrizzle(folder, options)).toThrow(/cannot be written/);
    blocker.close();
  });
});

describe('transactions of one turn of the event loop', () => {
  /** A store, and a second connection that sees what is committed. */
  function opened() {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder).$client;
    const add = (prefix: string) => () =>
      store.$client.query('INSERT INTO short_url_prefixes (prefix) VALUES (?)').run(prefix);
    const prefixes = () =>
      other
        .query<{ prefix: string }, []>('SELECT prefix FROM short_url_prefixes ORDER BY prefix')
        .all()
        .map(({ prefix }) => prefix);
    return { ...store, other, transaction: createWriteTransaction(store), add, prefixes };
  }

  test('are one commit, in their order', async () => {
    const { transaction, add, prefixes } = opened();
    // The time stands still, since a group is committed after some milliseconds.
    using _clock = spyOn(performance, 'now').mockReturnValue(performance.now());
    let seen: readonly (readonly string[])[] = [];
    const see = () => {
      seen = [...seen, prefixes()];
    };
    await Promise.all(
      ['a', 'b', 'c'].map((prefix) =>
        transaction(() => {
          see();
          add(prefix)();
        }),
      ),
    );
    expect(seen).toEqual([[], [], []]);
    expect(prefixes()).toEqual(['a', 'b', 'c']);
  });

  test('fail each for itself, and leave nothing of what failed', async () => {
    const { transaction, add, prefixes } = opened();
    const results = await Promise.allSettled([
      transaction(() => {
        add('a')();
        return 'first';
      }),
      transaction(() => {
        add('b')();
        throw new Error('refused');
      }),
      transaction(() => {
        add('c')();
        add('a')();
      }),
      transaction(() => add('d')().changes),
    ]);
    expect(
      results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ).toEqual(['first', 'failed', 'failed', 1]);
    expect(String(results[1]?.status === 'rejected' && results[1].reason)).toContain('refused');
    expect(prefixes()).toEqual(['a', 'd']);
  });

  test('say that an account is deleted only where it is', async () => {
    const { $client, transaction, add, prefixes } = opened();
    const orphan = () => $client.run('INSERT INTO recheck_queue (qr_id) VALUES (9)');
    const [orphaned, added] = await Promise.allSettled([
      transaction(orphan),
      transaction(add('a')),
    ]);
    expect(orphaned.status === 'rejected' && orphaned.reason).toBeInstanceOf(ApiError);
    expect(added.status).toBe('fulfilled');
    expect(prefixes()).toEqual(['a']);
  });

  test('are all unavailable where they cannot be committed, and none is kept', async () => {
    const { $client, transaction, add, prefixes } = opened();
    $client.run('PRAGMA max_page_count = 1');
    const text = 'x'.repeat(200_000);
    const results = await Promise.allSettled([
      transaction(add(`${text}a`)),
      transaction(add(`${text}b`)),
    ]);
    for (const result of results)
      expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StoreUnavailable);
    expect(prefixes()).toEqual([]);
  });

  test('are continued in the next turn after some milliseconds', async () => {
    const { transaction, add, prefixes } = opened();
    let turns = 0;
    const count = () => {
      turns++;
      if (turns < 1000) setImmediate(count);
    };
    const begun: number[] = [];
    const slow = (prefix: string) => () => {
      begun.push(turns);
      add(prefix)();
      const endMs = performance.now() + 6;
      while (performance.now() < endMs);
    };
    const written = ['a', 'b', 'c'].map((prefix) => transaction(slow(prefix)));
    setImmediate(count);
    await Promise.all(written);
    expect(new Set(begun).size).toBe(3);
    expect(prefixes()).toEqual(['a', 'b', 'c']);
  });
});

// test/faults/two-servers.test.ts has servers that lock a folder, and one that is killed.
test('the lock of a data folder can be checked without creating it', () => {
  const folder = newFolder();
  expect(isLocked(folder)).toBe(false);
  expect(existsSync(join(folder, 'server.lock'))).toBe(false);
  const unlock = lockFolder(folder);
  expect(isLocked(folder)).toBe(true);
  unlock();
  expect(isLocked(folder)).toBe(false);
  lockFolder(folder)();
});

test('a lock that cannot be opened gives the reason', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'server.lock'), 'not a lock at all\n'.repeat(100));
  expect(() => lockFolder(folder)).toThrow(DatabaseUnusable);
  for (const use of [lockFolder, isLocked])
    expect(() => use(folder)).toThrow(/^(?!.*already running).*not a database/);
});
