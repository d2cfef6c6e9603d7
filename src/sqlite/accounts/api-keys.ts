import { and, eq, lte, sql } from 'drizzle-orm';
import type { Account } from '../../core/accounts/account.ts';
import type { ApiKeyStore } from '../../core/ports.ts';
import { createFreshCache } from '../database/fresh-cache.ts';
import type { Store } from '../database/open.ts';
import { accounts, keys } from '../database/schema.ts';
import { write } from '../database/write.ts';
import { accountColumns } from './accounts.ts';

export interface SqliteKeyStore extends ApiKeyStore {
  /** Forgets whose the keys are, after this process changed an account. */
  forget(): void;
  /** Writes down the uses that were only noted so far. */
  close(): void;
}

// A key's last use is shown to the minute; writing it for every request would double the writes.
const noteUsesEveryMs = 10_000;

// Two generations of this many accounts: a few megabytes.
const cachedAccounts = 10_000;

/**
 * API keys in SQLite: one per account, kept as its hash. Whose the keys are that were used lately is
 * remembered, because every request of the API asks.
 */
export function createKeyStore(store: Store): SqliteKeyStore {
  const byHash = store
    .select(accountColumns)
    .from(keys)
    .innerJoin(accounts, eq(accounts.id, keys.accountId))
    .where(eq(keys.hash, sql.placeholder('hash')))
    .prepare();
  const known = createFreshCache<string, Account>(store.$client, cachedAccounts);
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
    } catch {
      // A note for the eye: it waits for the next use rather than troubling anyone. Not even damage may
      // end the server from here: printed codes go on, and whoever reads or writes for an answer says so.
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
      known.clear();
    },
    revoke: async (accountId) => {
      const revoked = await write(() =>
        store.delete(keys).where(eq(keys.accountId, accountId)).returning().all(),
      );
      known.clear();
      return revoked.length > 0;
    },
    findAccount: async (hash) => {
      const remembered = await known.getLatest(hash);
      if (remembered !== undefined) return remembered;
      const account = byHash.get({ hash });
      if (account === undefined) return null;
      known.set(hash, account);
      return account;
    },
    forget: () => known.clear(),
    findByAccount: async (accountId) => {
      const record = store
        .select({
          accountId: keys.accountId,
          hash: keys.hash,
          lastFour: keys.lastFour,
          createdAtMs: keys.createdAt,
          lastUsedAtMs: keys.lastUsedAt,
        })
        .from(keys)
        .where(eq(keys.accountId, accountId))
        .get();
      if (record === undefined) return null;
      const noted = uses.get(accountId) ?? 0;
      return noted < record.createdAtMs ? record : { ...record, lastUsedAtMs: noted };
    },
    recordUse: (accountId, atMs) => {
      uses.set(accountId, atMs);
      timer ??= setTimeout(writeUses, noteUsesEveryMs);
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      if (uses.size > 0) writeUses();
    },
  };
}
