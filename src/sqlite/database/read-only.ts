import { Database } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { UnreadableRow } from '../scans/batch.ts';
import { DatabaseUnusable, damaged, missingSteps } from './migrate.ts';
import { type Connection, databasePath, hasDatabase, refuseEmptyFile } from './open.ts';

// Readers do not wait for writers; this is for the moment in which another process recovers a log.
const busyTimeoutMs = 10_000;

/**
 * Opens the database of a data folder to look at it: beside a running server, and without bringing
 * its schema up to date, so that a new program can look at what an older one serves.
 *
 * @throws DatabaseUnusable when there is none, or when it is damaged, newer or not Waymark's
 */
export function openForReading(dataFolder: string): Connection {
  const path = databasePath(dataFolder);
  if (!hasDatabase(dataFolder))
    throw new DatabaseUnusable(
      `There is no database in ${dataFolder}. Name the data folder with --data or WAYMARK_DATA; a new ` +
        'one is made by "waymark serve" or "waymark account create".',
    );
  refuseEmptyFile(path);
  return explaining(path, () => {
    rollBackWhatWasCutOff(path);
    const client = new Database(path, { readonly: true, strict: true });
    try {
      client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
      client.run('PRAGMA trusted_schema = OFF');
      missingSteps(client);
    } catch (error) {
      client.close();
      throw error;
    }
    return { $client: client };
  });
}

/**
 * Undoes a write that a kill or a power cut ended while there was no write-ahead log: at the very first start, and
 * while a restore puts a log aside or the start after it begins one. A connection that may only read cannot, and
 * would not open a database to which nothing has happened.
 */
function rollBackWhatWasCutOff(path: string): void {
  if (!existsSync(`${path}-journal`)) return;
  const client = new Database(path, { readwrite: true, strict: true });
  try {
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  } finally {
    client.close();
  }
}

/**
 * Runs what reads a database file.
 *
 * @throws DatabaseUnusable in place of what SQLite says of a damaged or unreadable file
 */
export function explaining<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const code = codeOf(error);
    // SQLITE_ERROR is a file format from the future, or a table or column that is gone: all statements
    // are ours, so the fault is in the file.
    if (/^SQLITE_(CORRUPT|NOTADB|ERROR$)/.test(code) || error instanceof UnreadableRow)
      throw damaged(path, causeOf(error));
    if (/^SQLITE_(CANTOPEN|IOERR|PERM|AUTH|BUSY|READONLY)/.test(code))
      throw new DatabaseUnusable(
        `${path} cannot be read (${causeOf(error)}). Check its owner, its permissions and the free space. ` +
          'From a read-only file system, copy the whole folder to another one first.',
      );
    throw error;
  }
}

/** SQLite's own name for what went wrong, such as `SQLITE_BUSY`, or nothing. */
export function codeOf(error: unknown): string {
  // drizzle wraps what the driver throws.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

/** What SQLite said, without drizzle's words and the statement around it. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
