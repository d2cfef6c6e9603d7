import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseUnusable } from '../../core/errors.ts';
import { decodeHits, encodeHits } from '../../core/scans/hit-entries.ts';
import { linkOrCopy, matchOwner, renameIntoPlace, syncFolder } from '../../lib/files/durable.ts';
import type { Logger } from '../../lib/logger.ts';
import {
  closingOnError,
  type Durability,
  openImmutable,
  openReadOnly,
  setWriteOptions,
} from './connection.ts';
import { readableRows } from './damage.ts';
import { isCorruption, isDamage, sqliteMessage } from './errors.ts';
import {
  databasePath,
  hasDatabase,
  hasWal,
  hitsPath,
  removeDatabase,
  sideFileSuffixes,
} from './files.ts';
import { readSchemaVersion } from './schema-version.ts';

/**
 * The log of hits, a database file of its own beside `waymark.db`: one row per event-loop tick.
 * Its only writer is the process that answers redirects, so that no other write holds them up. The process that writes
 * `waymark.db` adds the rows to the counters, and records there in the same transaction which row was the last.
 */
export interface HitsFile {
  readonly database: Database;
  /** Random number of this file, by which `hit_progress` names it. */
  readonly log: number;
}

/**
 * Opens the log of hits of a data folder for writing. Creates it if it is missing.
 *
 * @throws SQLiteError, among others when the file is damaged
 */
export function openHits(dataFolder: string, durability: Durability): HitsFile {
  const path = hitsPath(dataFolder);
  if (!existsSync(path)) createHits(dataFolder);
  const database = new Database(path, { readwrite: true, strict: true });
  return closingOnError(database, () => {
    setWriteOptions(database, durability);
    return { database, log: readLogNumber(database) };
  });
}

/** Opens the log of hits of a data folder read-only. Returns null if there is none. */
export function openHitsForReading(dataFolder: string): HitsFile | null {
  const path = hitsPath(dataFolder);
  try {
    if (!existsSync(path)) return null;
    const database = openReadOnly(dataFolder, path);
    return closingOnError(database, () => ({ database, log: readLogNumber(database) }));
  } catch (error) {
    // A server that has ended has removed it meanwhile.
    if (!existsSync(path)) return null;
    throw error;
  }
}

/**
 * Opens the log of hits as {@link openHitsForReading} does.
 * Returns null for a damaged one as well, which the next server puts aside.
 */
export function openHitsOrNull(dataFolder: string): HitsFile | null {
  return orNullIfDamaged(() => openHitsForReading(dataFolder));
}

/** Returns null where damage is the reason of a failure. */
export function orNullIfDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!isCorruption(error) && !isDamage(error)) throw error;
    return null;
  }
}

/** Returns the number of a log, which `PRAGMA user_version` has. */
function readLogNumber(database: Database): number {
  // Fails if the file is no log of hits. Reads no row, which may be damaged.
  database.prepare('SELECT id, hits FROM hits').finalize();
  return (
    database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0
  );
}

