import { Database } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { migrate } from './migrate.ts';
import { type Connection, type OpenOptions, openConnection, type Store } from './open.ts';

/** drizzle's view of an open database. */
export function storeOn({ $client }: Connection): Store {
  return drizzle({ client: $client });
}

/**
 * Opens the database of a data folder, as {@link openConnection} does.
 *
 * @throws DatabaseUnusable
 */
export function openStore(dataFolder: string, options: OpenOptions): Store {
  return storeOn(openConnection(dataFolder, options));
}

/** Opens an empty database in memory, for commands that read a folder without one. */
export function openInMemory(): Store {
  const client = new Database(':memory:', { strict: true });
  migrate(client);
  return storeOn({ $client: client });
}
