import type { SQL, TransactionSQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import type { Connection } from './open.ts';

/** Drizzle's query builder on a pool. */
export type Store = BunSQLDatabase;

/** Runs statements in a transaction. */
export type Transaction = Pick<Store, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** Adds drizzle's query builder to a pool. */
export function storeOn(connection: Connection): Store {
  // All that drizzle calls. The pool may be replaced between two statements.
  const client = {
    unsafe: (text: string, values?: unknown[]) => connection.sql().unsafe(text, values),
    begin: (run: (transaction: TransactionSQL) => Promise<unknown>) => connection.sql().begin(run),
  };
  return drizzle({ client: client as unknown as SQL });
}
