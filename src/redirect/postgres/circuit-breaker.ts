import { pause } from '../../lib/event-loop.ts';

/** Circuit breaker: once something has failed, one attempt at a time is made in the background until one succeeds. */
export interface CircuitBreaker {
  /** Whether nothing should be attempted but in the background. */
  isOpen(): boolean;
  /**
   * Opens the circuit unless it is open.
   *
   * @param first the first attempt; by default one that begins now
   * @returns whether that attempt has closed the circuit again
   */
  open(error: unknown, first?: Promise<unknown>): Promise<boolean>;
  /** Resolves when the circuit is closed. */
  closed(): Promise<void>;
  /** Ends the attempts. */
  end(): void;
}

interface Options {
  /** Rejects while what failed still fails. */
  readonly attempt: () => Promise<unknown>;
  /** Called with the error that opens the circuit, and with that of each failed attempt. */
  readonly onFailure?: (error: unknown) => void;
  readonly onClose?: () => void;
  /** Returns a random number from 0 to 1. */
  readonly random?: () => number;
}

// An outage of any length is over within a second of its end.
const delaysMs = { first: 50, longest: 1000 } as const;

/** Creates a circuit breaker, which is closed. Attempts follow each other at growing intervals with jitter. */
export function createCircuitBreaker({
  attempt,
  onFailure = () => {},
  onClose = () => {},
  random = Math.random,
}: Options): CircuitBreaker {
  let firstAttempt: Promise<boolean> | null = null;
  let closing: PromiseWithResolvers<void> | null = null;
  let isEnded = false;

  const succeeds = async (attempted: Promise<unknown>): Promise<boolean> => {
    try {
      await attempted;
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    }
  };
  const close = () => {
    firstAttempt = null;
    onClose();
    closing?.resolve();
    closing = null;
  };
  const attemptUntilClosed = async (): Promise<void> => {
    for (
      let delayMs: number = delaysMs.first;
      ;
      delayMs = Math.min(delayMs * 2, delaysMs.longest)
    ) {
      await pause(delayMs * (0.5 + random() / 2));
      if (isEnded) return;
      if (await succeeds(attempt())) return close();
    }
  };
  const begin = async (first: Promise<unknown>): Promise<boolean> => {
    const isOver = await succeeds(first);
    if (isOver) close();
    else void attemptUntilClosed();
    return isOver;
  };

  return {
    isOpen: () => firstAttempt !== null,
    open: (error, first) => {
      if (firstAttempt !== null) return firstAttempt;
      onFailure(error);
      firstAttempt = begin(first ?? attempt());
      return firstAttempt;
    },
    closed: async () => {
      if (firstAttempt === null) return;
      closing ??= Promise.withResolvers();
      await closing.promise;
    },
    end: () => {
      isEnded = true;
    },
  };
}
