import { sql } from 'drizzle-orm';
import type { Store, Transaction } from '../database/store.ts';
import type { Announcer } from './announcer.ts';
import { channel } from './channel.ts';

/** The result of a transaction, and the codes whose redirect it has changed. */
export interface RedirectChange<T> {
  readonly codes: readonly string[];
  readonly result: T;
}

/**
 * Runs a transaction that changes redirects. Its message reaches the copies when it commits, also if this process
 * ends then. Resolves when no copy redirects to an earlier target of the codes any more.
 */
export type ChangeRedirects = <T>(
  run: (transaction: Transaction) => Promise<RedirectChange<T>>,
) => Promise<T>;

export function createChangeRedirects(store: Store, announcer: Announcer): ChangeRedirects {
  return async (run) => {
    const announcement = await announcer.begin();
    try {
      const { codes, result } = await store.transaction(async (transaction) => {
        const change = await run(transaction);
        if (change.codes.length > 0)
          await transaction.execute(
            sql`select pg_notify(${channel}, ${announcement.payload(change.codes)})`,
          );
        return change;
      });
      if (codes.length > 0) await announcement.confirmed(codes);
      return result;
    } finally {
      announcement.end();
    }
  };
}
