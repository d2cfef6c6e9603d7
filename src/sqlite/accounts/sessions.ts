import { eq, sql } from 'drizzle-orm';
import type { SessionStore } from '../../core/accounts/session.ts';
import type { Store } from '../database/open.ts';
import { accounts, sessions } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { accountColumns } from './accounts.ts';
import { endSessions } from './end-sessions.ts';

/** Sessions of the account panel in SQLite, by the hash of their token. */
export function createSessionStore(store: Store): SessionStore {
  const byHash = store
    .select({
      account: accountColumns,
      createdAtMs: sessions.createdAt,
      lastSeenAtMs: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(eq(sessions.hash, sql.placeholder('hash')))
    .prepare();

  return {
    find: async (hash) => byHash.get({ hash }) ?? null,
    recordUse: async (hash, atMs) => {
      await write(() =>
        store.update(sessions).set({ lastSeenAt: atMs }).where(eq(sessions.hash, hash)).run(),
      );
    },
    remove: async (hash) => {
      await write(() => store.delete(sessions).where(eq(sessions.hash, hash)).run());
    },
    removeAll: async (accountId) => {
      await write(() =>
        store.transaction((transaction) => endSessions(transaction, accountId), {
          behavior: 'immediate',
        }),
      );
    },
  };
}
