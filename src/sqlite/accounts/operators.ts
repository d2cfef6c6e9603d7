import { asc, count, eq, sql } from 'drizzle-orm';
import type { AccountDirectory } from '../../core/accounts/operators.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Store } from '../database/open.ts';
import { accounts } from '../database/schema.ts';
import { accountColumns } from './row.ts';

// Takes a millisecond or two, after which the event loop handles redirects.
const countersPerStep = 10_000;

/** Creates the directory of all accounts for operators. */
export function createAccountDirectory(store: Store): AccountDirectory {
  const select = () =>
    store
      .select({ ...accountColumns, qrs: accounts.qrCount })
      .from(accounts)
      .$dynamic();
  const counts = store.$client.query<{ accounts: number; qrs: number }, []>(
    'SELECT count(*) AS accounts, coalesce(sum(qr_count), 0) AS qrs FROM accounts',
  );
  const step = store.$client.query<{ scans: number; lastId: number | null }, [number]>(
    'SELECT coalesce(sum(scans), 0) AS scans, max(qr_id) AS lastId FROM ' +
      `(SELECT qr_id, scans FROM scan_counters WHERE qr_id > ? ORDER BY qr_id LIMIT ${countersPerStep})`,
  );
  return {
    find: async (id) => select().where(eq(accounts.id, id)).get() ?? null,
    search: async (text, limit) => {
      const matching = text === '' ? undefined : sql`instr(${accounts.email}, ${text})`;
      const found = select().where(matching).orderBy(asc(accounts.id)).limit(limit).all();
      const row = store.select({ rows: count() }).from(accounts).where(matching).get();
      return { accounts: found, total: row?.rows ?? 0 };
    },
    totals: async () => {
      let scans = 0;
      for (let lastId: number | null = 0; lastId !== null; ) {
        const sum: { scans: number; lastId: number | null } | null = step.get(lastId);
        scans += sum?.scans ?? 0;
        lastId = sum?.lastId ?? null;
        await yieldToEventLoop();
      }
      return { ...(counts.get() ?? { accounts: 0, qrs: 0 }), scans };
    },
  };
}
