/** Keeps questions back from a provider that has stopped answering. */
export interface Breaker {
  /** Whether a question may be asked now; then succeed or fail must follow. */
  admit(): boolean;
  succeed(): void;
  fail(): void;
  state(): BreakerState;
}

/** `probing`: the time is over, the next question shows whether the provider is back. */
export type BreakerState = 'closed' | 'open' | 'probing';

const failuresToOpen = 5;
const openForMs = 30_000;

/**
 * Opens after five failures in a row, for thirty seconds. Then a single question goes through: its
 * success closes the breaker, its failure opens it for as long again.
 *
 * @param monotonicMs a clock that never jumps
 */
export function createBreaker(monotonicMs: () => number): Breaker {
  let failures = 0;
  let openUntilMs: number | null = null;
  let isProbing = false;

  return {
    admit: () => {
      if (openUntilMs === null) return true;
      if (isProbing || monotonicMs() < openUntilMs) return false;
      isProbing = true;
      return true;
    },
    succeed: () => {
      failures = 0;
      openUntilMs = null;
      isProbing = false;
    },
    fail: () => {
      failures += 1; // a failed probe comes on top of the five, so it opens the breaker again
      if (failures >= failuresToOpen) openUntilMs = monotonicMs() + openForMs;
      isProbing = false;
    },
    state: () => {
      if (openUntilMs === null) return 'closed';
      return isProbing || monotonicMs() >= openUntilMs ? 'probing' : 'open';
    },
  };
}
