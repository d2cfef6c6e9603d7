const stepMs = 250;

/**
 * Runs an action with a time limit, in steps of a quarter second.
 * Does not rely on the signal alone, because an aborted fetch does not always settle while it connects.
 *
 * If the process stands still (SIGSTOP, a paused virtual machine), that counts as one step: the response may have
 * arrived meanwhile, and is read next.
 *
 * @throws DOMException TimeoutError
 */
export async function withDeadline<T>(
  deadlineMs: number,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const intervalMs = Math.min(deadlineMs, stepMs);
  let leftMs = deadlineMs;
  const timer = setInterval(() => {
    leftMs -= intervalMs;
    if (leftMs > 0) return;
    clearInterval(timer);
    const message = `No answer within ${deadlineMs / 1000} seconds.`;
    const error = new DOMException(message, 'TimeoutError');
    reject(error);
    controller.abort(error);
  }, intervalMs);
  try {
    return await Promise.race([act(controller.signal), expired]);
  } finally {
    clearInterval(timer);
  }
}

/** Returns whether an error is that of a deadline. */
export function isDeadline(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** Ends waits for something that goes on. */
export interface Patience {
  /** Returns the current step. */
  now(): number;
  /**
   * Waits for a promise until a step.
   *
   * @returns its value, or `late` if it has none by then
   */
  race<T>(promise: Promise<T>, endStep: number): Promise<T | 'late'>;
}

/**
 * Creates a clock of steps, which goes on while something waits.
 * A process that stands still ages by one step, as in {@link withDeadline}.
 */
export function createPatience(stepMs: number): Patience {
  let step = 0;
  let timer: Timer | null = null;
  const waits = new Set<{ readonly endStep: number; readonly end: (late: 'late') => void }>();
  const tick = () => {
    step++;
    for (const { endStep, end } of waits) if (step >= endStep) end('late');
    if (waits.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    now: () => step,
    race: async (promise, endStep) => {
      const late = Promise.withResolvers<'late'>();
      const wait = { endStep, end: late.resolve };
      waits.add(wait);
      timer ??= setInterval(tick, stepMs);
      try {
        return await Promise.race([promise, late.promise]);
      } finally {
        waits.delete(wait);
      }
    },
  };
}

/** Notices that the process stood still: SIGSTOP, a paused virtual machine, a busy machine. */
export interface StandstillWatch {
  /** Calls `onStandstill` if the process has just stood still. */
  check(): void;
  end(): void;
}

const pulseMs = 500;
/** What others may have waited for at most. */
const standstillMs = 1500;

/**
 * Creates a watch. Its clock is the wall clock, which also goes on while a machine is suspended.
 *
 * @param onStandstill called at the next pulse or {@link StandstillWatch.check}, whichever comes first
 */
export function watchStandstill(onStandstill: () => void): StandstillWatch {
  let lastMs = Date.now();
  const check = (nowMs: number): boolean => {
    if (nowMs - lastMs < standstillMs) return false;
    lastMs = nowMs;
    onStandstill();
    return true;
  };
  const timer = setInterval(() => {
    const nowMs = Date.now();
    if (!check(nowMs)) lastMs = nowMs;
  }, pulseMs);
  timer.unref();
  return {
    check: () => void check(Date.now()),
    end: () => clearInterval(timer),
  };
}
