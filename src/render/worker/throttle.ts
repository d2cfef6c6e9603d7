/**
 * Called when a job starts. The result is called when it ends, with the CPU time that it took in
 * milliseconds, and returns how long its worker pauses before the next job.
 */
export type Throttle = () => (cpuMs: number) => number;

/** More redirects than a campaign makes; a flood or a benchmark does: 2,000 a second. */
const floodPerMs = 2;
const pausePerWork = 12;

/** The first jobs of a worker, before their code is compiled, take a hundred times as long. */
const maxPauseMs = 300;

/**
 * Reserves most of the CPU for redirects during a flood of them: a worker then pauses for twelve times
 * its CPU time. Low priority alone is not enough where server, clients and worker share two processors:
 * redirects then keep 0.6 of their throughput while codes are created, with pauses 0.8.
 *
 * @param redirects returns how many there have been
 */
export function createThrottle(
  redirects: () => number,
  nowMs: () => number = () => performance.now(),
): Throttle {
  return () => {
    const [startMs, before] = [nowMs(), redirects()];
    return (cpuMs) => {
      const isFlood = redirects() - before > (nowMs() - startMs) * floodPerMs;
      return isFlood ? Math.min(cpuMs * pausePerWork, maxPauseMs) : 0;
    };
  };
}
