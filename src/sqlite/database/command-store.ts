import { join } from 'node:path';
import { matchOwner } from '../../lib/atomic-write.ts';
import { companions } from './database-files.ts';
import { hasTables } from './has-tables.ts';
import { isLocked, lockFolder, lockName } from './lock.ts';
import { DatabaseUnusable, missingSteps } from './migrate.ts';
import { type Connection, databasePath, hasDatabase, type Store } from './open.ts';
import { openForReading } from './read-only.ts';
import { openStore } from './store.ts';

// A command beside the server waits for its turn to write.
const options = { durability: 'power', busyTimeoutMs: 10_000 } as const;

interface CommandOptions {
  /** Whether a database may be made where there is none; otherwise a mistyped folder would look like an empty one. */
  readonly create: boolean;
  /** Whether a database of an earlier version may be brought up to date, after which that version refuses it. */
  readonly mayUpgrade: (connection: Connection) => boolean;
}

/**
 * Opens the database of a data folder for a command, beside a server or without one.
 *
 * @throws DatabaseUnusable when there is none, when it cannot be trusted, or when its schema would have
 *   to be brought up to date, and may not or is in use by a server that is running
 */
export function openForCommand(dataFolder: string, { create, mayUpgrade }: CommandOptions): Store {
  if (create && !hasDatabase(dataFolder)) return make(dataFolder);
  const upgrade = upgradeOf(dataFolder, mayUpgrade);
  if (upgrade === 'none') return openStore(dataFolder, options);
  // The server that runs was made for the schema as it is, and would fail on the next one.
  if (isLocked(dataFolder)) throw upgradeRefused(dataFolder);
  if (upgrade === 'unproven') throw startNeeded(dataFolder);
  const unlock = lockFolder(dataFolder);
  try {
    matchOwner(dataFolder, join(dataFolder, lockName));
    return openStore(dataFolder, options);
  } finally {
    unlock();
  }
}

function make(dataFolder: string): Store {
  const store = openStore(dataFolder, options);
  for (const suffix of ['', ...companions])
    matchOwner(dataFolder, databasePath(dataFolder) + suffix);
  return store;
}

/** What opening a database for writing would change. */
function upgradeOf(
  dataFolder: string,
  mayUpgrade: CommandOptions['mayUpgrade'],
): 'none' | 'allowed' | 'unproven' {
  const connection = openForReading(dataFolder);
  const { $client } = connection;
  try {
    if (!hasTables(connection) || missingSteps($client).length === 0) return 'none';
    return mayUpgrade(connection) ? 'allowed' : 'unproven';
  } finally {
    $client.close();
  }
}

function upgradeRefused(dataFolder: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `A server of an earlier version runs on ${dataFolder}, and this program would change the ` +
      'database under it. Restart the server with this version first; it brings the database up to date.',
  );
}

function startNeeded(dataFolder: string): DatabaseUnusable {
  return new DatabaseUnusable(
    `The database in ${dataFolder} was last used by an earlier version, which could not open it any ` +
      'more once this one has changed it. Start the server with this version first: it checks that it ' +
      'draws the codes as they were printed, and only then brings the database up to date.',
  );
}
