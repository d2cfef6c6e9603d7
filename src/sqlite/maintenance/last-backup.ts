import { Database } from 'bun:sqlite';
import { DatabaseUnusable } from '../../core/errors.ts';
import * as queries from '../../sql/database/startup-queries.ts';
import { isDamage, sqliteCode } from '../database/errors.ts';
import { databasePath } from '../database/files.ts';
import { missingSteps } from '../database/migrate.ts';
import type { Connection } from '../database/open.ts';
import { runQueries } from '../database/queries.ts';

// A server writes for some milliseconds at a time.
const busyTimeoutMs = 5000;

/** Records the time of a backup. Does nothing if the database cannot be written, or has an old schema. */
export function recordBackup(dataFolder: string, atMs: number): void {
  let client: Database | null = null;
  try {
    client = new Database(databasePath(dataFolder), { readwrite: true, strict: true });
    client.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (missingSteps(client).length > 0) return;
    runQueries(client, queries.recordBackup(atMs));
  } catch (error) {
    // The backup itself has succeeded.
    if (sqliteCode(error) === '' && !(error instanceof DatabaseUnusable)) throw error;
  } finally {
    client?.close();
  }
}

/** Returns the time of the last backup, or null if there is none or it cannot be read. */
export function lastBackupMs({ $client }: Connection): number | null {
  try {
    // A database that is only read may have an old schema.
    if (missingSteps($client).length > 0) return null;
    return runQueries($client, queries.lastBackupMs());
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}
