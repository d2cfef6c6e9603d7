import type { SQL, TransactionSQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import { toStoreError } from '../../redirect/postgres/errors.ts';
import type { Builder } from '../../sql/dialect.ts';

/** Drizzle's query builder on a pool. */
export type DrizzleConnection = BunSQLDatabase;

/** Runs statements in a transaction. */
export type Transaction = Pick<DrizzleConnection, keyof Builder | 'execute'>;

/**
 * Adds drizzle's query builder to a pool.
 *
 * @param pool returns it. It may be replaced between two statements
 */
export function withDrizzle(pool: () => SQL): DrizzleConnection {
  // All that drizzle calls.
  const client = {
    unsafe: (text: string, values?: unknown[]) => pool().unsafe(text, values),
    begin: async (run: (transaction: TransactionSQL) => Promise<unknown>) => {
      let isCommitting = false;
      try {
        return await pool().begin(async (transaction) => {
          const result = await run(transaction);
          isCommitting = true;
          return result;
        });
      } catch (error) {
        throw toStoreError(error, isCommitting);
      }
    },
  };
  return drizzle({ client: client as unknown as SQL });
}
