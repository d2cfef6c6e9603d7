/**
 * Called at the start of a job. Returns a function that is called at its end with its CPU time, and returns
 * the pause before the next job. Both are in milliseconds.
 */
export type JobThrottle = () => (cpuMs: number) => number;

/** 2,000 redirects per second: more than a campaign causes. */
const floodPerMs = 2;

/** With it, redirects keep 0.8 of their throughput on two processors, as test/bench/results.md asks. */
const pausePerCpuTime = 12;

/** The first jobs of a worker, before their code is compiled, take a hundred times as long. */
const maxPauseMs = 300;

/**
 * Creates pauses between jobs that reserve most of the CPU for redirects during a flood of them. Low priority alone
 * is not enough where server, clients and worker share two processors.
 *
 * @param redirects returns the number of redirects so far
 */
export function createJobThrottle(
  redirects: () => number,
  nowMs: () => number = () => performance.now(),
): JobThrottle {
  return () => {
    const [startMs, before] = [nowMs(), redirects()];
    return (cpuMs) => {
      const isFlood = redirects() - before > (nowMs() - startMs) * floodPerMs;
      return isFlood ? Math.min(cpuMs * pausePerCpuTime, maxPauseMs) : 0;
    };
  };
}
