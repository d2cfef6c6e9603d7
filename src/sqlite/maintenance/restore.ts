import { Database } from 'bun:sqlite';
import { chmodSync, constants, copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseUnusable } from '../../core/errors.ts';
import { type Restored, WouldReplaceDatabase } from '../../core/storage.ts';
import { linkOrCopy, matchOwner, renameIntoPlace, syncFolder } from '../../lib/atomic-write.ts';
import { FileError, withFileErrors } from '../../lib/errors.ts';
import { isBusy, isCorruption, sqliteMessage } from '../database/errors.ts';
import { databasePath, removeDatabase, sideFileSuffixes } from '../database/files.ts';
import { lockFolder } from '../database/lock.ts';
import { missingSteps } from '../database/migrate.ts';
import { usedShortUrlPrefixes } from '../database/startup-queries.ts';
import { countRows, integrityError, isTruncated } from './integrity.ts';
import { findRestoreLosses } from './restore-losses.ts';

/**
 * Replaces the database of a data folder by a backup.
 *
 * 1. Locks the folder, so that no server runs on it.
 * 2. Copies the backup into the folder under a temporary name and verifies the copy.
 * 3. Keeps the current database under a dated name.
 * 4. Renames the copy into place.
 *
 * If it is interrupted at any point, the folder has either the complete old database or the new one.
 *
 * @param replace whether an existing database may be replaced
 * @throws WouldReplaceDatabase, FileError, DatabaseUnusable; the folder is unchanged then
 */
export function restore(
  file: string,
  dataFolder: string,
  { replace, nowMs }: { replace: boolean; nowMs: number },
): Restored {
  if (!withFileErrors(`${file} cannot be read`, () => statSync(file).isFile()))
    throw new FileError(`${file} is not a file. Name the backup to restore.`);
  const unlock = lockFolder(dataFolder);
  const path = databasePath(dataFolder);
  const temporary = `${path}.restoring`;
  try {
    // An interrupted restore may have left it.
    removeDatabase(temporary);
    withFileErrors(`${file} cannot be copied`, () => copyWithWal(file, temporary));
    const verified = verify(file, temporary);
    const losses = existsSync(path) ? findRestoreLosses(path, temporary) : null;
    if (losses !== null && !replace) throw new WouldReplaceDatabase(dataFolder, losses);
    withFileErrors(`The owner of ${temporary} cannot be changed`, () =>
      matchOwner(dataFolder, temporary),
    );
    const kept = withFileErrors(`${path} cannot be kept`, () => keepCurrent(path, nowMs));
    withFileErrors(`${path} cannot be written`, () => renameIntoPlace(temporary, path));
    return { ...verified, kept, losses };
  } finally {
    removeDatabase(temporary);
    unlock();
  }
}

/** Copies a database with its write-ahead log, if there is one beside it. */
function copyWithWal(file: string, temporary: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(file + suffix)) {
      copyFileSync(file + suffix, temporary + suffix, constants.COPYFILE_FICLONE);
      chmodSync(temporary + suffix, 0o600);
    }
}

/** Verifies the copy, because that is what will be served. */
function verify(file: string, temporary: string): Omit<Restored, 'kept' | 'losses'> {
  const corrupt = (reason: string) =>
    new DatabaseUnusable(
      `${file} is damaged, or not a database that Waymark made (${reason}). Nothing was changed. ` +
        'Restore an earlier backup, or copy this one again.',
    );
  const database = new Database(temporary, { readwrite: true, strict: true });
  try {
    if (isTruncated(temporary, database)) throw corrupt('it ends in the middle of a page');
    database.run('PRAGMA trusted_schema = OFF');
    // Merges the write-ahead log into the file.
    database.run('PRAGMA journal_mode = DELETE');
    missingSteps(database);
    const error = integrityError(database);
    if (error !== null) throw corrupt(error);
    return {
      rows: countRows(database),
      shortUrlPrefixes: usedShortUrlPrefixes({ $client: database }),
    };
  } catch (error) {
    if (isCorruption(error)) throw corrupt(sqliteMessage(error));
    throw error;
  } finally {
    database.close();
  }
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
