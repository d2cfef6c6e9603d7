import { Database } from 'bun:sqlite';
import { closeSync, openSync, statSync } from 'node:fs';
import { removeTemporaryFiles, renameIntoPlace, temporaryPath } from '../../lib/atomic-write.ts';
import { FileError, withFileErrors } from '../../lib/errors.ts';
import { removeDatabase } from '../database/database-files.ts';
import { DatabaseUnusable } from '../database/migrate.ts';
import { databasePath } from '../database/open.ts';
import { codeOf, explaining, openForReading } from '../database/read-only.ts';
import { flawsOf, type Holdings, holdingsOf } from './integrity.ts';
import { refuseExisting, refuseTarget } from './overwrite-guard.ts';

/** A finished backup. */
export interface Backup {
  readonly bytes: number;
  readonly holdings: Holdings;
}

/**
 * Copies the database of a data folder into one file, as it is at one instant, also while a server
 * writes to it. The copy is read back and proven before it gets its name, so a file of that name is
 * always a whole backup.
 *
 * Readers and writers of a database in WAL mode do not wait for each other. While the copy is made
 * the write-ahead log grows by what is written meanwhile, and shrinks again afterwards.
 *
 * @param replace whether a file that is there already may be replaced
 * @throws FileError, DatabaseUnusable
 */
export function backUp(dataFolder: string, target: string, replace: boolean): Backup {
  const temporary = temporaryPath(target);
  const store = openForReading(dataFolder);
  try {
    refuse(dataFolder, target, replace);
    removeTemporaryFiles(target);
    const before = explaining(databasePath(dataFolder), () => holdingsOf(store.$client));
    copy(store.$client, temporary, target);
    const holdings = prove(temporary, before, holdingsOf(store.$client));
    refuse(dataFolder, target, replace);
    withFileErrors(`${target} cannot be written`, () => renameIntoPlace(temporary, target));
    return { bytes: statSync(target).size, holdings };
  } finally {
    store.$client.close();
    removeDatabase(temporary);
  }
}

function refuse(dataFolder: string, target: string, replace: boolean): void {
  refuseTarget(dataFolder, target);
  if (!replace) refuseExisting(target);
}

function copy(source: Database, temporary: string, target: string): void {
  // Made beforehand, so that it is never anyone else's to read: it holds every destination.
  withFileErrors(`${target} cannot be written`, () => closeSync(openSync(temporary, 'wx', 0o600)));
  try {
    source.query('VACUUM INTO ?').run(temporary);
  } catch (error) {
    if (/CORRUPT|NOTADB/.test(codeOf(error)) || !(error instanceof Error))
      throw new DatabaseUnusable(
        'The database is damaged and cannot be copied. "waymark doctor" says more.',
      );
    if (/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(codeOf(error)))
      throw new FileError(
        `${target} cannot be written: ${error.message}. Check the free space and the permissions.`,
      );
    throw error;
  }
}

/** Reads a copy back. Made between two counts, it holds no less than the first and no more than the second. */
function prove(path: string, before: Holdings, after: Holdings): Holdings {
  // As restore opens it: where it may only read, SQLite looks at less.
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const flaws = flawsOf(database);
    if (flaws.length > 0)
      throw new DatabaseUnusable(`The copy is not sound, so it was thrown away: ${flaws[0]}.`);
    const copied = holdingsOf(database);
    // The keys of an object that holds nothing but its own fields.
    for (const name of Object.keys(copied) as (keyof Holdings)[])
      if (copied[name] < before[name] || copied[name] > after[name])
        throw new DatabaseUnusable(
          `The copy holds ${copied[name]} ${name}, the database ${before[name]}. It was thrown away.`,
        );
    return copied;
  } finally {
    database.close();
  }
}
