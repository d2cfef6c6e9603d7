import type { Clock, RateLimiter } from '../core/ports.ts';

/** Width of the window (SPEC, "Limits": requests per minute). */
export const windowMs = 60_000;

export interface SlidingWindow extends RateLimiter {
  /** Keys that are remembered: those of the last minute, and silent ones until the next sweep. */
  trackedKeys(): number;
}

/**
 * An exact sliding window per key: the log of the instants of the last admitted requests, at most
 * `limit` of them, on a clock that never jumps. A refused request is not logged, so a client that
 * keeps trying still gets through. A restart begins with empty windows.
 */
export function createSlidingWindow(
  limit: number,
  clock: Pick<Clock, 'monotonicMs'>,
): SlidingWindow {
  /** Per key the instants of its admitted requests, oldest first. */
  const logs = new Map<string, number[]>();
  let nextSweepMs = clock.monotonicMs() + windowMs;

  /** Lets go of keys that fell silent, once a window, so that an idle key costs nothing. */
  const sweep = (nowMs: number) => {
    if (nowMs < nextSweepMs) return;
    nextSweepMs = nowMs + windowMs;
    for (const [key, instants] of logs)
      if ((instants.at(-1) ?? 0) <= nowMs - windowMs) logs.delete(key);
  };

  const inWindow = (key: string, nowMs: number): number[] => {
    const instants = logs.get(key) ?? [];
    const left = instants.findIndex((instant) => instant > nowMs - windowMs);
    if (left === -1) return [];
    instants.splice(0, left);
    return instants;
  };

  return {
    admit: async (key) => {
      const nowMs = clock.monotonicMs();
      sweep(nowMs);
      const instants = inWindow(key, nowMs);
      const admitted = instants.length < limit;
      if (admitted) {
        instants.push(nowMs);
        logs.set(key, instants);
      }
      const oldest = instants[0] ?? nowMs;
      return {
        admitted,
        limit,
        remaining: limit - instants.length,
        // The age first: added to an instant with a fraction, a whole window comes out longer than it is.
        resetSeconds: Math.max(1, Math.ceil((windowMs - (nowMs - oldest)) / 1000)),
      };
    },
    used: async (key) => inWindow(key, clock.monotonicMs()).length,
    trackedKeys: () => logs.size,
  };
}
