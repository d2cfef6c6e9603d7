import { DatabaseUnusable } from '../../core/errors.ts';
import { matchOwner } from '../../lib/atomic-write.ts';
import { version } from '../../lib/build/version.ts';
import { findLastVersion, hasRows } from '../../sql/database/startup-queries.ts';
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
  const earlier = findEarlierVersion(dataFolder);
  if (earlier === null) return openWithDrizzle(dataFolder, commandOptions);
  if (!upgrade)
    throw new DatabaseUnusable(
      `The database in ${dataFolder} was last used by ${earlier}. Start the server of Waymark ${version} first: ` +
        'it checks that the images of all codes stay the same, and then upgrades the database.',
    );
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

/** Returns the name of the version that a database was last used by, or null if its schema is up to date. */
function findEarlierVersion(dataFolder: string): string | null {
  const connection = openForReading(dataFolder);
  try {
    if (!runQueries(connection.$client, hasRows('sqlite_schema'))) return null;
    if (missingSteps(connection.$client).length === 0) return null;
    const last = runQueries(connection.$client, findLastVersion());
    return last === null ? 'an earlier version' : `Waymark ${last}`;
  } finally {
    connection.$client.close();
  }
}
