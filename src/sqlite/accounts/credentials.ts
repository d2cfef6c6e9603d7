import { and, eq, sql } from 'drizzle-orm';
import type { CredentialStore } from '../../core/accounts/sign-in.ts';
import type { Store } from '../database/open.ts';
import { accounts, signInLinks, trustedBrowsers } from '../database/schema.ts';
import { type Transaction, writeTransaction } from '../database/write.ts';
import { accountColumns } from './row.ts';
import { addSession, removeSessions } from './sessions.ts';

/** Creates the store of passwords and trusted browsers. */
export function createCredentialStore(store: Store): CredentialStore {
  const byEmail = store
    .select({ account: accountColumns, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.email, sql.placeholder('email')))
    .prepare();
  const isCurrent = (transaction: Transaction, accountId: number, passwordHash: string): boolean =>
    transaction
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash)))
      .all().length > 0;

  return {
    find: async (email) => byEmail.get({ email }) ?? null,
    signIn: (accountId, verifiedHash, tokens) =>
      writeTransaction(store, (transaction) => {
        if (!isCurrent(transaction, accountId, verifiedHash)) return 'outdated';
        addSession(transaction, accountId, tokens);
        return 'stored';
      }),
    changePassword: (accountId, verifiedHash, nextHash, tokens) =>
      writeTransaction(store, (transaction) => {
        if (!isCurrent(transaction, accountId, verifiedHash)) return 'outdated';
        setPassword(transaction, accountId, nextHash);
        addSession(transaction, accountId, tokens);
        return 'changed';
      }),
    isTrustedBrowser: async (hash, accountId) =>
      store
        .select({ hash: trustedBrowsers.hash })
        .from(trustedBrowsers)
        .where(and(eq(trustedBrowsers.hash, hash), eq(trustedBrowsers.accountId, accountId)))
        .all().length > 0,
  };
}

/**
 * Sets an account's password and removes its sessions, trusted browsers and sign-in link, inside a
 * transaction. Every password change uses it.
 */
export function setPassword(
  transaction: Transaction,
  accountId: number,
  passwordHash: string,
): void {
  transaction.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId)).run();
  removeSessions(transaction, accountId);
  transaction.delete(signInLinks).where(eq(signInLinks.accountId, accountId)).run();
}
