const failuresToOpen = 5;
const openForMs = 30_000;

/**
 * Creates a circuit breaker, which stops calls to a service that keeps failing.
 * It opens for 30 seconds after five failures in a row. Then one call is admitted: its success closes the breaker, its
 * failure opens it again.
 *
 * @param monotonicMs a monotonic clock
 */
export function createBreaker(monotonicMs: () => number) {
  let failures = 0;
  let openUntilMs: number | null = null;
  let isProbing = false;

  return {
    /** Returns whether a call may be made now. If so, `succeed` or `fail` must follow. */
    admit: (): boolean => {
      if (openUntilMs === null) return true;
      if (isProbing || monotonicMs() < openUntilMs) return false;
      isProbing = true;
      return true;
    },
    succeed: (): void => {
      failures = 0;
      openUntilMs = null;
      isProbing = false;
    },
    fail: (): void => {
      failures += 1; // a failed probe exceeds five and opens the breaker again
      if (failures >= failuresToOpen) openUntilMs = monotonicMs() + openForMs;
      isProbing = false;
    },
    /** Returns whether calls are rejected. False once a call may test the service again. */
    isOpen: (): boolean => openUntilMs !== null && monotonicMs() < openUntilMs,
  };
}
