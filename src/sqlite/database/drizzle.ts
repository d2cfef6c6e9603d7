import type { Database, Statement } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { createCache } from '../../lib/cache.ts';
import { type Connection, type OpenOptions, openConnection } from './open.ts';

/** An open database with drizzle's query builder. */
export type DrizzleConnection = BunSQLiteDatabase & Connection;

// Of the statements of a server, most are the same text again. Compiling one takes as long as running it.
const cachedStatements = 100;

/** Adds drizzle's query builder to an open database. */
export function withDrizzle({ $client }: Connection): DrizzleConnection {
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
export function openWithDrizzle(dataFolder: string, options: OpenOptions): DrizzleConnection {
  return withDrizzle(openConnection(dataFolder, options));
}
