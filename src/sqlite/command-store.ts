import { join } from 'node:path';
import { giveToOwnerOf } from './durable-files.ts';
import { isLocked, lockFolder, lockName } from './lock.ts';
import { DatabaseRefused, missingSteps } from './migrate.ts';
import { hasDatabase, type Store } from './open.ts';
import { openForReading } from './read-only.ts';
import { openStore } from './store.ts';

// A command beside the server waits for its turn to write.
const options = { durability: 'power', busyTimeoutMs: 10_000 } as const;

/**
 * Opens the database of a data folder for a command, beside a server or without one.
 *
 * @param create whether a database may be made where there is none; otherwise a mistyped folder would
 *   look like an empty one
 * @throws DatabaseRefused when there is none, when it cannot be trusted, or when its schema would have
 *   to be brought up to date under a server that is running
 */
export function openForCommand(dataFolder: string, create: boolean): Store {
  if (create && !hasDatabase(dataFolder)) return openStore(dataFolder, options);
  if (!needsUpgrade(dataFolder)) return openStore(dataFolder, options);
  // The server that runs was made for the schema as it is, and would fail on the next one.
  if (isLocked(dataFolder)) throw upgradeRefused(dataFolder);
  const unlock = lockFolder(dataFolder);
  try {
    giveToOwnerOf(dataFolder, join(dataFolder, lockName));
    return openStore(dataFolder, options);
  } finally {
    unlock();
  }
}

/** Whether a database was made by an earlier version. One without tables is only just being made. */
function needsUpgrade(dataFolder: string): boolean {
  const { $client } = openForReading(dataFolder);
  try {
    const isEmpty = $client.query('SELECT 1 FROM sqlite_schema').get() === null;
    return !isEmpty && missingSteps($client).length > 0;
  } finally {
    $client.close();
  }
}

function upgradeRefused(dataFolder: string): DatabaseRefused {
  return new DatabaseRefused(
    `A server of an earlier version runs on ${dataFolder}, and this program would change the ` +
      'database under it. Restart the server with this version first; it brings the database up to date.',
  );
}