/** Creates a log of hits, which gets its name once it is complete. */
function createHits(dataFolder: string): void {
  const path = hitsPath(dataFolder);
  const temporary = `${path}.new`;
  removeDatabase(temporary);
  closeSync(openSync(temporary, 'wx', 0o600));
  const database = new Database(temporary, { readwrite: true, strict: true });
  try {
    database.run('CREATE TABLE hits (id integer PRIMARY KEY NOT NULL, hits blob NOT NULL)');
    const [log = 0] = crypto.getRandomValues(new Uint32Array(1));
    database.run(`PRAGMA user_version = ${(log >>> 1) + 1}`);
    database.run('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
  // SQLite would apply them to the new file.
  for (const suffix of sideFileSuffixes) rmSync(path + suffix, { force: true });
  matchOwner(dataFolder, temporary);
  renameIntoPlace(temporary, path);
}

/** A row of a log. */
export interface HitsRow {
  readonly id: number;
  /** Null if it is damaged. */
  readonly entries: Float64Array | null;
}

const rowsPerRead = 5000;

/** Reads the rows after one, oldest first. Leaves out what damage makes unreadable. */
export function* rowsAfter({ database }: HitsFile, after: number): Generator<HitsRow> {
  const select = database.query<{ id: number; hits: unknown }, [number]>(
    `SELECT id, hits FROM hits WHERE id > ? ORDER BY id LIMIT ${rowsPerRead}`,
  );
  let last = after;
  try {
    let rows: { id: number; hits: unknown }[];
    do {
      rows = select.all(last);
      for (const { id, hits } of rows) {
        last = id;
        yield { id, entries: decodeHits(hits) };
      }
    } while (rows.length === rowsPerRead);
    return;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const rest = readableRows<{ hits: unknown }>(database, 'hits', 'hits', { first: last + 1 });
  for (const { rowid, hits } of rest) yield { id: rowid, entries: decodeHits(hits) };
}

/** Returns the last row of a log that is in the counters of a database of any schema; 0 if none is. */
export function foldedRow(database: Database, log: number): number {
  // An earlier schema lacks the table.
  const row = orNullIfDamaged(() =>
    database
      .query<{ folded: number }, [number]>('SELECT folded FROM hit_progress WHERE log = ?')
      .get(log),
  );
  return row?.folded ?? 0;
}

/**
 * Returns whether all rows of a log are in the counters of the data folder's database.
 * Leaves no files beside it, so that it can be asked once the server of the database has ended.
 */
export function isFolded(dataFolder: string, file: HitsFile): boolean {
  const path = databasePath(dataFolder);
  try {
    const database = hasWal(path) ? openReadOnly(dataFolder, path) : openImmutable(path);
    try {
      return foldedRow(database, file.log) >= lastRow(file);
    } finally {
      database.close();
    }
  } catch {
    // The log stays, and the next start adds it.
    return false;
  }
}

/**
 * Records in a database of any schema that the rows of a log are in its counters, or shall never be.
 * Logs that are gone stay recorded, because somebody may copy one back. To be called in a transaction.
 */
export function recordFolded(database: Database, log: number, folded: number): void {
  database.run(
    'CREATE TABLE IF NOT EXISTS hit_progress (log integer PRIMARY KEY NOT NULL, folded integer NOT NULL)',
  );
  database
    .query(
      `INSERT INTO hit_progress (log, folded) VALUES (?1, ?2)
         ON CONFLICT (log) DO UPDATE SET folded = max(folded, ?2)`,
    )
    .run(log, folded);
}

/**
 * Adds the rows of a log after one to `scan_log` of a database.
 * Its schema may be any. Records that in the same transaction.
 */
export function addToScanLog(database: Database, file: HitsFile, after: number): void {
  const insert = database.query('INSERT INTO scan_log (hits) VALUES (?)');
  database
    .transaction(() => {
      for (const { entries } of rowsAfter(file, after))
        if (entries !== null) insert.run(encodeHits(entries));
      recordFolded(database, file.log, lastRow(file));
    })
    .immediate();
}

/** Returns the last row of a log; 0 if it has none. */
export function lastRow({ database }: HitsFile): number {
  return database.query<{ id: number | null }, []>('SELECT max(id) AS id FROM hits').get()?.id ?? 0;
}

/**
 * Opens the log of hits as {@link openHits} does.
 * A damaged one is put aside under a dated name, and a new one begins: hits in it that are not in the counters are lost.
 */
export function openOrReplaceHits(
  dataFolder: string,
  durability: Durability,
  log: Logger,
): HitsFile {
  try {
    return openHits(dataFolder, durability);
  } catch (error) {
    if (!isCorruption(error) && !isDamage(error)) throw error;
    putDamagedHitsAside(dataFolder, error, log);
    return openHits(dataFolder, durability);
  }
}

/** Puts a damaged log of hits, which nothing may have open, aside, and says so. */
export function putDamagedHitsAside(dataFolder: string, error: unknown, log: Logger): void {
  const kept = keepHits(dataFolder, 'damaged', Date.now());
  removeHits(dataFolder);
  log.error('the file of scans that wait to be counted was damaged: those in it are not counted', {
    cause: sqliteMessage(error),
    kept,
  });
}

/** Keeps the log of hits, which nothing may have open, under a dated name as well. Returns that. */
export function keepHits(dataFolder: string, why: 'damaged' | 'replaced', nowMs: number): string {
  const path = hitsPath(dataFolder);
  const stamp = new Date(nowMs).toISOString().replaceAll(':', '-');
  const kept = path.replace(/\.db$/, `-${why}-${stamp}.db`);
  for (const suffix of hasWal(path) ? ['', '-wal'] : ['']) linkOrCopy(path + suffix, kept + suffix);
  syncFolder(dataFolder);
  return basename(kept);
}

/** Removes a log of hits that nothing needs any more. */
export function removeHits(dataFolder: string): void {
  const path = hitsPath(dataFolder);
  // First: SQLite would apply what is left of them to the next file of the name.
  for (const suffix of [...sideFileSuffixes, '']) rmSync(path + suffix, { force: true });
}

/**
 * Rejects a log of hits without its database: they would be counted for other codes.
 *
 * @throws DatabaseUnusable
 */
export function rejectOrphanedHits(dataFolder: string): void {
  if (hasDatabase(dataFolder)) return;
  const hits = openHitsOrNull(dataFolder);
  if (hits === null) return;
  const last = lastRow(hits);
  hits.database.close();
  // A redirect server that has just created it.
  if (last === 0) return;
  throw new DatabaseUnusable(
    `${databasePath(dataFolder)} is missing, but ${hitsPath(dataFolder)} has the latest scans of its codes. Put the ` +
      'database back, restore a backup ("waymark restore"), or delete the files whose names begin with hits.db if ' +
      'this is meant to be a new installation.',
  );
}

/**
 * Moves the hits that are not in the counters back into the database.
 * Where an upgrade is refused, the version before keeps running, and it may not know of the log. To be called while nothing
 * else has the files open.
 */
export function returnHits(dataFolder: string): void {
  if (!hasDatabase(dataFolder) || !existsSync(hitsPath(dataFolder))) return;
  addPendingHits(dataFolder);
  removeHits(dataFolder);
}

/**
 * Adds the hits that are not in the counters to `scan_log` of the database, and leaves no write-ahead log beside it.
 * To be called once the app has ended.
 */
export function addPendingHits(dataFolder: string): void {
  const database = new Database(databasePath(dataFolder), { readwrite: true, strict: true });
  try {
    // A database that is not to be touched.
    readSchemaVersion(database);
    const hits = openHitsForReading(dataFolder);
    if (hits === null) return;
    try {
      const folded = foldedRow(database, hits.log);
      if (lastRow(hits) > folded) addToScanLog(database, hits, folded);
    } finally {
      hits.database.close();
    }
  } finally {
    database.close();
  }
}
