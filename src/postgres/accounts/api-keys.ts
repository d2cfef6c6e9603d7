import { eq, sql } from 'drizzle-orm';
import type { ApiKeyStore } from '../../core/ports.ts';
import { accounts, apiKeys } from '../database/schema.ts';
import type { Store } from '../database/store.ts';
import { accountColumns } from './row.ts';

// The panel shows the last use to the minute. Writing every use would double the writes of a request.
const useIntervalMs = 60_000;

/**
 * Creates the store of API keys.
 *
 * @param lookUps on `Connection.lookUps`
 */
export function createKeyStore(store: Store, lookUps: Store): ApiKeyStore {
  // Prepared, because every API request runs it.
  const byHash = lookUps
    .select(accountColumns)
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare('account_by_key');
  const lastUses = new Map<number, number>();

  return {
    replace: async (accountId, hash, lastFour, atMs) => {
      const row = { hash, lastFour, createdAtMs: atMs, lastUsedAtMs: null };
      await store
        .insert(apiKeys)
        .values({ accountId, ...row })
        .onConflictDoUpdate({ target: apiKeys.accountId, set: row });
      lastUses.delete(accountId);
    },
    revoke: async (accountId) => {
      const revoked = await store
        .delete(apiKeys)
        .where(eq(apiKeys.accountId, accountId))
        .returning({ accountId: apiKeys.accountId });
      return revoked.length > 0;
    },
    findAccount: async (hash) => (await byHash.execute({ hash }))[0] ?? null,
    findByAccount: async (accountId) =>
      (await store.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)))[0] ?? null,
    recordUse: (accountId, atMs) => {
      if (atMs - (lastUses.get(accountId) ?? 0) < useIntervalMs) return;
      lastUses.set(accountId, atMs);
      store
        .update(apiKeys)
        .set({ lastUsedAtMs: atMs })
        .where(eq(apiKeys.accountId, accountId))
        .catch(() => {
          // For information only: a request must not fail because of it.
        });
    },
  };
}
