import { constants, Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { DatabaseUnusable } from '../../core/errors.ts';
import { isBusy, isDiskFull, withDatabaseErrors } from './errors.ts';
import {
  databasePath,
  hasDatabase,
  hasWal,
  readOnlyProblem,
  rejectEmptyDatabase,
} from './files.ts';
import { readSchemaVersion } from './schema-version.ts';

/** An open database without drizzle, which a server start does not load. */
export interface Connection {
  readonly $client: Database;
}

/** What a confirmed write survives: a power cut, or only a crash of the process. */
export type Durability = 'power' | 'process';

// A checkpoint blocks redirects. With SQLite's default of 1000 pages it would take 4 ms.
const pagesPerCheckpoint = 250;

// A reader waits only while another process recovers the write-ahead log.
const readBusyTimeoutMs = 10_000;

/** How long a write is retried while another process writes, in milliseconds. */
export const retryLimitMs = 3000;
/** Delay between attempts in milliseconds. Each blocks the thread for the busy timeout. */
export const retryDelayMs = 50;

/** Sets the options of a connection that writes into a database with a write-ahead log. */
export function setWriteOptions(client: Database, durability: Durability): void {
  client.run(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
  client.run('PRAGMA trusted_schema = OFF');
  client.run(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`);
  client.run(`PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}`);
}

/**
 * Opens the database of a data folder read-only, also beside a running server. Does not migrate it.
 *
 * @throws DatabaseUnusable when it is missing, damaged, of a later version or not Waymark's
 */
export function openForReading(dataFolder: string): Connection {
  const path = databasePath(dataFolder);
  rejectMissing(dataFolder);
  rejectEmptyDatabase(path);
  return withDatabaseErrors(path, 'read', () => {
    rollBackJournal(path);
    const client = openReadOnly(dataFolder, path);
    return closingOnError(client, () => {
      readSchemaVersion(client);
      return { $client: client };
    });
  });
}

/** Opens a database file of a data folder read-only, also beside a process that writes it. */
export function openReadOnly(dataFolder: string, path: string): Database {
  if (isUnused(dataFolder, path)) return prepareForReading(openImmutable(path));
  try {
    return prepareForReading(new Database(path, { readonly: true, strict: true }));
  } catch (error) {
    // There is no room for the shared memory, so nobody else has the database open, except alone.
    if (!isDiskFull(error)) throw error;
    try {
      return prepareForReading(hasWal(path) ? openAlone(path) : openImmutable(path));
    } catch (other) {
      throw isBusy(other) ? error : other;
    }
  }
}

/** @throws DatabaseUnusable when there is no database */
export function rejectMissing(dataFolder: string): void {
  if (hasDatabase(dataFolder)) return;
  throw new DatabaseUnusable(
    `There is no database in ${dataFolder}. Name the data folder with --data or WAYMARK_DATA; ` +
      '"waymark serve" or "waymark account create" creates a new one.',
  );
}

function prepareForReading(client: Database): Database {
  return closingOnError(client, () => {
    client.run(`PRAGMA busy_timeout = ${readBusyTimeoutMs}`);
    client.run('PRAGMA trusted_schema = OFF');
    // Reads the file, which opening does not.
    client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get();
    return client;
  });
}

/** Returns whether this process may not write a database file, and no process has it open. */
function isUnused(dataFolder: string, path: string): boolean {
  return readOnlyProblem(dataFolder) !== null && !hasWal(path) && !existsSync(`${path}-shm`);
}

const immutable = '?immutable=1';

/** Opens a database without the shared-memory file that SQLite creates for readers otherwise. */
export function openImmutable(path: string): Database {
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Database(
    Bun.pathToFileURL(path).href + immutable,
    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
  );
}

/**
 * Opens a database whose write-ahead log has content, without shared memory.
 * Its index is in memory, and a lock keeps everybody else out (SQLite, "Use of WAL without shared memory").
 */
function openAlone(path: string): Database {
  const client = new Database(path, { readwrite: true, strict: true });
  client.run('PRAGMA locking_mode = EXCLUSIVE');
  client.run('PRAGMA query_only = ON');
  return client;
}

/**
 * Returns whether a connection that reads sees the changes of others.
 * Not where it keeps them out, or is immutable.
 */
export function isShared({ $client }: Connection): boolean {
  const [mode] = $client.query('PRAGMA locking_mode').values()[0] ?? [];
  return mode !== 'exclusive' && !$client.filename.endsWith(immutable);
}

/**
 * Rolls back a write that was interrupted while the database had no write-ahead log.
 * At the first start or in a restore. A read-only connection cannot do that, and fails.
 */
function rollBackJournal(path: string): void {
  if (!existsSync(`${path}-journal`)) return;
  const client = new Database(path, { readwrite: true, strict: true });
  closingOnError(client, () => {
    client.run(`PRAGMA busy_timeout = ${readBusyTimeoutMs}`);
    client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  });
  client.close();
}

/** Runs an operation on a database, which is closed if it fails. */
export function closingOnError<T>(client: Database, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    client.close();
    throw error;
  }
}
