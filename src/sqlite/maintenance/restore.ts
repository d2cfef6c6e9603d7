import { Database } from 'bun:sqlite';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { signInTables } from '../../core/backups/snapshot.ts';
import { createRowChecks, printable, rejectRefused } from '../../core/backups/snapshot-values.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { type Restored, type RestoreOptions, WouldReplaceDatabase } from '../../core/storage.ts';
import { FileError, withFileErrors } from '../../lib/errors.ts';
import { runAtOnce } from '../../lib/event-loop.ts';
import { linkOrCopy, matchOwner, renameIntoPlace, syncFolder } from '../../lib/files/durable.ts';
import { removeOnSignal } from '../../lib/files/temporary.ts';
import {
  isBusy,
  isCorruption,
  sqliteMessage,
  toAccessError,
} from '../../redirect/sqlite/errors.ts';
import {
  databasePath,
  hitsPath,
  removeDatabase,
  sideFileSuffixes,
} from '../../redirect/sqlite/files.ts';
import {
  keepHits,
  lastRow,
  openHitsOrNull,
  recordFolded,
  removeHits,
} from '../../redirect/sqlite/hits-file.ts';
import { lockFolder } from '../../redirect/sqlite/lock.ts';
import { usedShortUrlPrefixes } from '../../sql/database/startup-queries.ts';
import { runQueries } from '../database/queries.ts';
import {
  columnsOf,
  copyRows,
  isAddedTable,
  ownTables,
  type Row,
  recordPrefixes,
  selected,
  tableProblem,
} from './copy-rows.ts';
import { countRows, integrityError, isTruncated, referenceError } from './integrity.ts';
import { dropIndexes, fillSchemaLike } from './new-database.ts';
import { findRestoreLosses } from './restore-losses.ts';

// The first bytes of every SQLite database.
const sqliteHeader = 'SQLite format 3\0';

/**
 * Replaces the database of a data folder by a backup.
 *
 * 1. Locks the folder, so that no server runs on it. Reads the first bytes of the backup.
 * 2. Copies the backup into the folder under a temporary name, verifies the copy, and copies its rows into a new
 *    database. A backup can come from anybody: nothing of its schema is used, and each value is checked.
 * 3. Keeps the current database, and the log of hits, under dated names.
 * 4. Renames the new database into place. It records that the hits of the log are not its own.
 * 5. Removes the log.
 *
 * If it is interrupted at any point, the folder has either the complete old database or the new one.
 *
 * @throws WouldReplaceDatabase, FileError, DatabaseUnusable; the folder is unchanged then
 */
export function restore(file: string, dataFolder: string, options: RestoreOptions): Restored {
  return runAtOnce(restoreInSteps(file, dataFolder, options));
}

/** Does what {@link restore} does, in steps. The last one replaces the database. */
export function* restoreInSteps(
  file: string,
  dataFolder: string,
  { replace, keepSessions, nowMs }: RestoreOptions,
): Generator<void, Restored> {
  if (!withFileErrors(`${file} cannot be read`, () => statSync(file).isFile()))
    throw new FileError(`${file} is not a file. Name the backup to restore.`);
  const unlock = lockFolder(dataFolder);
  const path = databasePath(dataFolder);
  const temporary = `${path}.restoring`;
  const restored = `${path}.restored`;
  const releases = [temporary, restored].map(removeOnSignal);
  try {
    // An interrupted restore may have left them.
    for (const left of [temporary, restored]) removeDatabase(left);
    rejectOtherFormats(file);
    withFileErrors(`${file} cannot be copied`, () => copyWithWal(file, temporary));
    yield;
    const verified = copyData(file, temporary, restored, keepSessions);
    const losses = existsSync(path) ? findRestoreLosses(path, restored) : null;
    if (losses !== null && !replace) throw new WouldReplaceDatabase(dataFolder, losses);
    withFileErrors(`The owner of ${restored} cannot be changed`, () =>
      matchOwner(dataFolder, restored),
    );
    yield;
    const kept = withFileErrors(`${path} cannot be kept`, () => {
      disown(restored, dataFolder);
      if (existsSync(hitsPath(dataFolder))) keepHits(dataFolder, 'replaced', nowMs);
      return keepCurrent(path, nowMs);
    });
    withFileErrors(`${path} cannot be written`, () => renameIntoPlace(restored, path));
    removeHits(dataFolder);
    return { ...verified, kept, losses };
  } finally {
    for (const left of [temporary, restored]) removeDatabase(left);
    for (const release of releases) release();
    unlock();
  }
}

/** Records in a restored database that the hits of the folder's log are not its own. */
function disown(restored: string, dataFolder: string): void {
  const hits = openHitsOrNull(dataFolder);
  if (hits === null) return;
  const database = new Database(restored, { readwrite: true, strict: true });
  try {
    database.transaction(() => recordFolded(database, hits.log, lastRow(hits)))();
  } finally {
    database.close();
    hits.database.close();
  }
}

/** Rejects a file that is not an SQLite database before it is copied, because it may be huge. */
function rejectOtherFormats(file: string): void {
  const start = Buffer.alloc(sqliteHeader.length);
  withFileErrors(`${file} cannot be read`, () => {
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, start, 0, start.length, 0);
    } finally {
      closeSync(descriptor);
    }
  });
  if (start.toString('latin1') !== sqliteHeader)
    throw corruptBackup(file, 'file is not a database');
}

/** Copies a database with its write-ahead log, if there is one beside it. */
function copyWithWal(file: string, temporary: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(file + suffix)) {
      copyFileSync(file + suffix, temporary + suffix, constants.COPYFILE_FICLONE);
      chmodSync(temporary + suffix, 0o600);
    }
}

