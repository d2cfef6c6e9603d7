import { lastBackupMs as query } from '../../sql/database/startup-queries.ts';
import { isDamage } from '../database/errors.ts';
import { missingSteps } from '../database/migrate.ts';
import type { Connection } from '../database/open.ts';
import { runQueries } from '../database/queries.ts';

/** Returns the time of the last backup, or null if there is none or it cannot be read. */
export function lastBackupMs({ $client }: Connection): number | null {
  try {
    // A database that is only read may have an old schema.
    if (missingSteps($client).length > 0) return null;
    return runQueries($client, query());
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}
