import type { Config } from '../config.ts';
import { createKeyAdmission } from '../core/accounts/access.ts';
import type {
  ApiKeyStore,
  CreateThrottle,
  KeyAdmission,
  SharedLimits,
} from '../core/accounts/ports.ts';
import { StoreUnavailable } from '../core/errors.ts';
import { every } from '../lib/event-loop.ts';
import { createSlidingWindow } from '../limits/memory/rate-limiter.ts';
import { createMemoryThrottles } from '../limits/memory/throttle.ts';
import { realClock } from './runtime.ts';

/** The limits of requests and of sign-ins. */
export interface Limits {
  readonly admission: KeyAdmission;
  readonly createThrottle: CreateThrottle;
  close(): void;
}

const cleaningIntervalMs = 60_000;

/**
 * Creates the limits: those of the database that copies share, or those of this process alone.
 * They are also used while the database can be read and not written.
 */
export function composeLimits(
  { rateLimit }: Pick<Config, 'rateLimit'>,
  keys: ApiKeyStore,
  shared: SharedLimits | null,
): Limits {
  const admission = createKeyAdmission(keys, createSlidingWindow(rateLimit, realClock));
  const createThrottle = createMemoryThrottles(realClock);
  if (shared === null) return { admission, createThrottle, close: () => {} };
  const sharedAdmission = shared.createAdmission(rateLimit);
  return {
    admission: {
      admit: either(sharedAdmission.admit, admission.admit),
      used: either(sharedAdmission.used, admission.used),
    },
    createThrottle: (kind, limits) => {
      const [all, own] = [shared.createThrottle(kind, limits), createThrottle(kind, limits)];
      return {
        waitSeconds: either(all.waitSeconds, own.waitSeconds),
        countFailure: either(all.countFailure, own.countFailure),
      };
    },
    // Each copy does: there is little to do twice.
    close: every(
      cleaningIntervalMs,
      either(shared.clean, async () => {}),
    ),
  };
}

/** Returns a function that calls the first, and the second if the database is unavailable. */
function either<Values extends unknown[], T>(
  first: (...values: Values) => Promise<T>,
  second: (...values: Values) => Promise<T>,
): (...values: Values) => Promise<T> {
  return async (...values) => {
    try {
      return await first(...values);
    } catch (error) {
      if (error instanceof StoreUnavailable) return second(...values);
      throw error;
    }
  };
}
