import { inDatabase } from '../support/database.ts';
import { hasPostgres, startPostgres } from '../support/postgres.ts';
import { type Measured, measureAlternately, medianRatio, printTable, rowOf } from './measure.ts';
import {
  redirectTo,
  startBare,
  startCounting,
  startFilled,
  startFilledOnPostgres,
  targetOf,
} from './servers.ts';

const codes = 10_000;

/** Measures redirects, compared with a bare server that only sends 302, and checks that no scan is lost. */
export async function benchRedirects(rounds = 5, seconds = 2): Promise<void> {
  const requests = Array.from({ length: codes }, (_, number) => redirectTo(number));
  const bare = await startBare();
  const limits = [
    await startCounting(codes, 'process', requests),
    await startCounting(codes, 'power', requests),
  ];
  // Commits wait for the disk, as those of SQLite do with durability "power".
  const settings = { fsync: 'on', shared_buffers: '512MB', max_wal_size: '4GB' };
  const postgres = hasPostgres ? await startPostgres(settings) : null;
  const filled = {
    'SQLite, durability "process"': await startFilled(codes, { WAYMARK_DURABILITY: 'process' }),
    'SQLite, durability "power"': await startFilled(codes, { WAYMARK_DURABILITY: 'power' }),
    ...(postgres && { PostgreSQL: await startFilledOnPostgres(codes, postgres) }),
  };
  const targets = [
    bare,
    ...limits,
    ...Object.entries(filled).map(([name, { server }]) => targetOf(name, server, requests)),
  ];
  const results = await measureAlternately(targets, rounds, { seconds });
  const [base = []] = results;
  const first = 1 + limits.length;
  /** Returns rate, p99 and CPU compared with the limit of the same durability. */
  const ofLimit = (index: number): string[] => {
    const limit = results[index - limits.length];
    const isLimited = index >= first && index < first + limits.length && limit !== undefined;
    if (!isLimited) return ['', '', ''];
    const ratio = (of: (result: Measured) => number) =>
      medianRatio(results[index] ?? [], limit, of).toFixed(2);
    return [
      ratio(({ perSecond }) => perSecond),
      ratio(({ p99Ms }) => p99Ms),
      ratio(({ cpuMicros }) => cpuMicros),
    ];
  };
  const head = ['redirects', 'per second', 'of bare', 'p50 ms', 'p99 ms', 'p99 of bare'];
  printTable(
    [...head, 'CPU µs', 'of bare', 'of the limit', 'p99', 'CPU'],
    targets.map(({ name }, index) => [
      ...rowOf(name, results[index] ?? [], base),
      ...ofLimit(index),
    ]),
  );

  for (const server of [bare, ...limits]) server.close();
  for (const [index, { server, database }] of Object.values(filled).entries()) {
    await server.stop();
    const answered = results[index + first]?.reduce((sum, { answers }) => sum + answers, 0) ?? 0;
    const [row] = await inDatabase(
      { dataFolder: server.dataFolder, database },
      'SELECT sum(scans) AS scans FROM scan_counters',
    );
    const counted = Number(row?.['scans']);
    // Requests in flight at the end of a round are counted by the server only.
    if (counted < answered || counted > answered + rounds * 64) {
      throw new Error(`${answered} redirects were sent, but ${counted} scans are counted`);
    }
    await server.close();
  }
  await postgres?.close();
}
