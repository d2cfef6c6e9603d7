import type { Clock, KeyStore, RandomBytes, RateLimiter } from '../ports.ts';
import { type Account, requireActivePlan } from './account.ts';
import { type KeyRecord, newKey } from './api-key.ts';

/** How an account's key stands. */
export interface KeyState {
  readonly record: KeyRecord;
  /** Requests in the minute that ends now. */
  readonly usedInWindow: number;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** What an account holder does with the API key (SPEC, "Authentication"). */
export function createApiKeys(world: {
  keys: KeyStore;
  rate: Pick<RateLimiter, 'used'>;
  clock: Clock;
  randomBytes: RandomBytes;
  prefix: string;
}) {
  const { keys, rate, clock, randomBytes, prefix } = world;
  return {
    state: async (accountId: number): Promise<KeyState | null> => {
      const record = await keys.ofAccount(accountId);
      if (record === null) return null;
      return { record, usedInWindow: await rate.used(record.hash) };
    },
    /**
     * A fresh key in the place of the one before. It exists here and on the holder's side alone.
     *
     * @throws ApiError plan_required
     */
    generate: async (account: Account): Promise<string> => {
      requireActivePlan(account, clock.nowMs());
      const { key, hash, lastFour } = newKey(prefix, randomBytes);
      await keys.replace(account.id, hash, lastFour, clock.nowMs());
      return key;
    },
    /** False when there was none. */
    revoke: (accountId: number): Promise<boolean> => keys.revoke(accountId),
  };
}