/**
 * Copies the rows of a backup into a new database with the schema of its version.
 *
 * @param file the backup, for messages
 * @param temporary a copy of it, which is changed
 * @throws DatabaseUnusable when a row cannot be read, or has a value that Waymark cannot have stored
 */
function copyData(
  file: string,
  temporary: string,
  path: string,
  keepSessions: boolean,
): Omit<Restored, 'kept' | 'losses'> {
  const corrupt = (reason: string) => corruptBackup(file, reason);
  withFileErrors(`${path} cannot be written`, () => closeSync(openSync(path, 'wx', 0o600)));
  const source = new Database(temporary, { readwrite: true, strict: true });
  try {
    if (isTruncated(temporary, source)) throw corrupt('it ends in the middle of a page');
    source.run('PRAGMA trusted_schema = OFF');
    source.run('PRAGMA cell_size_check = ON');
    source.run('PRAGMA ignore_check_constraints = ON');
    // Merges the write-ahead log into the file.
    source.run('PRAGMA journal_mode = DELETE');
    return fillSchemaLike(source, path, (target) => {
      const filled = fill(target, source, file, corrupt);
      if (!keepSessions)
        for (const table of ownTables(target).filter(isSignInTable))
          target.run(`DELETE FROM ${table}`);
      return filled;
    });
  } catch (error) {
    if (isCorruption(error)) throw corrupt(sqliteMessage(error));
    throw toAccessError(error, path, 'written');
  } finally {
    source.close();
  }
}

function corruptBackup(file: string, reason: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `${file} is damaged, or not a database that Waymark made (${reason}). Nothing was changed. ` +
      'Restore an earlier backup, or copy this one again.',
  );
}

function fill(
  target: Database,
  source: Database,
  file: string,
  corrupt: (reason: string) => DatabaseUnusable,
): Omit<Restored, 'kept' | 'losses'> {
  const tables = ownTables(target);
  for (const table of tables) {
    const problem = tableProblem(source, table, columnsOf(target, table));
    if (problem !== null) throw corrupt(problem);
  }
  const leftOut = dropForeign(source, target);
  const error = integrityError(source);
  if (error !== null) throw corrupt(error);
  const checks = createRowChecks();
  target.transaction(() => {
    const createIndexes = dropIndexes(target, 'not unique');
    for (const table of tables) {
      const rows = source.prepare<Row, []>(
        `SELECT ${selected(target, table)} FROM "${table}" NOT INDEXED`,
      );
      copyRows(target, table, rows.iterate(), checks);
      rows.finalize();
    }
    createIndexes();
    // A server does not start before it serves all of them.
    recordPrefixes(target);
  })();
  rejectRefused(
    checks,
    file,
    'To restore without them, copy the file to an empty folder as waymark.db, run "waymark repair --data FOLDER ' +
      '--to REPAIRED", and restore REPAIRED.',
  );
  // The schema of the backup may lack references.
  const reference = referenceError(target);
  if (reference !== null) throw corrupt(reference);
  return {
    rows: countRows(target),
    shortUrlPrefixes: runQueries(target, usedShortUrlPrefixes()),
    leftOut,
  };
}

const isSignInTable = (table: string) => signInTables.some((name) => name === table);

/** Drops what Waymark did not create, and returns its names. What replication has added is not named. */
function dropForeign(source: Database, target: Database): string[] {
  const list = "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
  const nameOf = ({ type, name }: { type: string; name: string }) => `${type} ${name}`;
  const query = (database: Database) =>
    database.query<{ type: string; name: string }, []>(list).all();
  const own = new Set(query(target).map(nameOf));
  const foreign = query(source).filter(
    (entry) => !own.has(nameOf(entry)) && !isAddedTable(entry.name),
  );
  for (const { type, name } of foreign)
    if (type !== 'table') source.run(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
  return foreign
    .filter(({ name }) => !name.startsWith('_litestream_'))
    .map((entry) => printable(nameOf(entry)));
}

/**
 * Keeps the current database under a dated name, and removes the files beside it, which SQLite would
 * apply to the restored one.
 *
 * @returns the file name, or null if there is no database
 */
function keepCurrent(path: string, nowMs: number): string | null {
  const exists = existsSync(path);
  if (exists) mergeWal(path);
  const stamp = new Date(nowMs).toISOString().replaceAll(':', '-');
  const kept = path.replace(/\.db$/, `-replaced-${stamp}.db`);
  // A damaged database still has them. They are kept with it, except the shared memory.
  const sideFiles = sideFileSuffixes.filter((suffix) => existsSync(path + suffix));
  for (const suffix of exists ? ['', ...sideFiles] : sideFiles)
    if (suffix !== '-shm') linkOrCopy(path + suffix, kept + suffix);
  syncFolder(dirname(path));
  for (const suffix of sideFiles) rmSync(path + suffix);
  return exists ? basename(kept) : null;
}

/** Merges the write-ahead log into a database, unless it is damaged. */
function mergeWal(path: string): void {
  if (!isIntact(path)) return;
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new DatabaseUnusable(
      `Another program has ${path} open. Stop it and try again. Nothing was changed.`,
    );
  } finally {
    database.close();
  }
}

function isIntact(path: string): boolean {
  let database: Database | null = null;
  try {
    // Read-only, because SQLite deletes a log that it cannot read.
    database = new Database(path, { readonly: true, strict: true });
    return integrityError(database, 'quick') === null;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}
