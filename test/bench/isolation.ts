import { isolationWorks, startBusyServer, type Work } from '../support/isolation-works.ts';
import { type Sampled, sampleWhile } from '../support/sampler.ts';
import { printTable, waitUntilIdle } from './measure.ts';

const restMs = 3000;

/**
 * Prints the slowest redirect at rest and while other work goes on, each in the same run.
 *
 * @param codes of the account whose work it is
 */
export async function benchIsolation(codes = 1_000_000, megabytes = 2000): Promise<void> {
  const busy = await startBusyServer(codes);
  const { server } = busy;
  const rows: string[][] = [];
  await waitUntilIdle(server.pid());
  const rest = await sampleWhile(server.origin, codes, () => Bun.sleep(restMs));
  rows.push(rowOf('nothing', rest, rest));
  const sample = async (name: string, work: Work) => {
    await waitUntilIdle(server.pid());
    await work(async (run, { origin } = server) => {
      rows.push(rowOf(name, await sampleWhile(origin, codes, run), rest));
      console.log(rows.at(-1)?.join(' | '));
    });
  };
  const options = { links: 50_000, downloadBytes: megabytes * 1e6, maxCommandMs: 3_600_000 };
  for (const [name, work] of Object.entries(isolationWorks(busy, options)))
    await sample(name, work).catch((error: unknown) => console.error(`${name}: ${error}`));
  printTable(
    ['redirects during', 'seconds', 'p99 ms', 'slowest ms', 'of the slowest at rest', 'failed'],
    rows,
  );
  await server.close();
}

function rowOf(name: string, sampled: Sampled, rest: Sampled): string[] {
  const { maxMs, p99Ms, failed, durationMs } = sampled;
  return [
    name,
    (durationMs / 1000).toFixed(1),
    p99Ms.toFixed(1),
    maxMs.toFixed(1),
    (maxMs / rest.maxMs).toFixed(1),
    failed.join(', ') || 'none',
  ];
}
