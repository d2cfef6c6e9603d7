import { Database } from 'bun:sqlite';
import { DatabaseUnusable, repairAdvice } from '../../core/errors.ts';
import type { Backup, RowCounts } from '../../core/storage.ts';
import { runAtOnce } from '../../lib/event-loop.ts';
import { openForReading, openImmutable } from '../../redirect/sqlite/connection.ts';
import {
  isCorruption,
  sqliteCode,
  sqliteMessage,
  toAccessError,
  withDatabaseErrors,
} from '../../redirect/sqlite/errors.ts';
import * as queries from '../../sql/database/startup-queries.ts';
import { openForCommand } from '../database/command.ts';
import { runQueries } from '../database/queries.ts';
import { type PinnedHits, pinHits } from '../hits/pending.ts';
import { countRows, integrityError } from './integrity.ts';
import { writeNewDatabase } from './new-database.ts';

/**
 * Copies a snapshot of a data folder's database into one file, also while a server writes to it.
 * The copy is checked before it gets its name, so a file of that name is always a complete backup.
 *
 * @param options.replace whether an existing file may be replaced
 * @param options.nowMs the time of the backup, which is recorded in it
 * @throws FileError, DatabaseUnusable
 */
export function backUp(dataFolder: string, file: string, options: BackupOptions): Backup {
  return runAtOnce(backUpInSteps(dataFolder, file, options));
}

interface BackupOptions {
  readonly replace: boolean;
  readonly nowMs: number;
}

/** Does what {@link backUp} does, in steps. */
export function backUpInSteps(
  dataFolder: string,
  file: string,
  { replace, nowMs }: BackupOptions,
): Generator<void, Backup> {
  return writeNewDatabase(file, { dataFolder, replace }, function* (temporary) {
    const hits = pinHits(dataFolder);
    try {
      const { $client } = openForReading(dataFolder);
      try {
        copyDatabase($client, temporary, file);
      } finally {
        $client.close();
      }
      yield;
      return { rows: finishCopy(temporary, file, hits, nowMs) };
    } finally {
      hits.close();
    }
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

/** Adds the hits that a copy lacks and its time, checks its integrity and counts its rows. */
function finishCopy(path: string, file: string, hits: PinnedHits, nowMs: number): RowCounts {
  // Writable, also because SQLite checks less on a read-only connection.
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    withDatabaseErrors(file, 'written', () => hits.addTo(database));
    // Schemas of the first versions lack the table.
    if (hasTable(database, 'last_backup')) runQueries(database, queries.recordBackup(nowMs));
    const error = integrityError(database);
    if (error !== null)
      throw new DatabaseUnusable(`The copy failed its integrity check and was deleted: ${error}.`);
    return countRows(database);
  } finally {
    database.close();
  }
}

/** What a backup has, or why it cannot be read. */
export type BackupContent =
  | {
      readonly codes: number;
      /** When it was made, by the clock of then; null if it is not recorded. */
      readonly madeAtMs: number | null;
    }
  | { readonly problem: string };

/** Reads what a backup has, without a check. */
export function readBackup(path: string): BackupContent {
  try {
    const database = openImmutable(path);
    try {
      return {
        codes: database.query<{ n: number }, []>('SELECT count(*) AS n FROM qrs').get()?.n ?? 0,
        madeAtMs: hasTable(database, 'last_backup')
          ? runQueries(database, queries.lastBackupMs())
          : null,
      };
    } finally {
      database.close();
    }
  } catch (error) {
    if (sqliteCode(error) === '') throw error;
    return { problem: sqliteMessage(error) };
  }
}

const hasTable = (database: Database, name: string): boolean =>
  database.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
  null;

/**
 * Records the time of a backup.
 * Does nothing if the database cannot be written, or has an old schema.
 */
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
