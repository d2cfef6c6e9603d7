import { createCache } from '../../lib/cache.ts';
import type { Clock } from '../ports.ts';

export type Throttle = ReturnType<typeof createThrottle>;

// The least recently used names are evicted first.
const maxNames = 50_000;

/**
 * Creates a limiter of failed attempts per name, such as an account or an address. The caller asks
 * `waitSeconds` before an attempt and reports failures. It uses the generic cell rate algorithm, which
 * stores one number per name.
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
