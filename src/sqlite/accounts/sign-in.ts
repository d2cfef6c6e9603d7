import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import {
  type SessionStore,
  type StoredSignIn,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../core/accounts/session.ts';
import type { CredentialStore } from '../../core/accounts/sign-in.ts';
import type { SignInLinkStore } from '../../core/accounts/sign-in-link.ts';
import type { Store } from '../database/open.ts';
import { accounts, sessions, signInLinks, trustedBrowsers } from '../database/schema.ts';
import { hasRows } from '../database/startup-queries.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';
import { accountColumns, insertAccount } from './row.ts';

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
    signIn: (accountId, verifiedHash, tokens, upgradedHash) =>
      writeTransaction(store, (transaction) => {
        if (!isCurrent(transaction, accountId, verifiedHash)) return 'outdated';
        if (upgradedHash !== null)
          transaction
            .update(accounts)
            .set({ passwordHash: upgradedHash })
            .where(eq(accounts.id, accountId))
            .run();
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

/** Creates the store of the account panel's sessions. */
export function createSessionStore(store: Store): SessionStore {
  const byHash = store
    .select({
      account: accountColumns,
      createdAtMs: sessions.createdAtMs,
      lastSeenAtMs: sessions.lastSeenAtMs,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(eq(sessions.hash, sql.placeholder('hash')))
    .prepare();

  return {
    find: async (hash) => byHash.get({ hash }) ?? null,
    recordUse: async (hash, atMs) => {
      await write(() =>
        store.update(sessions).set({ lastSeenAtMs: atMs }).where(eq(sessions.hash, hash)).run(),
      );
    },
    remove: async (hash) => {
      await write(() => store.delete(sessions).where(eq(sessions.hash, hash)).run());
    },
    removeAll: (accountId) =>
      writeTransaction(store, (transaction) => removeSessions(transaction, accountId)),
  };
}

/** Creates the store of one-time links to the account panel. */
export function createSignInLinkStore(store: Store): SignInLinkStore {
  const find = (hash: string, nowMs: number): { account: Account | null } | null => {
    const link = store
      .select({ account: accountColumns })
      .from(signInLinks)
      .leftJoin(accounts, eq(accounts.id, signInLinks.accountId))
      .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAtMs, nowMs)))
      .get();
    if (link === undefined || (link.account === null && hasRows(store, 'accounts'))) return null;
    return link;
  };

  return {
    add: (hash, accountId, expiresAtMs) =>
      writeTransaction(store, (transaction) => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        transaction.delete(signInLinks).where(earlier).run();
        transaction.insert(signInLinks).values({ hash, accountId, expiresAtMs }).run();
      }),
    find: async (hash, nowMs) => find(hash, nowMs),
    redeem: (hash, email, passwordHash, tokens) =>
      writeTransaction(store, (transaction) => {
        const { atMs } = tokens;
        const link = find(hash, atMs);
        if (link === null) return null;
        const first = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = link.account ?? insertAccount(transaction, first);
        if (account === null) return null;
        setPassword(transaction, account.id, passwordHash);
        transaction.delete(signInLinks).where(eq(signInLinks.hash, hash)).run();
        addSession(transaction, account.id, tokens);
        return account;
      }),
    isFirstAccountMissing: async () => !hasRows(store, 'accounts'),
  };
}

/**
 * Sets an account's password and removes its sessions, trusted browsers and sign-in link, inside a
 * transaction.
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

/** Adds a session and a trusted browser and deletes all expired ones, inside a transaction. */
export function addSession(
  transaction: Transaction,
  accountId: number,
  { sessionHash, trustedBrowserHash, atMs }: StoredSignIn,
): void {
  transaction
    .delete(sessions)
    .where(lt(sessions.createdAtMs, atMs - sessionMaxAgeMs))
    .run();
  transaction
    .delete(trustedBrowsers)
    .where(lt(trustedBrowsers.createdAtMs, atMs - trustedBrowserLifetimeMs))
    .run();
  transaction
    .insert(sessions)
    .values({ hash: sessionHash, accountId, createdAtMs: atMs, lastSeenAtMs: atMs })
    .run();
  transaction
    .insert(trustedBrowsers)
    .values({ hash: trustedBrowserHash, accountId, createdAtMs: atMs })
    .run();
}

/** Removes all sessions and trusted browsers of an account, inside a transaction. */
function removeSessions(transaction: Transaction, accountId: number): void {
  transaction.delete(sessions).where(eq(sessions.accountId, accountId)).run();
  transaction.delete(trustedBrowsers).where(eq(trustedBrowsers.accountId, accountId)).run();
}
