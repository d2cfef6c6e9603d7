import { createCache } from '../../lib/cache.ts';
import type { Clock } from '../ports.ts';

/** Limits failed attempts by name: a burst, then one per interval. */
export interface Throttle {
  /** Returns the seconds until the next attempt is allowed, or 0. */
  waitSeconds(name: string): number;
  /** Counts a failed attempt. */
  countFailure(name: string): void;
}

// An attacker who changes names faster evicts only names of the same throttle.
const maxNames = 50_000;

/**
 * Creates a throttle with the generic cell rate algorithm, which stores one number per name.
 *
 * @param burst failures that are allowed at once
 * @param intervalMs time after which one more is allowed
 */
export function createThrottle(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  clock: Pick<Clock, 'monotonicMs'>,
): Throttle {
  /** For each name, the time at which its whole burst is available again. */
  const fullAtMs = createCache<string, number>(maxNames);
  const nextFullAtMs = (name: string) =>
    Math.max(fullAtMs.get(name) ?? 0, clock.monotonicMs()) + intervalMs;
  return {
    waitSeconds: (name) => {
      const waitMs = nextFullAtMs(name) - clock.monotonicMs() - burst * intervalMs;
      return Math.max(0, Math.ceil(waitMs / 1000));
    },
    countFailure: (name) => fullAtMs.set(name, nextFullAtMs(name)),
  };
}
