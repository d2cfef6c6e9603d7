import { yieldToEventLoop } from './event-loop.ts';

/** Time, and ways to let it pass. */
export interface Pace {
  /** Milliseconds of a clock that never jumps. */
  nowMs(): number;
  /** Until everything that waits now for the thread has had it. */
  yieldToEventLoop(): Promise<void>;
  sleep(ms: number): Promise<void>;
}

const realPace: Pace = {
  nowMs: () => performance.now(),
  yieldToEventLoop,
  sleep: (ms) => Bun.sleep(ms),
};

// A turn of the event loop in which nobody else had anything to do takes some 20 µs.
const busyTurnMs = 0.1;
// What follows a read (records, JSON, sockets) takes two thirds as long again, so that the work has a
// tenth of the thread while others want all of it.
const restPerWork = 14;
const longestRestMs = 5;

/**
 * Runs work on the thread that answers redirects, one piece at a time, and gives way to them: while others
 * keep the thread busy, each piece is followed by a rest many times as long. While nobody does, the next
 * piece follows at once.
 */
export function createGivingWay({ nowMs, yieldToEventLoop, sleep }: Pace = realPace) {
  let last: Promise<void> = Promise.resolve();

  const rest = async (workMs: number) => {
    // The answer of the work itself is written first.
    await yieldToEventLoop();
    const beginMs = nowMs();
    await yieldToEventLoop();
    if (nowMs() - beginMs > busyTurnMs) await sleep(Math.min(workMs * restPerWork, longestRestMs));
  };

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const before = last;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    last = done;
    await before;
    const beginMs = nowMs();
    try {
      return await work();
    } finally {
      rest(nowMs() - beginMs).then(resolve);
    }
  };
}
