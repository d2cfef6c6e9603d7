/**
 * Called when a job starts. Gives what is called when it ends, with the processor time in milliseconds
 * that it took, and tells for how many milliseconds its worker should rest before the next one.
 */
export type RestPolicy = () => (cpuMs: number) => number;

// No campaign makes as many redirects, a flood and a benchmark do: 2,000 a second.
const crowdedPerMs = 2;
const restPerWork = 12;
// The first jobs of a worker take a hundred times as long, before their code is compiled.
const longestRestMs = 300;

/**
 * Makes drawing leave processors to redirects while they come by the thousand a second: a worker then
 * rests twelve times as long as it has worked. Its niceness alone does not do it: a server and its clients
 * that share two processors both wait now and then, and whenever they do, the worker takes the place.
 *
 * @param redirects how many there have been
 */
export function createRestPolicy(
  redirects: () => number,
  nowMs: () => number = () => performance.now(),
): RestPolicy {
  return () => {
    const [beginMs, before] = [nowMs(), redirects()];
    return (cpuMs) => {
      const crowded = redirects() - before > (nowMs() - beginMs) * crowdedPerMs;
      return crowded ? Math.min(cpuMs * restPerWork, longestRestMs) : 0;
    };
  };
}
