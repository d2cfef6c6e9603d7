import type { Database, Statement } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { DatabaseUnusable } from '../../core/errors.ts';
import { matchOwner } from '../../lib/atomic-write.ts';
import { version } from '../../lib/build/version.ts';
import { createCache } from '../../lib/cache.ts';
import { databasePath, hasDatabase, sideFileSuffixes } from './files.ts';
import { lockFolder } from './lock.ts';
import { missingSteps } from './migrate.ts';
import {
  type Connection,
  type OpenOptions,
  openConnection,
  openForReading,
  type Store,
} from './open.ts';
import { findLastVersion, hasRows } from './startup-queries.ts';

// Of the statements of a server, most are the same text again. Compiling one takes as long as running it.
const cachedStatements = 100;

// A command can wait for another process's write.
const commandOptions = { durability: 'power', busyTimeoutMs: 10_000 } as const;

/** Adds drizzle's query builder to an open database. */
export function storeOn({ $client }: Connection): Store {
  const statements = createCache<string, Statement>(cachedStatements);
  // All that drizzle calls.
  const client = {
    prepare: (text: string) => {
      const statement = statements.get(text) ?? $client.prepare(text);
      statements.set(text, statement);
      return statement;
    },
    transaction: $client.transaction.bind($client),
    exec: $client.exec.bind($client),
  };
  return Object.assign(drizzle({ client: client as unknown as Database }), { $client });
}

/** Opens the database of a data folder, see {@link openConnection}. */
export function openStore(dataFolder: string, options: OpenOptions): Store {
  return storeOn(openConnection(dataFolder, options));
}

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
): Store {
  if (create && !hasDatabase(dataFolder)) return createDatabase(dataFolder);
  const earlier = findEarlierVersion(dataFolder);
  if (earlier === null) return openStore(dataFolder, commandOptions);
  if (!upgrade)
    throw new DatabaseUnusable(
      `The database in ${dataFolder} was last used by ${earlier}. Start the server of Waymark ${version} first: ` +
        'it checks that the images of all codes stay the same, and then upgrades the database.',
    );
  // A running server of the earlier version would fail on the new schema.
  const unlock = lockFolder(dataFolder);
  try {
    return openStore(dataFolder, commandOptions);
  } finally {
    unlock();
  }
}

function createDatabase(dataFolder: string): Store {
  const store = openStore(dataFolder, commandOptions);
  for (const suffix of ['', ...sideFileSuffixes])
    matchOwner(dataFolder, databasePath(dataFolder) + suffix);
  return store;
}

/** Returns the name of the version that a database was last used by, or null if its schema is up to date. */
function findEarlierVersion(dataFolder: string): string | null {
  const connection = openForReading(dataFolder);
  try {
    if (!hasRows(connection, 'sqlite_schema')) return null;
    if (missingSteps(connection.$client).length === 0) return null;
    const last = findLastVersion(connection);
    return last === null ? 'an earlier version' : `Waymark ${last}`;
  } finally {
    connection.$client.close();
  }
}
