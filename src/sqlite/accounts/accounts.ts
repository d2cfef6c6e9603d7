import { asc, eq, sql } from 'drizzle-orm';
import type { AccountStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { accounts } from '../database/schema.ts';
import { write, writeTransaction } from '../database/write.ts';
import type { SqliteKeyStore } from './api-keys.ts';
import { setPassword } from './credentials.ts';
import { accountColumns, insertAccount } from './row.ts';

/**
 * Creates the account store.
 *
 * @param keys its cache of accounts is cleared when an account changes; a command has none
 */
export function createAccountStore(
  store: Store,
  keys: Pick<SqliteKeyStore, 'forget'> = { forget: () => {} },
): AccountStore {
  const byEmail = store
    .select(accountColumns)
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare();
  const update = async (
    accountId: number,
    values: Partial<Pick<typeof accounts.$inferInsert, 'planUntilMs' | 'isOperator'>>,
  ) => {
    await write(() => store.update(accounts).set(values).where(eq(accounts.id, accountId)).run());
    keys.forget();
  };

  return {
    create: ({ atMs, ...account }) =>
      writeTransaction(
        store,
        (transaction) => insertAccount(transaction, { ...account, createdAtMs: atMs }) ?? 'taken',
      ),
    findByEmail: async (email) => byEmail.get({ email }) ?? null,
    list: async () =>
      store
        .select({ ...accountColumns, qrs: accounts.qrCount })
        .from(accounts)
        .orderBy(asc(accounts.id))
        .all(),
    changePlan: (accountId, planUntilMs) => update(accountId, { planUntilMs }),
    changeOperator: (accountId, isOperator) => update(accountId, { isOperator }),
    changePassword: (accountId, passwordHash) =>
      writeTransaction(store, (transaction) => setPassword(transaction, accountId, passwordHash)),
  };
}
