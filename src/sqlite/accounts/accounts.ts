import { asc, count, eq, sql } from 'drizzle-orm';
import type { AccountStore } from '../../core/ports.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Store } from '../database/open.ts';
import { accounts } from '../database/schema.ts';
import { write, writeTransaction } from '../database/write.ts';
import { accountColumns, insertAccount } from './row.ts';
import { setPassword } from './sign-in.ts';

// A step of the totals takes a millisecond or two and blocks redirects.
const countersPerStep = 10_000;

/** Creates the account store. */
export function createAccountStore(store: Store): AccountStore {
  const select = () =>
    store
      .select({ ...accountColumns, qrs: accounts.qrCount })
      .from(accounts)
      .$dynamic();
  const counts = store.$client.query<{ accounts: number; qrs: number }, []>(
    'SELECT count(*) AS accounts, coalesce(sum(qr_count), 0) AS qrs FROM accounts',
  );
  const scanStep = store.$client.query<{ scans: number; lastId: number | null }, [number]>(
    'SELECT coalesce(sum(scans), 0) AS scans, max(qr_id) AS lastId FROM ' +
      `(SELECT qr_id, scans FROM scan_counters WHERE qr_id > ? ORDER BY qr_id LIMIT ${countersPerStep})`,
  );
  const update = async (
    accountId: number,
    values: Partial<Pick<typeof accounts.$inferInsert, 'planUntilMs' | 'isOperator'>>,
  ) => {
    await write(() => store.update(accounts).set(values).where(eq(accounts.id, accountId)).run());
  };

  return {
    create: ({ atMs, ...account }) =>
      writeTransaction(
        store,
        (transaction) => insertAccount(transaction, { ...account, createdAtMs: atMs }) ?? 'taken',
      ),
    find: async (id) => select().where(eq(accounts.id, id)).get() ?? null,
    findByEmail: async (email) => select().where(eq(accounts.email, email)).get() ?? null,
    search: async (text, limit = -1) => {
      const matching = text === '' ? undefined : sql`instr(${accounts.email}, ${text})`;
      const found = select().where(matching).orderBy(asc(accounts.id)).limit(limit).all();
      const row = store.select({ rows: count() }).from(accounts).where(matching).get();
      return { accounts: found, total: row?.rows ?? 0 };
    },
    totals: async () => {
      let scans = 0;
      for (let lastId: number | null = 0; lastId !== null; ) {
        const sum: { scans: number; lastId: number | null } | null = scanStep.get(lastId);
        scans += sum?.scans ?? 0;
        lastId = sum?.lastId ?? null;
        await yieldToEventLoop();
      }
      return { ...(counts.get() ?? { accounts: 0, qrs: 0 }), scans };
    },
    changePlan: (accountId, planUntilMs) => update(accountId, { planUntilMs }),
    changeOperator: (accountId, isOperator) => update(accountId, { isOperator }),
    changePassword: (accountId, passwordHash) =>
      writeTransaction(store, (transaction) => setPassword(transaction, accountId, passwordHash)),
  };
}
