import { ApiError } from '../errors.ts';
import type { Clock, KeyStore, RateDecision, RateLimiter } from '../ports.ts';
import { type Account, requireActivePlan } from './account.ts';
import { bearerKey, hashKey } from './api-key.ts';

/** Who is asking, and what is left of their window. */
export interface Admission {
  readonly account: Account;
  /** Names the key without being it. */
  readonly keyHash: string;
}

export type Access = ReturnType<typeof createAccess>;

/** Lets requests to the API in: key, then rate, then plan (DESIGN, "order of checks"). */
export function createAccess(world: { keys: KeyStore; rate: RateLimiter; clock: Clock }) {
  const { keys, rate, clock } = world;
  return {
    /**
     * @param authorization the header as it came
     * @param onRate told the state of the window as soon as it is known, also for a refusal
     * @throws ApiError unauthorized, rate_limited or plan_required, in this order
     */
    admit: async (
      authorization: string | null,
      onRate: (decision: RateDecision) => void,
    ): Promise<Admission> => {
      const key = bearerKey(authorization);
      const keyHash = key === null ? null : hashKey(key);
      const account = keyHash === null ? null : await keys.findAccount(keyHash);
      if (account === null || keyHash === null)
        throw new ApiError('unauthorized', undefined, { 'WWW-Authenticate': 'Bearer' });
      const decision = await rate.admit(keyHash);
      onRate(decision);
      if (!decision.admitted)
        throw new ApiError(
          'rate_limited',
          `More than ${decision.limit} requests in a minute. Wait ${decision.resetSeconds} seconds.`,
          { 'Retry-After': String(decision.resetSeconds) },
        );
      const nowMs = clock.nowMs();
      keys.touch(account.id, nowMs);
      requireActivePlan(account, nowMs);
      return { account, keyHash };
    },
  };
}
