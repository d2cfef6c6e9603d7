import type { Config } from '../config.ts';
import type { CreateThrottle, RateLimiter } from '../core/accounts/ports.ts';
import type { Health } from '../core/health.ts';
import { createSlidingWindow } from '../limits/memory/rate-limiter.ts';
import { createMemoryThrottles } from '../limits/memory/throttle.ts';
import type { Valkey } from '../limits/valkey/connection.ts';
import { createValkeyRateLimiter } from '../limits/valkey/rate-limiter.ts';
import { createValkeyThrottles } from '../limits/valkey/throttle.ts';
import { realClock } from './runtime.ts';

/** Creates the limits of requests and of sign-ins: in Valkey if there is one, else in memory. */
export function composeLimits(
  { rateLimit, databaseUrl }: Config,
  valkey: Valkey | null,
  health: Pick<Health, 'add'>,
): { readonly rate: RateLimiter; readonly createThrottle: CreateThrottle } {
  const rate = createSlidingWindow(rateLimit, realClock);
  const createThrottle = createMemoryThrottles(realClock);
  health.add({
    name: 'limits_not_shared',
    severity: 'warning',
    check: () => {
      if (valkey === null && databaseUrl !== null) return [noValkey];
      const problem = valkey?.problem() ?? null;
      return problem === null ? [] : [unavailable(problem)];
    },
  });
  if (valkey === null) return { rate, createThrottle };
  return {
    rate: createValkeyRateLimiter(valkey, rateLimit, rate),
    createThrottle: createValkeyThrottles(valkey, createThrottle),
  };
}

const noValkey =
  'Each copy of the server counts the requests of a key and failed sign-ins on its own. With more than one copy, ' +
  'set WAYMARK_VALKEY_URL so that they count together.';

function unavailable(problem: string): string {
  return (
    `Valkey cannot be used: ${problem}. Meanwhile each copy of the server counts the requests of a key and failed ` +
    'sign-ins on its own. Check WAYMARK_VALKEY_URL and that Valkey runs.'
  );
}
