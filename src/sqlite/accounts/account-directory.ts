import { asc, count, eq, sql } from 'drizzle-orm';
import type { AccountDirectory } from '../../core/accounts/operators.ts';
import type { Store } from '../database/open.ts';
import { accounts } from '../database/schema.ts';
import { accountColumns } from './accounts.ts';

/** Accounts as operators look them up, in SQLite. */
export function createAccountDirectory(store: Store): AccountDirectory {
  const select = () =>
    store
      .select({ ...accountColumns, qrs: accounts.qrCount })
      .from(accounts)
      .$dynamic();
  return {
    find: async (id) => select().where(eq(accounts.id, id)).get() ?? null,
    search: async (text, limit) => {
      const matching = text === '' ? undefined : sql`instr(${accounts.email}, ${text})`;
      const found = select().where(matching).orderBy(asc(accounts.id)).limit(limit).all();
      const row = store.select({ rows: count() }).from(accounts).where(matching).get();
      return { accounts: found, total: row?.rows ?? 0 };
    },
  };
}
