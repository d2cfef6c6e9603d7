import type { CreateThrottle } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';
import { createCache } from '../../lib/cache.ts';

// The least recently used names are evicted first.
const maxNames = 50_000;

/** When the whole burst of a name is available again, and when that was computed. */
interface Level {
  readonly fullAtMs: number;
  readonly atMs: number;
}

/**
 * Creates throttles in memory.
 * They use the generic cell rate algorithm, which stores one number per name, and the time of the write: if that is of
 * the future, the clock was set back, and the wait stays as it was and passes. A restart forgets all failures.
 */
export function createMemoryThrottles(clock: Pick<Clock, 'monotonicMs'>): CreateThrottle {
  return (_kind, { burst, intervalMs }) => {
    const levels = createCache<string, Level>(maxNames);
    const levelOf = (name: string): Level => {
      const nowMs = clock.monotonicMs();
      const { fullAtMs, atMs } = levels.get(name) ?? { fullAtMs: 0, atMs: 0 };
      if (atMs <= nowMs) return { fullAtMs: Math.max(fullAtMs, nowMs), atMs: nowMs };
      const moved = { fullAtMs: fullAtMs - (atMs - nowMs), atMs: nowMs };
      levels.set(name, moved);
      return moved;
    };
    return {
      waitSeconds: async (name) => {
        const { fullAtMs, atMs } = levelOf(name);
        const waitMs = fullAtMs + intervalMs - atMs - burst * intervalMs;
        return Math.max(0, Math.ceil(waitMs / 1000));
      },
      countFailure: async (name) => {
        const { fullAtMs, atMs } = levelOf(name);
        levels.set(name, { fullAtMs: fullAtMs + intervalMs, atMs });
      },
    };
  };
}
