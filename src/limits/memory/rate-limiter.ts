import type { RateLimiter } from '../../core/accounts/ports.ts';
import type { Clock } from '../../core/ports.ts';

// SPEC, "Limits": requests per minute.
const windowMs = 60_000;

/**
 * Creates a rate limiter with an exact sliding window per key: the times of its admitted requests on a
 * monotonic clock. A restart empties all windows.
 *
 * @param limit requests per minute and key
 */
export function createSlidingWindow(limit: number, clock: Pick<Clock, 'monotonicMs'>): RateLimiter {
  /** For each key the times of its admitted requests, oldest first. */
  const admittedMs = new Map<string, number[]>();
  let nextSweepMs = clock.monotonicMs() + windowMs;

  /** Removes keys without a request in the window, at most once a minute. */
  const sweep = (nowMs: number) => {
    if (nowMs < nextSweepMs) return;
    nextSweepMs = nowMs + windowMs;
    for (const [key, times] of admittedMs)
      if ((times.at(-1) ?? 0) <= nowMs - windowMs) admittedMs.delete(key);
  };

  const inWindow = (key: string, nowMs: number): number[] => {
    const times = admittedMs.get(key) ?? [];
    // The clock was set back. Such times would lock the key for as long.
    while ((times.at(-1) ?? nowMs) > nowMs) times.pop();
    const first = times.findIndex((ms) => ms > nowMs - windowMs);
    times.splice(0, first === -1 ? times.length : first);
    return times;
  };

  return {
    admit: async (key) => {
      const nowMs = clock.monotonicMs();
      sweep(nowMs);
      const times = inWindow(key, nowMs);
      const admitted = times.length < limit;
      if (admitted) times.push(nowMs);
      admittedMs.set(key, times);
      // Computed first: `times[0] + windowMs - nowMs` could round to more than a window.
      const oldestAgeMs = nowMs - (times[0] ?? nowMs);
      return {
        admitted,
        limit,
        remaining: limit - times.length,
        resetSeconds: Math.max(1, Math.ceil((windowMs - oldestAgeMs) / 1000)),
      };
    },
    used: async (key) => inWindow(key, clock.monotonicMs()).length,
  };
}
