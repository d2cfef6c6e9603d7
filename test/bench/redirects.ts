import { resolve } from 'node:path';
import { freePort, startServer } from '../support/server.ts';
import type { LoadResult } from './load.ts';
import { median, printTable } from './table.ts';

/**
 * Redirects, with the scan on disk before the answer, and creates, with the readability gate, beside a
 * bare `Bun.serve` that only answers 302: all in one run, taken in turn, so that a noisy machine
 * disturbs them alike. Quote the ratios.
 *
 *   bun test/bench/redirects.ts [rounds] [milliseconds a round]
 */
const rounds = Number(process.argv[2] ?? 5);
const durationMs = Number(process.argv[3] ?? 2000);
const codes = 1000;
const connections = 64;

/** A phone; other agents may be told apart and not counted. */
const headers =
  'User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1\r\n';

async function measure(port: number, paths: readonly string[]): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, resolve(import.meta.dir, 'load.ts')], {
    stdin: new Blob([
      JSON.stringify({ port, paths, connections, durationMs, expected: 'HTTP/1.1 302', headers }),
    ]),
    stdout: 'pipe',
  });
  const result = JSON.parse(await new Response(child.stdout).text()) as LoadResult; // our own output
  if (result.unexpected > 0) throw new Error(`${result.unexpected} answers were no redirects`);
  return result;
}

const barePort = freePort();
const bare = Bun.spawn([process.execPath, resolve(import.meta.dir, 'bare.ts'), String(barePort)]);
const servers = {
  power: await startServer({ WAYMARK_DURABILITY: 'power' }),
  process: await startServer({ WAYMARK_DURABILITY: 'process' }),
};

const targets: Record<string, { port: number; paths: string[]; results: LoadResult[] }> = {
  'bare 302': { port: barePort, paths: ['/'], results: [] },
};
const creates: Record<string, number> = {};
for (const [durability, server] of Object.entries(servers)) {
  const { api } = await server.account('bench@example.com');
  const beginMs = performance.now();
  const paths: string[] = [];
  // Eight at a time keep the render workers busy without filling their queue.
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (paths.length < codes) {
        const { url } = await api.create('https://example.com/menu');
        paths.push(new URL(url).pathname);
      }
    }),
  );
  creates[durability] = (performance.now() - beginMs) / paths.length;
  const { port } = new URL(server.origin);
  targets[`waymark, ${durability}`] = { port: Number(port), paths, results: [] };
}

for (let round = 0; round < rounds; round++)
  for (const target of Object.values(targets))
    target.results.push(await measure(target.port, target.paths));

const bareRate = median(targets['bare 302']?.results.map((result) => result.perSecond) ?? []);
const bareP99 = median(targets['bare 302']?.results.map((result) => result.p99Ms) ?? []);
printTable(
  ['redirects', 'per second', 'of bare', 'p50 ms', 'p99 ms', 'p99 of bare'],
  Object.entries(targets).map(([name, { results }]) => {
    const rate = median(results.map((result) => result.perSecond));
    const p99 = median(results.map((result) => result.p99Ms));
    return [
      name,
      rate.toFixed(0),
      (rate / bareRate).toFixed(2),
      median(results.map((result) => result.p50Ms)).toFixed(2),
      p99.toFixed(2),
      (p99 / bareP99).toFixed(1),
    ];
  }),
);
printTable(
  ['creates, eight at a time', 'ms each', 'bare redirects in that time'],
  Object.entries(creates).map(([durability, ms]) => [
    durability,
    ms.toFixed(1),
    ((ms / 1000) * bareRate).toFixed(0),
  ]),
);

bare.kill();
for (const server of Object.values(servers)) await server.close();
