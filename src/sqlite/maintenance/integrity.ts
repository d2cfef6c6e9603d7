import type { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { ownerlessEmail } from '../../core/accounts/account.ts';
import { hitCount } from '../../core/scans/hit-entries.ts';
import type { RowCounts } from '../../core/storage.ts';
import type { Connection } from '../../redirect/sqlite/connection.ts';
import {
  corruptDatabase,
  isCorruption,
  isDamage,
  sqliteMessage,
  withDatabaseErrors,
} from '../../redirect/sqlite/errors.ts';
import { databasePath, databaseSizes, hasWal } from '../../redirect/sqlite/files.ts';
import { openHitsForReading, rowsAfter } from '../../redirect/sqlite/hits-file.ts';
import { hasRows } from '../../sql/database/startup-queries.ts';
import { runQueries } from '../database/queries.ts';
import { readScanLog } from '../hits/scan-log.ts';

// A full check takes some seconds for a million codes. The app serves afterwards; redirects do not wait.
const fullCheckBytes = 64 * 1024 * 1024;

/** `full` also compares every index with its table, which takes seconds for a million codes. */
type CheckDepth = 'full' | 'quick';

/**
 * Checks the integrity of a data folder's database before a server writes to it.
 * SQLite has no checksums, so a changed character in a text is not found.
 *
 * @param connection read-only; a writing one would merge the write-ahead log when it closes
 * @throws DatabaseCorrupt; the database and its log are unchanged then
 */
export function rejectCorrupt(dataFolder: string, connection: Connection): void {
  const { databaseBytes } = databaseSizes(dataFolder);
  const depth = databaseBytes > fullCheckBytes ? 'quick' : 'full';
  const error = findIntegrityError(dataFolder, connection, depth);
  if (error !== null) throw corruptDatabase(databasePath(dataFolder), error);
}

/**
 * Returns the first integrity error of a data folder's database, or null.
 *
 * @throws DatabaseUnusable when it is too damaged to be checked
 */
export function findIntegrityError(
  dataFolder: string,
  { $client }: Connection,
  depth: CheckDepth,
): string | null {
  const path = databasePath(dataFolder);
  return withDatabaseErrors(path, 'read', () => {
    // The page whose write was interrupted may still be in the write-ahead log.
    if (!hasWal(path) && isTruncated(path, $client)) return 'it ends in the middle of a page';
    return integrityError($client, depth);
  });
}

/** Returns the first integrity error of a data folder's log of hits, or null. */
export function findHitsError(dataFolder: string): string | null {
  try {
    const hits = openHitsForReading(dataFolder);
    if (hits === null) return null;
    try {
      const error = pageError(hits.database, 'full');
      if (error !== null) return error;
      return rowsAfter(hits, 0).some(isDamagedRow) ? 'a row cannot be read' : null;
    } finally {
      hits.database.close();
    }
  } catch (error) {
    if (!isCorruption(error) && !isDamage(error)) throw error;
    return sqliteMessage(error);
  }
}

/** Returns whether a file ends in the middle of a page, of which SQLite reads the rest as zeros. */
export function isTruncated(path: string, database: Database): boolean {
  const row = database.query<{ page_size: number }, []>('PRAGMA page_size').get();
  return statSync(path).size % (row?.page_size ?? 1) !== 0;
}

/** Returns the first integrity error of an open database, or null. */
export function integrityError(database: Database, depth: CheckDepth = 'full'): string | null {
  const error = pageError(database, depth);
  if (error !== null || !runQueries(database, hasRows('sqlite_schema'))) return error;
  return readScanLog(database).some(isDamagedRow) ? 'a row of scan_log cannot be read' : null;
}

/** Returns the first error of the pages and the references of a database, or null. */
function pageError(database: Database, depth: CheckDepth): string | null {
  const check = depth === 'full' ? 'integrity_check' : 'quick_check';
  const pages = database.query<Record<string, string>, []>(`PRAGMA ${check}(1)`).get() ?? {};
  return Object.values(pages).find((result) => result !== 'ok') ?? referenceError(database);
}

/** Returns the first row that refers to a missing one, or null. */
export function referenceError(database: Database): string | null {
  const reference = database
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .get();
  return reference === null
    ? null
    : `a row of ${reference.table} refers to a missing row of ${reference.parent}`;
}

const isDamagedRow = ({ entries }: { entries: unknown }) => entries === null;

/**
 * Counts rows and hits in one transaction. Takes a second for a few million codes.
 * The row that owns the codes of deleted accounts is not counted as an account.
 */
export function countRows(database: Database): RowCounts {
  const number = (sql: string, ...values: string[]) =>
    database.query<{ value: number | null }, string[]>(sql).get(...values)?.value ?? 0;
  return database.transaction(() => {
    let hits = number('SELECT sum(scans) AS value FROM scan_counters');
    hits += number('SELECT sum(hits) AS value FROM uncounted_hits');
    for (const { entries } of readScanLog(database)) hits += hitCount(entries ?? []);
    return {
      accounts: number('SELECT count(*) AS value FROM accounts WHERE email <> ?', ownerlessEmail),
      designs: number('SELECT count(*) AS value FROM designs'),
      qrs: number('SELECT count(*) AS value FROM qrs'),
      hits,
    };
  })();
}
