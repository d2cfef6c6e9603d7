import { and, eq, lte, sql } from 'drizzle-orm';
import type { KeyStore } from '../core/ports.ts';
import { accountColumns } from './accounts.ts';
import type { Store } from './open.ts';
import { accounts, keys } from './schema.ts';
import { isUnwritable, write } from './write.ts';

export interface SqliteKeyStore extends KeyStore {
  /** Writes down the uses that were only noted so far. */
  close(): void;
}

// A key's last use is shown to the minute; writing it for every request would double the writes.
const noteUsesEveryMs = 10_000;

/** API keys in SQLite: one per account, kept as its hash. */
export function makeKeyStore(store: Store): SqliteKeyStore {
  const byHash = store
    .select(accountColumns)
    .from(keys)
    .innerJoin(accounts, eq(accounts.id, keys.accountId))
    .where(eq(keys.hash, sql.placeholder('hash')))
    .prepare();
  const uses = new Map<number, number>();
  let timer: Timer | null = null;

  const writeUses = () => {
    timer = null;
    try {
      store.transaction((transaction) => {
        for (const [accountId, atMs] of uses)
          transaction
            .update(keys)
            .set({ lastUsedAt: atMs })
            // A key that was generated since was not the one that was used.
            .where(and(eq(keys.accountId, accountId), lte(keys.createdAt, atMs)))
            .run();
      });
      uses.clear();
    } catch (error) {
      // A note for the eye: it waits for the next use rather than troubling anyone.
      if (!isUnwritable(error)) throw error;
    }
  };

  return {
    replace: async (accountId, hash, lastFour, atMs) => {
      const row = { hash, lastFour, createdAt: atMs, lastUsedAt: null };
      await write(() =>
        store
          .insert(keys)
          .values({ accountId, ...row })
          .onConflictDoUpdate({ target: keys.accountId, set: row })
          .run(),
      );
    },
    revoke: async (accountId) =>
      (await write(() => store.delete(keys).where(eq(keys.accountId, accountId)).returning().all()))
        .length > 0,
    findAccount: async (hash) => byHash.get({ hash }) ?? null,
    ofAccount: async (accountId) =>
      store
        .select({
          accountId: keys.accountId,
          hash: keys.hash,
          lastFour: keys.lastFour,
          createdAtMs: keys.createdAt,
          lastUsedAtMs: keys.lastUsedAt,
        })
        .from(keys)
        .where(eq(keys.accountId, accountId))
        .get() ?? null,
    touch: (accountId, atMs) => {
      uses.set(accountId, atMs);
      timer ??= setTimeout(writeUses, noteUsesEveryMs);
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      if (uses.size > 0) writeUses();
    },
  };
}
