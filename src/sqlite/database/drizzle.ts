import { Database } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Connection } from '../../redirect/sqlite/connection.ts';
import { type OpenOptions, openConnection } from './open.ts';

/** An open database with drizzle's query builder. */
export type DrizzleConnection = BunSQLiteDatabase & Connection;

// Of the statements of a server, most are the same text again. Compiling one takes as long as running it.
Database.MAX_QUERY_CACHE_SIZE = 100;

/** Adds drizzle's query builder to an open database. */
export function withDrizzle({ $client }: Connection): DrizzleConnection {
  // All that drizzle calls.
  const client = {
    // From the connection's cache, whose statements end with the connection: one that is left keeps the file open.
    prepare: (text: string) => $client.query(text),
    transaction: $client.transaction.bind($client),
    exec: $client.exec.bind($client),
  };
  return Object.assign(drizzle({ client: client as unknown as Database }), { $client });
}

/** Opens the database of a data folder, see {@link openConnection}. */
export function openWithDrizzle(dataFolder: string, options: OpenOptions): DrizzleConnection {
  return withDrizzle(openConnection(dataFolder, options));
}
