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
import { accounts, sessions, signInLinks, trustedBrowsers } from '../database/schema.ts';
import type { Store, Transaction } from '../database/store.ts';
import { accountColumns, insertAccount } from './row.ts';

/** Creates the store of passwords and trusted browsers. */
export function createCredentialStore(store: Store): CredentialStore {
  /** Locks the account, so that no other copy changes the password meanwhile. */
  const isCurrent = async (transaction: Transaction, accountId: number, passwordHash: string) => {
    const rows = await transaction
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash)))
      .for('no key update');
    return rows.length > 0;
  };

  return {
    find: async (email) => {
      const [row] = await store
        .select({ account: accountColumns, passwordHash: accounts.passwordHash })
        .from(accounts)
        .where(eq(accounts.email, email));
      return row ?? null;
    },
    signIn: (accountId, verifiedHash, tokens, upgradedHash) =>
      store.transaction(async (transaction) => {
        if (!(await isCurrent(transaction, accountId, verifiedHash))) return 'outdated';
        if (upgradedHash !== null)
          await transaction
            .update(accounts)
            .set({ passwordHash: upgradedHash })
            .where(eq(accounts.id, accountId));
        await addSession(transaction, accountId, tokens);
        return 'stored';
      }),
    changePassword: (accountId, verifiedHash, nextHash, tokens) =>
      store.transaction(async (transaction) => {
        if (!(await isCurrent(transaction, accountId, verifiedHash))) return 'outdated';
        await setPassword(transaction, accountId, nextHash);
        await addSession(transaction, accountId, tokens);
        return 'changed';
      }),
    isTrustedBrowser: async (hash, accountId) => {
      const rows = await store
        .select({ hash: trustedBrowsers.hash })
        .from(trustedBrowsers)
        .where(and(eq(trustedBrowsers.hash, hash), eq(trustedBrowsers.accountId, accountId)));
      return rows.length > 0;
    },
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
    .prepare('session_by_hash');

  return {
    find: async (hash) => (await byHash.execute({ hash }))[0] ?? null,
    recordUse: async (hash, atMs) => {
      await store.update(sessions).set({ lastSeenAtMs: atMs }).where(eq(sessions.hash, hash));
    },
    remove: async (hash) => {
      await store.delete(sessions).where(eq(sessions.hash, hash));
    },
    removeAll: (accountId) =>
      store.transaction((transaction) => removeSessions(transaction, accountId)),
  };
}

/** Creates the store of one-time links to the account panel. */
export function createSignInLinkStore(store: Store): SignInLinkStore {
  const hasAccounts = async (reader: Transaction) =>
    (await reader.select({ id: accounts.id }).from(accounts).limit(1)).length > 0;
  const find = async (
    reader: Transaction,
    hash: string,
    nowMs: number,
  ): Promise<{ account: Account | null } | null> => {
    const [link] = await reader
      .select({ account: accountColumns })
      .from(signInLinks)
      .leftJoin(accounts, eq(accounts.id, signInLinks.accountId))
      .where(and(eq(signInLinks.hash, hash), gt(signInLinks.expiresAtMs, nowMs)));
    if (link === undefined || (link.account === null && (await hasAccounts(reader)))) return null;
    return link;
  };

  return {
    add: (hash, accountId, expiresAtMs) =>
      store.transaction(async (transaction) => {
        const earlier =
          accountId === null ? isNull(signInLinks.accountId) : eq(signInLinks.accountId, accountId);
        await transaction.delete(signInLinks).where(earlier);
        await transaction.insert(signInLinks).values({ hash, accountId, expiresAtMs });
      }),
    find: (hash, nowMs) => find(store, hash, nowMs),
    redeem: (hash, email, passwordHash, tokens) =>
      store.transaction(async (transaction) => {
        const { atMs } = tokens;
        const link = await find(transaction, hash, atMs);
        if (link === null) return null;
        // Whoever deletes it redeems it; another copy waits here.
        const redeemed = await transaction
          .delete(signInLinks)
          .where(eq(signInLinks.hash, hash))
          .returning({ hash: signInLinks.hash });
        if (redeemed.length === 0) return null;
        const first = { email, isOperator: true, passwordHash, createdAtMs: atMs };
        const account = link.account ?? (await insertAccount(transaction, first));
        if (account === null) return null;
        await setPassword(transaction, account.id, passwordHash);
        await addSession(transaction, account.id, tokens);
        return account;
      }),
    isFirstAccountMissing: async () => !(await hasAccounts(store)),
  };
}

/**
 * Sets an account's password and removes its sessions, trusted browsers and sign-in link, inside a
 * transaction.
 */
export async function setPassword(
  transaction: Transaction,
  accountId: number,
  passwordHash: string,
): Promise<void> {
  await transaction.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));
  await removeSessions(transaction, accountId);
  await transaction.delete(signInLinks).where(eq(signInLinks.accountId, accountId));
}

/** Adds a session and a trusted browser and deletes all expired ones, inside a transaction. */
async function addSession(
  transaction: Transaction,
  accountId: number,
  { sessionHash, trustedBrowserHash, atMs }: StoredSignIn,
): Promise<void> {
  await transaction.delete(sessions).where(lt(sessions.createdAtMs, atMs - sessionMaxAgeMs));
  await transaction
    .delete(trustedBrowsers)
    .where(lt(trustedBrowsers.createdAtMs, atMs - trustedBrowserLifetimeMs));
  await transaction
    .insert(sessions)
    .values({ hash: sessionHash, accountId, createdAtMs: atMs, lastSeenAtMs: atMs });
  await transaction
    .insert(trustedBrowsers)
    .values({ hash: trustedBrowserHash, accountId, createdAtMs: atMs });
}

/** Removes all sessions and trusted browsers of an account, inside a transaction. */
async function removeSessions(transaction: Transaction, accountId: number): Promise<void> {
  await transaction.delete(sessions).where(eq(sessions.accountId, accountId));
  await transaction.delete(trustedBrowsers).where(eq(trustedBrowsers.accountId, accountId));
}
