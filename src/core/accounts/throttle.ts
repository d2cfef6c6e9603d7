import { createCache } from '../../lib/cache.ts';
import type { Clock } from '../ports.ts';

export type Throttle = ReturnType<typeof createThrottle>;

// An attacker who changes names faster evicts only names of the same throttle.
const maxNames = 50_000;

/**
 * Creates a throttle of failed attempts by name: a burst, then one per interval. It uses the generic cell
 * rate algorithm, which stores one number per name.
 *
 * @param burst failures that are allowed at once
 * @param intervalMs time after which one more is allowed
 */
export function createThrottle(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  clock: Pick<Clock, 'monotonicMs'>,
) {
  /** For each name, the time at which its whole burst is available again. */
  const fullAtMs = createCache<string, number>(maxNames);
  const nextFullAtMs = (name: string) =>
    Math.max(fullAtMs.get(name) ?? 0, clock.monotonicMs()) + intervalMs;
  return {
    /** Returns the seconds until the next attempt is allowed, or 0. */
    waitSeconds: (name: string): number => {
      const waitMs = nextFullAtMs(name) - clock.monotonicMs() - burst * intervalMs;
      return Math.max(0, Math.ceil(waitMs / 1000));
    },
    /** Counts a failed attempt. */
    countFailure: (name: string): void => fullAtMs.set(name, nextFullAtMs(name)),
  };
}
