import { eq, sql } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import type { ApiKeyStore } from '../../core/ports.ts';
import type { Store } from '../database/open.ts';
import { accounts, apiKeys } from '../database/schema.ts';
import { createVersionedCache } from '../database/versioned-cache.ts';
import { write } from '../database/write.ts';
import { accountColumns } from './row.ts';

export interface SqliteKeyStore extends ApiKeyStore {
  /** Clears the cache of accounts, after this process changed one. */
  forget(): void;
}

// The panel shows the last use to the minute. Writing every use would double the API's writes.
const useIntervalMs = 60_000;

const cachedAccounts = 10_000;

/** Creates the store of API keys. Accounts of keys are cached, because every API request needs one. */
export function createKeyStore(store: Store): SqliteKeyStore {
  const byHash = store
    .select(accountColumns)
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare();
  const cache = createVersionedCache<string, Account>(store.$client, cachedAccounts);
  const lastUses = new Map<number, number>();

  return {
    replace: async (accountId, hash, lastFour, atMs) => {
      const row = { hash, lastFour, createdAtMs: atMs, lastUsedAtMs: null };
      await write(() =>
        store
          .insert(apiKeys)
          .values({ accountId, ...row })
          .onConflictDoUpdate({ target: apiKeys.accountId, set: row })
          .run(),
      );
      cache.clear();
      lastUses.delete(accountId);
    },
    revoke: async (accountId) => {
      const revoked = await write(() =>
        store.delete(apiKeys).where(eq(apiKeys.accountId, accountId)).returning().all(),
      );
      cache.clear();
      return revoked.length > 0;
    },
    findAccount: async (hash) => {
      const cached = await cache.getLatest(hash);
      if (cached !== undefined) return cached;
      const account = byHash.get({ hash });
      if (account === undefined) return null;
      cache.set(hash, account);
      return account;
    },
    forget: () => cache.clear(),
    findByAccount: async (accountId) =>
      store.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)).get() ?? null,
    recordUse: (accountId, atMs) => {
      if (atMs - (lastUses.get(accountId) ?? 0) < useIntervalMs) return;
      lastUses.set(accountId, atMs);
      try {
        store
          .update(apiKeys)
          .set({ lastUsedAtMs: atMs })
          .where(eq(apiKeys.accountId, accountId))
          .run();
      } catch {
        // Information for people only: a request must not fail because of it.
      }
    },
  };
}
