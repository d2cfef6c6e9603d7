import { and, eq, sql } from 'drizzle-orm';
import type { CredentialStore } from '../../core/accounts/sign-in.ts';
import type { Store } from '../database/open.ts';
import { accounts, knownDevices } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { accountColumns } from './accounts.ts';
import { addSession } from './entries.ts';
import { setPassword } from './set-password.ts';

/** Passwords and the browsers that have signed in with them, in SQLite. */
export function createCredentialStore(store: Store): CredentialStore {
  const byEmail = store
    .select({ account: accountColumns, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare();
  const isPresent = (accountId: number, passwordHash: string): boolean =>
    store
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash)))
      .all().length > 0;
  const atOnce = <T>(run: () => T): Promise<T> =>
    write(() => store.transaction(run, { behavior: 'immediate' }));

  return {
    find: async (email) => byEmail.get({ email }) ?? null,
    signIn: async (accountId, verifiedHash, tokens) =>
      atOnce(() => {
        if (!isPresent(accountId, verifiedHash)) return 'outdated';
        addSession(store, accountId, tokens);
        return 'stored';
      }),
    changePassword: async (accountId, verifiedHash, nextHash, tokens) =>
      atOnce(() => {
        if (!isPresent(accountId, verifiedHash)) return 'outdated';
        setPassword(store, accountId, nextHash);
        addSession(store, accountId, tokens);
        return 'changed';
      }),
    isTrustedBrowser: async (hash, accountId) =>
      store
        .select({ hash: knownDevices.hash })
        .from(knownDevices)
        .where(and(eq(knownDevices.hash, hash), eq(knownDevices.accountId, accountId)))
        .all().length > 0,
  };
}
