import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { measureAlternately, printTable, rowOf } from './measure.ts';
import { redirectTo, startBare, startFilled, targetOf } from './servers.ts';

const codes = 10_000;

/** Measures redirects, compared with a bare server that only sends 302, and checks that no scan is lost. */
export async function benchRedirects(rounds = 5, seconds = 2): Promise<void> {
  const requests = Array.from({ length: codes }, (_, number) => redirectTo(number));
  const bare = await startBare();
  const filled = {
    process: await startFilled(codes, { WAYMARK_DURABILITY: 'process' }),
    power: await startFilled(codes, { WAYMARK_DURABILITY: 'power' }),
  };
  const targets = [
    bare,
    targetOf('Waymark, durability "process"', filled.process.server, requests),
    targetOf('Waymark, durability "power"', filled.power.server, requests),
  ];
  const results = await measureAlternately(targets, rounds, { seconds });
  const [base = []] = results;
  printTable(
    ['redirects', 'per second', 'of bare', 'p50 ms', 'p99 ms', 'p99 of bare', 'CPU µs', 'of bare'],
    targets.map(({ name }, index) => rowOf(name, results[index] ?? [], base)),
  );

  bare.close();
  for (const [index, { server }] of Object.values(filled).entries()) {
    await server.stop();
    const answered = results[index + 1]?.reduce((sum, { answers }) => sum + answers, 0) ?? 0;
    const counted = countedIn(server.dataFolder);
    // Requests in flight at the end of a round are counted by the server only.
    if (counted < answered || counted > answered + rounds * 64) {
      throw new Error(`${answered} redirects were sent, but ${counted} scans are counted`);
    }
    await server.close();
  }
}

function countedIn(dataFolder: string): number {
  const database = new Database(join(dataFolder, 'waymark.db'), { readonly: true });
  const row = database
    .query<{ scans: number }, []>('SELECT sum(scans) AS scans FROM scan_counters')
    .get();
  database.close();
  return row?.scans ?? 0;
}
