/** Yields to the event loop: resolves in its next tick, after waiting timers and input. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Called between two pieces of background work; resolves when the next piece may start. */
export type Pause = () => Promise<void>;

/** The clock and the timers of a scheduler, as arguments. */
export interface Timing {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  yieldToEventLoop(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

const realTiming: Timing = {
  nowMs: () => performance.now(),
  yieldToEventLoop,
  sleep: (ms) => Bun.sleep(ms),
};

/** A tick longer than this had other work in it; an empty one takes some 20 µs. */
const busyTickMs = 0.1;
/** Leaves the work a tenth of a busy thread: what follows a read takes two thirds as long again. */
const delayPerWork = 14;
const longestDelayMs = 5;

/**
 * Creates a function that runs pieces of background work one at a time. While redirects keep the thread
 * busy, each piece is followed by a delay proportional to its duration, at most 5 ms.
 */
export function createCooperativeScheduler({
  nowMs,
  yieldToEventLoop,
  sleep,
}: Timing = realTiming) {
  let last: Promise<void> = Promise.resolve();

  const delay = async (workMs: number) => {
    // The first tick writes the response of the work itself.
    await yieldToEventLoop();
    const startMs = nowMs();
    await yieldToEventLoop();
    if (nowMs() - startMs > busyTickMs)
      await sleep(Math.min(workMs * delayPerWork, longestDelayMs));
  };

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const previous = last;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    last = done;
    await previous;
    const startMs = nowMs();
    try {
      return await work();
    } finally {
      delay(nowMs() - startMs).then(resolve);
    }
  };
}
