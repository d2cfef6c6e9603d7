import { and, eq, lt, sql } from 'drizzle-orm';
import type { CredentialStore } from '../core/sign-in.ts';
import { accountColumns } from './accounts.ts';
import type { Store } from './open.ts';
import { accounts, knownDevices } from './schema.ts';
import { write } from './write.ts';

/** Passwords and the browsers that have signed in with them, in SQLite. */
export function makeCredentialStore(store: Store): CredentialStore {
  const byEmail = store
    .select({ account: accountColumns, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare();

  return {
    find: async (email) => byEmail.get({ email }) ?? null,
    rememberDevice: async (hash, accountId, atMs, forgetBeforeMs) => {
      const isOver = and(
        eq(knownDevices.accountId, accountId),
        lt(knownDevices.createdAt, forgetBeforeMs),
      );
      await write(() =>
        store.transaction(
          (transaction) => {
            transaction.delete(knownDevices).where(isOver).run();
            transaction.insert(knownDevices).values({ hash, accountId, createdAt: atMs }).run();
          },
          { behavior: 'immediate' },
        ),
      );
    },
    knowsDevice: async (hash, accountId) =>
      store
        .select({ hash: knownDevices.hash })
        .from(knownDevices)
        .where(and(eq(knownDevices.hash, hash), eq(knownDevices.accountId, accountId)))
        .all().length > 0,
  };
}
