import { Database } from 'bun:sqlite';
import { chmodSync, constants, copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { linkOrCopy, matchOwner, renameIntoPlace, syncFolder } from '../../lib/atomic-write.ts';
import { FileError, withFileErrors } from '../../lib/errors.ts';
import { usedShortBases } from '../codes/short-urls.ts';
import { companions, removeDatabase } from '../database/database-files.ts';
import { lockFolder, lockName } from '../database/lock.ts';
import { DatabaseCorrupt, DatabaseUnusable, missingSteps } from '../database/migrate.ts';
import { databasePath } from '../database/open.ts';
import { codeOf, explaining } from '../database/read-only.ts';
import { flawsOf, type Holdings, holdingsOf, pageSizeOf } from './integrity.ts';

/** A finished restore. */
export interface Restored {
  readonly holdings: Holdings;
  /** Where the short links of its codes live. */
  readonly shortBases: readonly string[];
  /** Where the database that was there before is kept; null when there was none. */
  readonly kept: string | null;
}

/**
 * Puts a backup in the place of a data folder's database.
 *
 * 1. Holds the folder, so that no server runs on it or starts on it.
 * 2. Copies the backup into the folder under a name of its own and proves the copy.
 * 3. Gives the database that is there a second, dated name.
 * 4. Renames the copy over it.
 *
 * Whenever this is cut off, the folder holds the old database or the new one, whole.
 *
 * @param replace whether a database that is there may be replaced; it is kept under a dated name
 * @throws FileError, DatabaseUnusable; the folder is then as it was
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
    withFileErrors(`${dataFolder} cannot be written`, () =>
      matchOwner(dataFolder, join(dataFolder, lockName)),
    );
    if (existsSync(path) && !replace)
      throw new FileError(
        `There is a database in ${dataFolder} already. Add --force to replace it; it is then kept ` +
          'under a dated name.',
      );
    // What an earlier restore left behind when it was cut off.
    removeDatabase(temporary);
    withFileErrors(`${file} cannot be copied`, () => copyWithLog(file, temporary));
    const proven = prove(file, temporary);
    withFileErrors(`${temporary} cannot be given away`, () => matchOwner(dataFolder, temporary));
    const kept = withFileErrors(`${path} cannot be set aside`, () => setAside(path, nowMs));
    withFileErrors(`${path} cannot be written`, () => renameIntoPlace(temporary, path));
    return { ...proven, kept };
  } finally {
    removeDatabase(temporary);
    unlock();
  }
}

/** Copies a database, with the log that a plain copy of a running one may have beside it. */
function copyWithLog(file: string, temporary: string): void {
  for (const suffix of ['', '-wal'])
    if (existsSync(file + suffix)) {
      copyFileSync(file + suffix, temporary + suffix, constants.COPYFILE_FICLONE);
      chmodSync(temporary + suffix, 0o600);
    }
}

/** Reads the copy, not the file: what was proven is what will be served. */
function prove(file: string, copy: string): Omit<Restored, 'kept'> {
  try {
    return examine(file, copy);
  } catch (error) {
    // Not in the words for the database of a folder, whose advice is to restore a backup.
    if (!(error instanceof DatabaseCorrupt)) throw error;
    throw new DatabaseUnusable(
      `${file} is damaged, or not a database that Waymark made. Nothing was changed. Restore an earlier backup, or ` +
        'copy this one anew if it lay on another machine.',
    );
  }
}

function examine(file: string, copy: string): Omit<Restored, 'kept'> {
  const { size } = statSync(copy);
  return explaining(file, () => {
    const database = new Database(copy, { readwrite: true, strict: true });
    try {
      // SQLite takes what is missing of the last page for zeros, and no check would notice.
      if (size % pageSizeOf(database) !== 0)
        throw new DatabaseUnusable(
          `${file} is cut off in the middle of a page, or not an SQLite database. Nothing was changed.`,
        );
      database.run('PRAGMA trusted_schema = OFF');
      // Takes in the log and leaves one file.
      database.run('PRAGMA journal_mode = DELETE');
      const isEmpty = database.query('SELECT 1 FROM sqlite_schema').get() === null;
      if (isEmpty)
        throw new DatabaseUnusable(`${file} is empty, so it is not a backup that Waymark made.`);
      missingSteps(database);
      const flaws = flawsOf(database);
      if (flaws.length > 0)
        throw new DatabaseUnusable(`${file} is damaged (${flaws[0]}). Nothing was changed.`);
      return {
        holdings: holdingsOf(database),
        shortBases: usedShortBases({ $client: database }),
      };
    } finally {
      database.close();
    }
  });
}

/**
 * Gives the database a second, dated name and leaves nothing beside it that SQLite would take for
 * the log of the next one.
 *
 * @returns the second name, or null when there is no database
 */
function setAside(path: string, nowMs: number): string | null {
  const exists = existsSync(path);
  if (exists) settle(path);
  const stamp = new Date(nowMs).toISOString().replaceAll(':', '-');
  const kept = path.replace(/\.db$/, `-replaced-${stamp}.db`);
  // A sound database has none left now. Those of a damaged one belong to it, so they go with it.
  const beside = companions.filter((suffix) => existsSync(path + suffix));
  // The shared memory is rebuilt from the log and not worth keeping.
  const worth = beside.filter((suffix) => suffix !== '-shm');
  for (const suffix of exists ? ['', ...worth] : worth) linkOrCopy(path + suffix, kept + suffix);
  syncFolder(join(path, '..'));
  for (const suffix of beside) rmSync(path + suffix);
  return exists ? basename(kept) : null;
}

/**
 * Writes the log of a database back into it, so that one file holds everything. A damaged one, which
 * is what a restore is there for, is left as it is with all that belongs to it.
 */
function settle(path: string): void {
  if (!isSound(path)) return;
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run('PRAGMA locking_mode = EXCLUSIVE');
    database.run('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))) throw error;
    throw new DatabaseUnusable(
      `Another program has ${path} open. End it, and try again; nothing was changed.`,
    );
  } finally {
    database.close();
  }
}

function isSound(path: string): boolean {
  try {
    const database = new Database(path, { readonly: true, strict: true });
    try {
      return flawsOf(database, 'quick').length === 0;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}
