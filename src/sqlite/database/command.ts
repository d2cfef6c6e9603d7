import type { DatabaseUnusable } from '../../core/errors.ts';
import { matchOwner } from '../../lib/files/atomic-write.ts';
import { earlierDatabase, hasRows } from '../../sql/database/startup-queries.ts';
import { type DrizzleConnection, openWithDrizzle } from './drizzle.ts';
import { databasePath, hasDatabase, sideFileSuffixes } from './files.ts';
import { lockFolder } from './lock.ts';
import { missingSteps } from './migrate.ts';
import { openForReading } from './open.ts';
import { runQueries } from './queries.ts';

// A command can wait for another process's write.
const commandOptions = { durability: 'power', busyTimeoutMs: 10_000 } as const;

interface CommandOptions {
  /** Whether to create a missing database. Otherwise a mistyped folder is an error. */
  readonly create?: boolean;
  /** Whether to migrate the schema of an earlier version, which then cannot open the database. */
  readonly upgrade?: boolean;
}

/**
 * Opens the database of a data folder for a command, beside a server or without one.
 *
 * @throws DatabaseUnusable when it is missing, damaged, or of an earlier version and may not be upgraded
 */
export function openForCommand(
  dataFolder: string,
  { create = false, upgrade = false }: CommandOptions,
): DrizzleConnection {
  if (create && !hasDatabase(dataFolder)) return createDatabase(dataFolder);
  const outdated = findOutdated(dataFolder);
  if (outdated === null) return openWithDrizzle(dataFolder, commandOptions);
  if (!upgrade) throw outdated;
  // A running server of the earlier version would fail on the new schema.
  const unlock = lockFolder(dataFolder);
  try {
    return openWithDrizzle(dataFolder, commandOptions);
  } finally {
    unlock();
  }
}

function createDatabase(dataFolder: string): DrizzleConnection {
  const connection = openWithDrizzle(dataFolder, commandOptions);
  for (const suffix of ['', ...sideFileSuffixes])
    matchOwner(dataFolder, databasePath(dataFolder) + suffix);
  return connection;
}

/** Returns the error that a database is of an earlier version, or null if its schema is up to date. */
function findOutdated(dataFolder: string): DatabaseUnusable | null {
  const { $client } = openForReading(dataFolder);
  try {
    if (!runQueries($client, hasRows('sqlite_schema'))) return null;
    if (missingSteps($client).length === 0) return null;
    return runQueries($client, earlierDatabase(`The database in ${dataFolder}`));
  } finally {
    $client.close();
  }
}
