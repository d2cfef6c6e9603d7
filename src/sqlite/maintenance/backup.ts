import { Database } from 'bun:sqlite';
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseUnusable, repairAdvice } from '../../core/errors.ts';
import type { Backup, RowCounts } from '../../core/storage.ts';
import { removeTemporaryFiles, renameIntoPlace, temporaryPath } from '../../lib/atomic-write.ts';
import { withFileErrors } from '../../lib/errors.ts';
import { isCorruption, toAccessError } from '../database/errors.ts';
import { removeDatabase } from '../database/files.ts';
import { openForReading } from '../database/open.ts';
import { countRows, integrityError } from './integrity.ts';
import { rejectExisting, rejectOverwrite } from './overwrite-guard.ts';

/**
 * Copies a snapshot of a data folder's database into one file, also while a server writes to it. The copy
 * is checked before it gets its name, so a file of that name is always a complete backup.
 *
 * @param replace whether an existing file may be replaced
 * @throws FileError, DatabaseUnusable
 */
export function backUp(dataFolder: string, file: string, replace: boolean): Backup {
  const temporary = temporaryPath(file);
  const connection = openForReading(dataFolder);
  try {
    rejectOverwrite(dataFolder, file);
    if (!replace) rejectExisting(file);
    removeTemporaryFiles(file);
    copyDatabase(connection.$client, temporary, file);
    const rows = verifyCopy(temporary);
    withFileErrors(`${file} cannot be written`, () => renameIntoPlace(temporary, file));
    return { bytes: statSync(file).size, rows };
  } finally {
    connection.$client.close();
    removeDatabase(temporary);
  }
}

function copyDatabase(source: Database, temporary: string, file: string): void {
  // Created first, so that only its owner can read the copy at any time.
  withFileErrors(`${file} cannot be written`, () => closeSync(openSync(temporary, 'wx', 0o600)));
  try {
    source.query('VACUUM INTO ?').run(temporary);
  } catch (error) {
    if (isCorruption(error))
      throw new DatabaseUnusable(
        `The database is damaged and cannot be copied; "waymark doctor" shows where. ${repairAdvice}`,
      );
    throw toAccessError(error, file, 'written');
  }
}

/** Checks the integrity of a copy and counts its rows. */
function verifyCopy(path: string): RowCounts {
  // Writable, because SQLite checks less on a read-only connection.
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const error = integrityError(database);
    if (error !== null)
      throw new DatabaseUnusable(`The copy failed its integrity check and was deleted: ${error}.`);
    return countRows(database);
  } finally {
    database.close();
  }
}
