import { createCache } from '../../lib/cache.ts';
import type { Clock } from '../ports.ts';

/**
 * Slows repeated tries down without ever closing the door: so many at once, then one each interval
 * (the generic cell rate algorithm). One number is kept per name.
 */
export interface Throttle {
  /** Takes one try. Returns 0, or the whole seconds after which there is one again (none taken). */
  take(name: string): number;
  /** Gives a try back that turned out to be no guess. */
  giveBack(name: string): void;
}

// A stranger who changes names faster than this makes us forget only names of the same kind.
const rememberedNames = 50_000;

/**
 * @param tries how many may come at once
 * @param intervalMs how long it takes until one try is there again
 */
export function createThrottle(
  { tries, intervalMs }: { tries: number; intervalMs: number },
  clock: Pick<Clock, 'monotonicMs'>,
): Throttle {
  /** Per name the instant at which all its tries will be there again. */
  const fullAtMs = createCache<string, number>(rememberedNames);
  return {
    take: (name) => {
      const nowMs = clock.monotonicMs();
      const next = Math.max(fullAtMs.get(name) ?? 0, nowMs) + intervalMs;
      const waitMs = next - nowMs - tries * intervalMs;
      if (waitMs > 0) return Math.ceil(waitMs / 1000);
      fullAtMs.set(name, next);
      return 0;
    },
    giveBack: (name) => {
      const known = fullAtMs.get(name);
      if (known !== undefined) fullAtMs.set(name, known - intervalMs);
    },
  };
}
