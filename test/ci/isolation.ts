import { afterAll, expect, test } from 'bun:test';
import { inDatabase } from '../support/database.ts';
import { isolationWorks, startBusyServer } from '../support/isolation-works.ts';
import { guardAgainstOrphan } from '../support/program.ts';
import { type Sampled, sampleWhile } from '../support/sampler.ts';

/**
 * Redirects do not wait for anything else that the server does, and none fails. Their bound is a multiple of the time
 * that they take at rest, in the same run and beside the same busy processors, so that it holds on any machine.
 */

const codes = 200_000;
const restMs = 500;
const bound = { leastMs: 100, timesRest: 20 } as const;

const busy = await startBusyServer(codes);
const { server } = busy;
const loops = [1, 2].map(() => {
  const loop = Bun.spawn([process.execPath, '-e', 'for (;;);']);
  guardAgainstOrphan(loop, `${server.folder}/none`);
  return loop;
});
afterAll(async () => {
  for (const loop of loops) loop.kill('SIGKILL');
  await server.close();
});

let restMaxMs = 0;
let answered = 0;

async function sample(run: () => Promise<unknown>, of = server): Promise<Sampled> {
  const sampled = await sampleWhile(of.origin, codes, run);
  expect(sampled.failed).toEqual([]);
  if (of === server) answered += sampled.answered;
  return sampled;
}

const options = { links: 10_000, downloadBytes: 50e6, databaseBytes: 0, maxCommandMs: 8_000 };

test.each(Object.entries(isolationWorks(busy, options)))('beside %s', async (_, work) => {
  const rest = await sample(() => Bun.sleep(restMs));
  restMaxMs = Math.max(restMaxMs, rest.maxMs);
  await work(async (run, of) => {
    const { maxMs, count } = await sample(run, of);
    expect(count).toBeGreaterThan(0);
    expect(maxMs).toBeLessThanOrEqual(Math.max(bound.leastMs, bound.timesRest * restMaxMs));
  });
});

test('and each redirect is counted once', async () => {
  await server.stop();
  const [row] = await inDatabase(server, 'SELECT sum(scans) AS scans FROM scan_counters');
  expect(row).toEqual({ scans: answered });
});
