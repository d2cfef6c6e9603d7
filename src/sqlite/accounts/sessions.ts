import { eq, lt, sql } from 'drizzle-orm';
import {
  type SessionStore,
  type StoredSignIn,
  sessionMaxAgeMs,
  trustedBrowserLifetimeMs,
} from '../../core/accounts/session.ts';
import type { Store } from '../database/open.ts';
import { accounts, sessions, trustedBrowsers } from '../database/schema.ts';
import { type Transaction, write, writeTransaction } from '../database/write.ts';
import { accountColumns } from './row.ts';

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
export function removeSessions(transaction: Transaction, accountId: number): void {
  transaction.delete(sessions).where(eq(sessions.accountId, accountId)).run();
  transaction.delete(trustedBrowsers).where(eq(trustedBrowsers.accountId, accountId)).run();
}
