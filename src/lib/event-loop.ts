import { failureLine } from './errors.ts';

/** Yields to the event loop: resolves in its next tick, after waiting timers and input. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs steps, and yields to the event loop between them, so that a signal can end the process there. */
export async function runInTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToEventLoop();
  }
}

/** Runs steps without a pause. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

// A tick without work takes a hundredth of it.
const busyTickMs = 0.3;

/**
 * Yields to the event loop until a tick of it has nothing to do.
 * At least once, and for some milliseconds at most.
 */
export async function yieldWhileBusy(maxMs: number): Promise<void> {
  const endMs = performance.now() + maxMs;
  for (let tickMs = performance.now(); ; ) {
    await yieldToEventLoop();
    const nowMs = performance.now();
    if (nowMs - tickMs < busyTickMs || nowMs >= endMs) return;
    tickMs = nowMs;
  }
}

/** Waits. Does not keep the process running if nothing else does. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/**
 * Runs an action at intervals, never twice at once, and again after a failure.
 * Does not keep the process running if nothing else does.
 *
 * @param onError called with the first error, and again with the first after a run that did not fail
 * @returns a function that ends it
 */
export function every(
  intervalMs: number,
  run: () => unknown,
  onError: (error: unknown) => void = reportFailure,
): () => void {
  let isRunning = false;
  let hasFailed = false;
  const timer = setInterval(async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await run();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function reportFailure(error: unknown): void {
  console.error(`waymark: a background task failed, and will run again: ${failureLine(error)}`);
}

/** Calls a function for each item, for some at the same time; the next one begins when one has ended. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  use: (item: T) => Promise<void>,
): Promise<void> {
  const remaining =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const work = async () => {
    let next = await remaining.next();
    while (!next.done) {
      await use(next.value);
      next = await remaining.next();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

/**
 * Maps items in turn, a few at the same time, and yields the results in the order of the items.
 *
 * @param ahead how many are worked on at the same time
 */
export async function* mapAhead<T, R>(
  items: Iterable<T>,
  ahead: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for (const item of items) {
    const result = work(item);
    // Awaited later, in order; until then, a rejection must not count as unhandled.
    result.catch(() => {});
    running.push(result);
    const first = running.length === ahead ? running.shift() : undefined;
    if (first !== undefined) yield await first;
  }
  for (const rest of running) yield await rest;
}

/** Collects items and runs them together. */
export interface TickQueue<T> {
  /** Adds an item. The promise, which all items of a run share, resolves when the run has ended. */
  add(item: T): Promise<void>;
  /** Runs what waits, and resolves when nothing runs or waits any more. */
  drain(): Promise<void>;
}

interface Batch<T> {
  readonly items: T[];
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Creates a queue that runs the items of an event-loop tick together.
 * Those that are added during a run come after it.
 *
 * @param run must not reject
 */
export function createTickQueue<T>(run: (items: readonly T[]) => Promise<void>): TickQueue<T> {
  let running: Batch<T> | null = null;
  let waiting: Batch<T> | null = null;

  const start = () => {
    if (waiting === null || running !== null) return;
    const batch = waiting;
    waiting = null;
    running = batch;
    void run(batch.items).finally(() => {
      running = null;
      batch.ended.resolve();
      start();
    });
  };

  return {
    add: (item) => {
      if (waiting === null) {
        waiting = { items: [], ended: Promise.withResolvers() };
        setImmediate(start);
      }
      waiting.items.push(item);
      return waiting.ended.promise;
    },
    drain: async () => {
      start();
      while (running !== null) await running.ended.promise;
    },
  };
}
