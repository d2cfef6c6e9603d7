import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync } from 'node:fs';
import {
  type Connection,
  closingOnError,
  type Durability,
  setWriteOptions,
} from '../../redirect/sqlite/connection.ts';
import { isDamage, isUnwritable, withDatabaseErrors } from '../../redirect/sqlite/errors.ts';
import {
  createPrivateFolder,
  databasePath,
  rejectEmptyDatabase,
  rejectOrphanedWal,
  rejectReadOnly,
} from '../../redirect/sqlite/files.ts';
import { hasEarlierSchema } from '../../redirect/sqlite/schema-version.ts';
import { earlierDatabase, hasRows } from '../../sql/database/startup-queries.ts';
import { migrate } from './migrate.ts';
import { runQueries } from './queries.ts';

export interface OpenOptions {
  readonly durability: Durability;
  /** How long a write waits for another process. Blocks the thread. */
  readonly busyTimeoutMs: number;
  /** Whether a schema of an earlier version is an error, instead of migrated. */
  readonly rejectsOutdated?: boolean;
}

// The operating system caches the rest. A larger cache makes look-ups slower.
const pageCacheKib = 8 * 1024;

/**
 * Opens the database of a data folder and migrates its schema. Creates both if missing.
 *
 * @throws DatabaseUnusable; the database is unchanged then
 */
export function openConnection(dataFolder: string, options: OpenOptions): Connection {
  const path = databasePath(dataFolder);
  createPrivateFolder(dataFolder);
  rejectReadOnly(dataFolder);
  rejectEmptyDatabase(path);
  rejectOrphanedWal(path);
  return withDatabaseErrors(path, 'written', () => {
    // SQLite gives the files beside the database its permissions.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const client = new Database(path, { readwrite: true, strict: true });
    return closingOnError(client, () => {
      client.run(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
      // Rejects an unknown schema before the first write: setting the journal mode is one.
      const isOutdated = hasEarlierSchema(client);
      if (isOutdated && options.rejectsOutdated) rejectOutdated(client, dataFolder);
      client.run('PRAGMA journal_mode = WAL');
      setWriteOptions(client, options.durability);
      // Overwrites what is deleted, see also `eraseFreeSpace`. The log of hits has no text.
      client.run('PRAGMA secure_delete = ON');
      client.run('PRAGMA foreign_keys = ON');
      client.run(`PRAGMA cache_size = -${pageCacheKib}`); // negative: KiB instead of pages
      migrate(client);
      return { $client: client };
    });
  });
}

/** @throws DatabaseUnusable when a schema of an earlier version has tables */
function rejectOutdated(client: Database, dataFolder: string): void {
  if (runQueries(client, hasRows('sqlite_schema')))
    throw runQueries(client, earlierDatabase(`The database in ${dataFolder}`));
}

/** Writes the write-ahead log back into the database and closes it. */
export function closeConnection({ $client }: Connection): void {
  try {
    $client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The log stays beside the database, and the next start applies it.
    if (!isUnwritable(error) && !isDamage(error)) throw error;
  } finally {
    $client.close();
  }
}
