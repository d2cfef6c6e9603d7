import { isolationWorks, startBusyServer, type Work } from '../support/isolation-works.ts';
import { type Sampled, sampleWhile } from '../support/sampler.ts';
import { printTable, waitUntilIdle } from './measure.ts';

const restMs = 3000;
/** Of the deletion of an account, which takes minutes, this much is sampled. */
const maxCommandMs = 60_000;

/**
 * Prints the slowest redirect at rest and while a server does other work. An idle server beside it tells what the
 * machine itself delays.
 *
 * @param codes of the account whose work it is
 */
export async function benchIsolation(codes = 1_000_000, megabytes = 2000): Promise<void> {
  const busy = await startBusyServer(codes);
  const idle = await startBusyServer(codes);
  const { server } = busy;
  const sampleBoth = async (run: () => Promise<unknown>, origin = server.origin) => {
    // Both samples last as long as it.
    let running: Promise<unknown> | null = null;
    const once = () => {
      running ??= run();
      return running;
    };
    const samples = [origin, idle.server.origin].map((of) => sampleWhile(of, codes, once));
    return Promise.all(samples);
  };

  const rows: string[][] = [];
  const sample = async (name: string, work: Work) => {
    await waitUntilIdle(server.pid());
    await work(async (run, of) => {
      const [sampled, beside] = await sampleBoth(run, of?.origin);
      if (sampled !== undefined && beside !== undefined) rows.push(rowOf(name, sampled, beside));
      console.log(rows.at(-1)?.join(' | '));
    });
  };
  const options = {
    links: 50_000,
    downloadBytes: megabytes * 1e6,
    databaseBytes: 2 ** 30 + 1,
    maxCommandMs,
  };
  await sample('nothing', (during) => during(() => Bun.sleep(restMs)));
  for (const [name, work] of Object.entries(isolationWorks(busy, options)))
    await sample(name, work).catch((error: unknown) => console.error(`${name}: ${error}`));
  const head = ['redirects during', 'seconds', 'p99 ms', 'slowest ms'];
  printTable([...head, 'of an idle server: p99 ms', 'slowest ms', 'failed'], rows);
  await server.close();
  await idle.server.close();
}

function rowOf(name: string, sampled: Sampled, idle: Sampled): string[] {
  return [
    name,
    (sampled.durationMs / 1000).toFixed(1),
    ...[sampled, idle].flatMap(({ p99Ms, maxMs }) => [p99Ms.toFixed(1), maxMs.toFixed(1)]),
    sampled.failed.join(', ') || 'none',
  ];
}
