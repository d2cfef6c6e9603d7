import { asc, eq, sql } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import { plainDesign } from '../../core/designs/design.ts';
import type { AccountStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { accounts, designs } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { designRow } from '../designs/designs.ts';
import type { SqliteKeyStore } from './api-keys.ts';
import { setPassword } from './set-password.ts';

/**
 * Accounts in SQLite.
 *
 * @param keys told when a plan changes, so that the API follows at the next request; a command, which
 *   lets nobody in, has nobody to tell
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

  return {
    create: async ({ email, isOperator, planUntilMs, passwordHash, atMs }) =>
      await write(() =>
        store.transaction(
          (transaction) => {
            const account = transaction
              .insert(accounts)
              .values({ email, isOperator, planUntil: planUntilMs, passwordHash, createdAt: atMs })
              .onConflictDoNothing()
              .returning(accountColumns)
              .get();
            // The driver gives undefined for no row; its types do not say so.
            if ((account as Account | undefined) === undefined) return 'taken';
            transaction
              .insert(designs)
              .values(designRow(account.id, plainDesign, atMs))
              .run();
            return account;
          },
          { behavior: 'immediate' },
        ),
      ),
    findByEmail: async (email) => byEmail.get({ email }) ?? null,
    list: async () =>
      store
        .select({ ...accountColumns, qrs: accounts.qrCount })
        .from(accounts)
        .orderBy(asc(accounts.id))
        .all(),
    changePlan: async (accountId, planUntilMs) => {
      await write(() =>
        store
          .update(accounts)
          .set({ planUntil: planUntilMs })
          .where(eq(accounts.id, accountId))
          .run(),
      );
      keys.forget();
    },
    changeOperator: async (accountId, isOperator) => {
      await write(() =>
        store.update(accounts).set({ isOperator }).where(eq(accounts.id, accountId)).run(),
      );
    },
    changePassword: async (accountId, passwordHash) => {
      await write(() =>
        store.transaction((transaction) => setPassword(transaction, accountId, passwordHash), {
          behavior: 'immediate',
        }),
      );
    },
  };
}

/** The columns of an account, under the names that the core gives them. */
export const accountColumns = {
  id: accounts.id,
  email: accounts.email,
  isOperator: accounts.isOperator,
  planUntilMs: accounts.planUntil,
  createdAtMs: accounts.createdAt,
};
