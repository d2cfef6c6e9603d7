import { createCache } from '../../lib/cache.ts';
import type { Clock } from '../ports.ts';

/** Rate limiter for attempts by name: a burst, then one attempt per interval. */
export interface Throttle {
  /** Takes one attempt. Returns 0, or the seconds to wait when none is left. */
  take(name: string): number;
  /** Returns an attempt, for example one that succeeded. */
  refund(name: string): void;
}

// An attacker who changes names faster evicts only names of the same throttle.
const maxNames = 50_000;

/**
 * Creates a throttle with the generic cell rate algorithm, which stores one number per name.
 *
 * @param burst attempts that are admitted at once
 * @param intervalMs time after which one more attempt is admitted
 */
export function createThrottle(
  { burst, intervalMs }: { burst: number; intervalMs: number },
  clock: Pick<Clock, 'monotonicMs'>,
): Throttle {
  /** For each name, the time at which its whole burst is available again. */
  const fullAtMs = createCache<string, number>(maxNames);
  return {
    take: (name) => {
      const nowMs = clock.monotonicMs();
      const next = Math.max(fullAtMs.get(name) ?? 0, nowMs) + intervalMs;
      const waitMs = next - nowMs - burst * intervalMs;
      if (waitMs > 0) return Math.ceil(waitMs / 1000);
      fullAtMs.set(name, next);
      return 0;
    },
    refund: (name) => {
      const known = fullAtMs.get(name);
      if (known !== undefined) fullAtMs.set(name, known - intervalMs);
    },
  };
}
