import { asc, count, eq, sql, sum } from 'drizzle-orm';
import type { AccountStore } from '../../core/ports.ts';
import { hitKinds } from '../../core/scans/hit.ts';
import { accounts, pendingHits, scanCounters } from '../database/schema.ts';
import type { Store } from '../database/store.ts';
import { accountColumns, insertAccount } from './row.ts';
import { setPassword } from './sign-in.ts';

/** Creates the account store. */
export function createAccountStore(store: Store): AccountStore {
  const select = () => store.select({ ...accountColumns, qrs: accounts.qrCount }).from(accounts);
  const update = async (
    accountId: number,
    values: Partial<Pick<typeof accounts.$inferInsert, 'planUntilMs' | 'isOperator'>>,
  ) => {
    await store.update(accounts).set(values).where(eq(accounts.id, accountId));
  };

  return {
    create: ({ atMs, ...account }) =>
      store.transaction(
        async (transaction) =>
          (await insertAccount(transaction, { ...account, createdAtMs: atMs })) ?? 'taken',
      ),
    find: async (id) => (await select().where(eq(accounts.id, id)))[0] ?? null,
    findByEmail: async (email) => (await select().where(eq(accounts.email, email)))[0] ?? null,
    search: async (text, limit) => {
      // PostgreSQL cannot store this character, so nothing contains it.
      if (text.includes('\0')) return { accounts: [], total: 0 };
      const matching = text === '' ? undefined : sql`position(${text} in ${accounts.email}) > 0`;
      const ordered = select().where(matching).orderBy(asc(accounts.id)).$dynamic();
      const found = await (limit === undefined ? ordered : ordered.limit(limit));
      const [rows] = await store.select({ total: count() }).from(accounts).where(matching);
      return { accounts: found, total: rows?.total ?? 0 };
    },
    totals: async () => {
      const number = (value: string | null | undefined) => Number(value ?? 0);
      // One statement, which sees hits either in the log or in the counters.
      const [row] = await store
        .select({
          accounts: store.$count(accounts),
          qrs: sql<string | null>`(${store.select({ sum: sum(accounts.qrCount) }).from(accounts)})`,
          counted: sql<
            string | null
          >`(${store.select({ sum: sum(scanCounters.scans) }).from(scanCounters)})`,
          pending: sql<string | null>`(${store
            .select({ sum: sum(pendingHits.hits) })
            .from(pendingHits)
            .where(eq(pendingHits.kind, hitKinds.indexOf('scan')))})`,
        })
        .from(sql`(values (1)) as one`);
      return {
        accounts: row?.accounts ?? 0,
        qrs: number(row?.qrs),
        scans: number(row?.counted) + number(row?.pending),
      };
    },
    changePlan: (accountId, planUntilMs) => update(accountId, { planUntilMs }),
    changeOperator: (accountId, isOperator) => update(accountId, { isOperator }),
    changePassword: (accountId, passwordHash) =>
      store.transaction((transaction) => setPassword(transaction, accountId, passwordHash)),
  };
}
