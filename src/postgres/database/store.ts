import type { SQL, TransactionSQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';

/** Drizzle's query builder on a pool. */
export type Store = BunSQLDatabase;

/** Runs statements in a transaction. */
export type Transaction = Pick<Store, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/**
 * Adds drizzle's query builder to a pool.
 *
 * @param pool returns it. It may be replaced between two statements
 */
export function storeOn(pool: () => SQL): Store {
  // All that drizzle calls.
  const client = {
    unsafe: (text: string, values?: unknown[]) => pool().unsafe(text, values),
    begin: (run: (transaction: TransactionSQL) => Promise<unknown>) => pool().begin(run),
  };
  return drizzle({ client: client as unknown as SQL });
}
