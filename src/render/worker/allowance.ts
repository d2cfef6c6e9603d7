/** Starts a timer of so many milliseconds and returns how to stop it. */
export type Timer = (delayMs: number, ring: () => void) => () => void;

/** A timer of this program's own event loop. */
export const realTimer: Timer = (delayMs, ring) => {
  const handle = setTimeout(ring, delayMs);
  return () => clearTimeout(handle);
};

/** Processor time that this program has used, in milliseconds. */
export function programCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// Nobody waits longer for an answer.
const longest = { times: 10, ms: 20_000 };
const askAgainMs = 50;

/**
 * Times a job whose worker gives way to other programs: it may take longer than it was given, up to ten
 * times and twenty seconds, as long as it cannot have had so much of a processor.
 *
 * @param cpuMs processor time that the whole program has used: no job has used more of it
 * @returns starts the clock of a job that is given `runMs`, and returns how to stop it
 */
export function createAllowance(timer: Timer, cpuMs: () => number) {
  return (runMs: number, overdue: (afterMs: number) => void): (() => void) => {
    const longestMs = Math.max(runMs, Math.min(runMs * longest.times, longest.ms));
    const usedBefore = cpuMs();
    let stop = () => {};
    const wait = (delayMs: number, passedMs: number) => {
      stop = timer(delayMs, () => ring(passedMs + delayMs));
    };
    const ring = (passedMs: number) => {
      const unusedMs = runMs - (cpuMs() - usedBefore);
      const leftMs = Math.min(Math.max(unusedMs, askAgainMs), longestMs - passedMs);
      if (unusedMs > 0 && leftMs > 0) wait(leftMs, passedMs);
      else overdue(passedMs);
    };
    wait(runMs, 0);
    return () => stop();
  };
}
