import { matchOwner } from '../../lib/files/durable.ts';
import { openForReading, rejectMissing } from '../../redirect/sqlite/connection.ts';
import { databasePath, hasDatabase, sideFileSuffixes } from '../../redirect/sqlite/files.ts';
import { lockFolder } from '../../redirect/sqlite/lock.ts';
import { hasEarlierSchema } from '../../redirect/sqlite/schema-version.ts';
import { type DrizzleConnection, openWithDrizzle } from './drizzle.ts';

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
  rejectMissing(dataFolder);
  if (!upgrade || !isOutdated(dataFolder))
    return openWithDrizzle(dataFolder, { ...commandOptions, rejectsOutdated: true });
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

/** Returns whether a database is of an earlier version. */
function isOutdated(dataFolder: string): boolean {
  const { $client } = openForReading(dataFolder);
  try {
    return hasEarlierSchema($client);
  } finally {
    $client.close();
  }
}
