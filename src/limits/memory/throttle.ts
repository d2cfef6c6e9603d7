import type { CreateThrottle } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';

// The least recently used names are evicted first.
const maxNames = 50_000;

/**
 * Creates throttles in memory.
 * They use the generic cell rate algorithm, which stores one number per name. A restart forgets all failures.
 */
export function createMemoryThrottles(clock: Pick<Clock, 'monotonicMs'>): CreateThrottle {
  return (_kind, { burst, intervalMs }) => {
    /** For each name, the time at which its whole burst is available again. */
    const fullAtMs = createCache<string, number>(maxNames);
    const nextFullAtMs = (name: string) =>
      Math.max(fullAtMs.get(name) ?? 0, clock.monotonicMs()) + intervalMs;
    return {
      waitSeconds: async (name) => {
        const waitMs = nextFullAtMs(name) - clock.monotonicMs() - burst * intervalMs;
        return Math.max(0, Math.ceil(waitMs / 1000));
      },
      countFailure: async (name) => fullAtMs.set(name, nextFullAtMs(name)),
    };
  };
}
