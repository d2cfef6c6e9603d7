import { join } from 'node:path';
import { codeOf } from '../stores/many-qrs.ts';
import { createRequest } from './creates.ts';
import {
  type Measured,
  measure,
  median,
  medianRatio,
  printTable,
  type Target,
  waitUntilIdle,
} from './measure.ts';
import { getRequest, redirectTo, startFilled, targetOf } from './servers.ts';

const codes = 100_000;

/** Measures redirects while the server does other work, compared with redirects while it does not. */
export async function benchNeighbours(rounds = 3, seconds = 3): Promise<void> {
  const { server, key } = await startFilled(codes);
  const keys = [key];
  for (let account = 0; account < 7; account++)
    keys.push((await server.account(`bench-${account}@example.com`)).key);
  const listFile = join(server.folder, 'list.txt');
  await Bun.write(
    listFile,
    Array.from({ length: 1_000_000 }, (_, n) => `host-${n}.bad.example\n`),
  );

  const redirects = targetOf(
    'redirects',
    server,
    Array.from({ length: 10_000 }, (_, number) => redirectTo(number)),
  );
  const authorized = `Authorization: Bearer ${key}\r\n`;
  const during = (requests: readonly string[], connections: number) => () =>
    measure({ ...redirects, name: 'neighbour', requests }, { connections, seconds: seconds + 1 });
  const pages = Array.from({ length: 100 }, (_, page) =>
    getRequest(`/api/v1/qrs?limit=100&offset=${page * 1000}`, authorized),
  );
  const neighbours: Readonly<Record<string, () => Promise<unknown>>> = {
    'creates flat out, eight keys': during(keys.map(createRequest), 16),
    // Each into a new file.
    'a backup': () => server.cli(['backup', join(server.folder, `backup-${Date.now()}.db`)]),
    'an import of a million list entries': () =>
      server.cli(['safety', 'import', listFile, '--source', 'bench']),
    'a listing of 100,000 codes': during(pages, 4),
    'PNG downloads at 4096 px': during(
      Array.from({ length: 2000 }, (_, number) =>
        getRequest(`/api/v1/qrs/${codeOf(number)}.png?size=4096`, authorized),
      ),
      4,
    ),
  };
  const rows: string[][] = [];
  for (const [name, start] of Object.entries(neighbours))
    rows.push(rowOf(name, await measureDuring(redirects, start, rounds, seconds)));
  printTable(['redirects during', 'throughput of idle', 'p99 of idle', 'p99 ms'], rows);
  await server.close();
}

function rowOf(name: string, [idle, busy]: [idle: Measured[], busy: Measured[]]): string[] {
  return [
    name,
    medianRatio(busy, idle, ({ perSecond }) => perSecond).toFixed(2),
    medianRatio(busy, idle, ({ p99Ms }) => p99Ms).toFixed(1),
    median(busy.map(({ p99Ms }) => p99Ms)).toFixed(1),
  ];
}

/** Measures redirects alternately without and with a neighbour. */
async function measureDuring(
  redirects: Target,
  start: () => Promise<unknown>,
  rounds: number,
  seconds: number,
): Promise<[idle: Measured[], busy: Measured[]]> {
  const [idle, busy]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    await waitUntilIdle(redirects.pid);
    idle.push(await measure(redirects, { seconds }));
    await waitUntilIdle(redirects.pid);
    const neighbour = start();
    busy.push(await measure(redirects, { seconds }));
    await neighbour;
  }
  return [idle, busy];
}
