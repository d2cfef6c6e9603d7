import { drizzle } from 'drizzle-orm/bun-sqlite';
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
