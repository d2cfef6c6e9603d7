import { Database } from 'bun:sqlite';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnusable } from '../../core/errors.ts';
import type { ListedHash, ThreatList, ThreatListStore } from '../../core/safety/threat-lists.ts';
import { matchOwner } from '../../lib/atomic-write.ts';
import { isCorruption, sqliteMessage, toAccessError } from '../database/errors.ts';
import { fileIdentity } from '../database/files.ts';

/** Threat lists in an SQLite file, which stays open after the first read. */
export interface SqliteThreatLists extends ThreatListStore {
  close(): void;
}

const schema = `
  CREATE TABLE IF NOT EXISTS lists (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL UNIQUE,
    list TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS entries (
    list_id INTEGER NOT NULL REFERENCES lists (id),
    hash BLOB NOT NULL,
    PRIMARY KEY (list_id, hash)
  ) STRICT, WITHOUT ROWID`;

// An import waits for another one. Reads never wait, and a server only reads.
const busyTimeoutMs = 10_000;

/**
 * Opens the threat lists of a data folder. They are in a file of their own, so that an import of a
 * million entries does not lock the main database.
 *
 * The first import creates the file. It is opened at the first read, and again after an error or when
 * it was replaced.
 */
export function createThreatListStore(dataFolder: string): SqliteThreatLists {
  const path = join(dataFolder, 'lists.db');
  let reader: { readonly database: Database; readonly file: string } | null = null;

  const close = () => {
    reader?.database.close();
    reader = null;
  };

  /** Runs a read. Without a file there are no lists. */
  const read = <T>(run: (database: Database) => T[]): T[] => {
    try {
      const file = fileIdentity(path);
      if (file !== reader?.file) close();
      if (file === null) return [];
      reader ??= { database: openLists(path), file };
      return run(reader.database);
    } catch (error) {
      close();
      throw toListsError(error, path);
    }
  };

  /** Runs a change on a connection of its own; creates the file. */
  const change = async <T>(run: (database: Database) => Promise<T>): Promise<T> => {
    try {
      const database = openLists(path);
      try {
        matchOwner(dataFolder, path);
        const result = await run(database);
        // A server keeps the file open, so closing would not shorten the write-ahead log.
        database.run('PRAGMA wal_checkpoint(TRUNCATE)');
        return result;
      } finally {
        database.close();
      }
    } catch (error) {
      throw toListsError(error, path);
    }
  };

  return {
    all: async () =>
      read((database) =>
        database.query<Row, []>('SELECT list FROM lists ORDER BY source').all().map(toList),
      ),
    find: async (hashes) => {
      if (hashes.length === 0) return [];
      const hex = JSON.stringify(hashes.map((hash) => hash.toHex()));
      return read((database) => database.query<ListedHash, [string]>(selectListed).all(hex));
    },
    replace: (list, batches) =>
      change(async (database) => {
        await collect(database, batches);
        return database.transaction(() => replaceList(database, list)).immediate();
      }),
    remove: async (source) =>
      fileIdentity(path) !== null &&
      change(async (database) =>
        database.transaction(() => removeList(database, source)).immediate(),
      ),
    close,
  };
}

// CROSS JOIN fixes the order of the tables, so that each hash is looked up once in each list.
const selectListed = `
  SELECT source, list ->> 'importedAtMs' AS importedAtMs, asked.key AS "index"
  FROM json_each(?) AS asked CROSS JOIN lists CROSS JOIN entries
  ON list_id = lists.id AND hash = unhex(asked.value)
  ORDER BY asked.key, source`;

interface Row {
  /** The list without its entries, in JSON. */
  readonly list: string;
}

function toList({ list }: Row): ThreatList {
  // Only replaceList writes the column.
  return JSON.parse(list) as ThreatList;
}

/** Collects hashes in a temporary table, so that SQLite can sort them. */
async function collect(
  database: Database,
  batches: AsyncIterable<readonly Uint8Array[]>,
): Promise<void> {
  database.run('PRAGMA temp_store = MEMORY');
  database.run('CREATE TEMP TABLE collected (hash BLOB NOT NULL)');
  const insert = database.query('INSERT INTO collected VALUES (?)');
  for await (const batch of batches)
    database.transaction(() => {
      for (const hash of batch) insert.run(hash);
    })();
}

/** Replaces a list by the collected hashes, inside a transaction. */
function replaceList(database: Database, list: Omit<ThreatList, 'entries'>): number {
  const { source } = list;
  removeList(database, source);
  const insertList = database.query('INSERT INTO lists (source, list) VALUES (?, ?)');
  const { lastInsertRowid: id } = insertList.run(source, '{}');
  // In order, so that each page is written once.
  const { changes: entries } = database
    .query('INSERT OR IGNORE INTO entries SELECT ?, hash FROM collected ORDER BY hash')
    .run(id);
  const stored: ThreatList = { ...list, entries };
  database.query('UPDATE lists SET list = ? WHERE id = ?').run(JSON.stringify(stored), id);
  return entries;
}

function removeList(database: Database, source: string): boolean {
  database
    .query('DELETE FROM entries WHERE list_id = (SELECT id FROM lists WHERE source = ?)')
    .run(source);
  return database.query('DELETE FROM lists WHERE source = ?').run(source).changes > 0;
}

function openLists(path: string): Database {
  const database = new Database(path, { create: true, readwrite: true, strict: true });
  try {
    database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    // SQLite creates the files beside the database with its permissions.
    chmodSync(path, 0o600);
    database.run('PRAGMA journal_mode = WAL');
    database.run(schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function toListsError(error: unknown, path: string): unknown {
  if (!isCorruption(error)) return toAccessError(error, path, 'written');
  return new DatabaseUnusable(
    `${path} is damaged (${sqliteMessage(error)}). Delete it, and import the lists again with "waymark safety update" or ` +
      '"waymark safety import".',
  );
}
