import { Database } from 'bun:sqlite';
import { DatabaseUnusable, repairAdvice } from '../../core/errors.ts';
import type { Backup, RowCounts } from '../../core/storage.ts';
import * as queries from '../../sql/database/startup-queries.ts';
import { openForCommand } from '../database/command.ts';
import { isCorruption, sqliteCode, toAccessError } from '../database/errors.ts';
import { openForReading } from '../database/open.ts';
import { runQueries } from '../database/queries.ts';
import { countRows, integrityError } from './integrity.ts';
import { writeNewDatabase } from './new-database.ts';

/**
 * Copies a snapshot of a data folder's database into one file, also while a server writes to it. The copy
 * is checked before it gets its name, so a file of that name is always a complete backup.
 *
 * @param replace whether an existing file may be replaced
 * @throws FileError, DatabaseUnusable
 */
export function backUp(dataFolder: string, file: string, replace: boolean): Backup {
  return writeNewDatabase(file, { dataFolder, replace }, (temporary) => {
    const { $client } = openForReading(dataFolder);
    try {
      copyDatabase($client, temporary, file);
    } finally {
      $client.close();
    }
    return { rows: verifyCopy(temporary) };
  });
}

function copyDatabase(source: Database, temporary: string, file: string): void {
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

/** Records the time of a backup. Does nothing if the database cannot be written, or has an old schema. */
export function recordBackup(dataFolder: string, atMs: number): void {
  try {
    const { $client } = openForCommand(dataFolder, {});
    try {
      runQueries($client, queries.recordBackup(atMs));
    } finally {
      $client.close();
    }
  } catch (error) {
    // The backup itself has succeeded.
    if (sqliteCode(error) === '' && !(error instanceof DatabaseUnusable)) throw error;
  }
}
