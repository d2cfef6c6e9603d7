import { ApiError } from '../errors.ts';
import type { Acting, Clock } from '../ports.ts';
import { requireActivePlan } from './account.ts';
import { authorizationProblem, bearerKey, hashKey, lastFourOf } from './api-key.ts';
import type { ApiKeyStore, KeyAdmission, RateDecision, RateLimiter } from './ports.ts';

export type Access = ReturnType<typeof createAccess>;

/** Creates the admission of requests with windows that one process counts. */
export function createKeyAdmission(
  keys: Pick<ApiKeyStore, 'findOwner'>,
  rate: RateLimiter,
): KeyAdmission {
  return {
    admit: async (hash, nowMs) => {
      const owner = await keys.findOwner(hash, nowMs);
      if (owner === null) return null;
      return { account: owner.account, decision: await rate.admit(owner.currentHash) };
    },
    used: rate.used,
  };
}

/** Authenticates API requests: key, then rate limit, then plan (DESIGN, "order of checks"). */
export function createAccess(deps: {
  keys: Pick<ApiKeyStore, 'recordUse'>;
  admission: KeyAdmission;
  clock: Clock;
}) {
  const { keys, admission, clock } = deps;
  return {
    /**
     * Admits a request, and returns its account and key.
     *
     * @param authorization the `Authorization` header
     * @param search the query of the URL
     * @param onRate receives the state of the rate window, also for a rejected request
     * @throws ApiError unauthorized, rate_limited or plan_required, in this order
     */
    admit: async (
      authorization: string | null,
      search: string,
      onRate: (decision: RateDecision) => void,
    ): Promise<Acting> => {
      const key = bearerKey(authorization);
      const nowMs = clock.nowMs();
      const request = key === null ? null : await admission.admit(hashKey(key), nowMs);
      if (key === null || request === null) throw unauthorized(authorization, search);
      const { account, decision } = request;
      onRate(decision);
      if (!decision.admitted) {
        const { limit, resetSeconds: seconds } = decision;
        const reason = { kind: 'rate limited', limit, seconds } as const;
        throw new ApiError('rate_limited', reason, { 'Retry-After': String(seconds) });
      }
      keys.recordUse(account.id, nowMs);
      requireActivePlan(account, nowMs);
      return { accountId: account.id, by: { kind: 'key', lastFour: lastFourOf(key) } };
    },
  };
}

function unauthorized(authorization: string | null, search: string): ApiError {
  const problem = authorizationProblem(authorization, search);
  return new ApiError(
    'unauthorized',
    problem === null ? undefined : { kind: 'wrong authorization', problem },
    {
      // RFC 6750, 3.1: no error code where no token was sent.
      'WWW-Authenticate': /^bearer +\S/i.test(authorization ?? '')
        ? 'Bearer error="invalid_token"'
        : 'Bearer',
    },
  );
}
