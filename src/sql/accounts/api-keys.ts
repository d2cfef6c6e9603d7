import { eq, sql } from 'drizzle-orm';
import { keyUseIntervalMs } from '../../core/accounts/api-key.ts';
import type { ApiKeyStore } from '../../core/accounts/ports.ts';
import { type Dialect, rowOf, run } from '../dialect.ts';
import { accountColumns } from './accounts.ts';

/** Creates the store of API keys. */
export function createKeyStore(dialect: Dialect): ApiKeyStore {
  const { tables, read, write, transaction, locked, isOneOf, prepareLookUp } = dialect;
  const { accounts, apiKeys } = tables;
  // Every API request runs it.
  const byHash = prepareLookUp((db) => {
    // In a SELECT of its own: SQLite compiles a statement at each run that has a parameter beside a joined column.
    const owner = db.select({ id: apiKeys.accountId }).from(apiKeys);
    const isOwner = isOneOf(accounts.id, owner.where(eq(apiKeys.hash, sql.placeholder('hash'))));
    return db.select(accountColumns(tables)).from(accounts).where(isOwner);
  });
  const lastUses = new Map<number, number>();

  return {
    replace: async (accountId, hash, lastFour, atMs, limit) => {
      const row = { hash, lastFour, createdAtMs: atMs, lastUsedAtMs: null };
      const isAccount = eq(accounts.id, accountId);
      const nextAtMs = await transaction(function* (db) {
        if (limit !== undefined) {
          const query = db
            .select({ times: accounts.keyGenerations })
            .from(accounts)
            .where(isAccount);
          const { times } = (yield* rowOf(locked(query))) ?? { times: '' };
          // Later ones are from before the clock was set back.
          const recent = (times.match(/\d+/g) ?? [])
            .map(Number)
            .filter((timeMs) => timeMs > atMs - limit.windowMs && timeMs <= atMs);
          const [oldest = atMs] = recent;
          if (recent.length >= limit.count) return oldest + limit.windowMs;
          const keyGenerations = [...recent, atMs].join(' ');
          yield* run(db.update(accounts).set({ keyGenerations }).where(isAccount));
        }
        yield* run(
          db
            .insert(apiKeys)
            .values({ accountId, ...row })
            .onConflictDoUpdate({ target: apiKeys.accountId, set: row }),
        );
        return null;
      });
      if (nextAtMs === null) lastUses.delete(accountId);
      return nextAtMs;
    },
    revoke: async (accountId) => {
      const revoked = await write((db) =>
        db
          .delete(apiKeys)
          .where(eq(apiKeys.accountId, accountId))
          .returning({ accountId: apiKeys.accountId }),
      );
      return revoked.length > 0;
    },
    findAccount: async (hash) => (await byHash.all({ hash }))[0] ?? null,
    findByAccount: (accountId) =>
      read((db) => rowOf(db.select().from(apiKeys).where(eq(apiKeys.accountId, accountId)))),
    recordUse: (accountId, lastUsedAtMs) => {
      if (lastUsedAtMs - (lastUses.get(accountId) ?? 0) < keyUseIntervalMs) return;
      lastUses.set(accountId, lastUsedAtMs);
      write((db) =>
        db.update(apiKeys).set({ lastUsedAtMs }).where(eq(apiKeys.accountId, accountId)),
      ).catch(() => {
        // For information only: a request must not fail because of it.
      });
    },
  };
}
