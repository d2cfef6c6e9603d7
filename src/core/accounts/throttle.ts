/**
 * A limiter of failed attempts per name, such as an account or an address. The caller asks `waitSeconds` before
 * an attempt and reports failures.
 */
export interface Throttle {
  /** Returns the seconds until the next attempt is allowed, or 0. */
  waitSeconds(name: string): Promise<number>;
  /** Counts a failed attempt. */
  countFailure(name: string): Promise<void>;
}

export interface ThrottleLimits {
  /** Failures that are allowed at once. */
  readonly burst: number;
  /** Time after which one more is allowed. */
  readonly intervalMs: number;
}

/** Creates a throttle. Throttles of different kinds count separately. */
export type CreateThrottle = (kind: string, limits: ThrottleLimits) => Throttle;
