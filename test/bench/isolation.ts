import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { type PanelClient, signedIn } from '../panel/client.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { appOf } from '../support/processes.ts';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { printTable, waitUntilIdle } from './measure.ts';
import { codeOf } from './servers.ts';

const intervalMs = 5;
const restMs = 3000;

/** Redirects of one client, one every few milliseconds. */
interface Sampled {
  readonly maxMs: number;
  readonly p99Ms: number;
  readonly failed: number;
  readonly durationMs: number;
}

/**
 * Prints the slowest redirect at rest and while other work goes on, each in the same run.
 *
 * @param codes of the account whose work it is
 */
export async function benchIsolation(codes = 1_000_000): Promise<void> {
  const server = await startServer({ WAYMARK_BACKUP_DIR: 'off' });
  const owner = await signedIn(server, 'bench@example.com');
  const key = await server.generateKey('bench@example.com');
  await server.stop();
  const database = new Database(join(server.dataFolder, 'waymark.db'), { strict: true });
  addManyQrs(database, { accountId: 1, designId: 1 }, codes);
  database.run("UPDATE qrs SET folder = 'Spring' WHERE id % 2 = 0");
  database.close();
  await server.start();
  await waitUntilIdle(server.pid());
  const work = workOf(server, key, owner, codes);

  const rows: string[][] = [];
  const rest = await sample(server, Bun.sleep(restMs));
  rows.push(rowOf('nothing', rest, rest));
  for (const [name, run] of Object.entries(work)) {
    await until(async () => (await fetch(`${server.origin}/healthz`)).ok);
    await waitUntilIdle(server.pid());
    const done = run().catch((error: unknown) => console.error(`${name}: ${error}`));
    rows.push(rowOf(name, await sample(server, done), rest));
  }
  printTable(
    ['redirects during', 'seconds', 'p99 ms', 'slowest ms', 'of the slowest at rest', 'failed'],
    rows,
  );
  await server.close();
}

function workOf(server: Server, key: string, owner: PanelClient, codes: number) {
  const { origin, dataFolder, folder } = server;
  const authorization = { Authorization: `Bearer ${key}` };
  const get = (path: string, headers = {}) =>
    fetch(origin + path, { headers }).then((r) => r.bytes());
  const csv = (cell: string) => new File([`name,url\n${cell},https://example.com/\n`], 'table.csv');
  return {
    'a list page by scans': () => owner.get('/account/codes?status=active&sort=scans&page=2'),
    'a folder is renamed': async () =>
      owner.post('/account/folders/rename', {
        csrf: await owner.csrf(),
        folder: 'Spring',
        name: 'Summer',
      }),
    'long query strings': () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          get(`/api/v1/qrs?${'&'.repeat(7000)}=${'a'.repeat(7000)}`),
        ),
      ),
    'a table with a cell of 100,000 blanks': async () =>
      owner.post('/account/batches', {
        csrf: await owner.csrf(),
        file: csv(`a${' '.repeat(100_000)}b`),
      }),
    '200 requests to the panel at once': () =>
      Promise.all(Array.from({ length: 200 }, () => owner.get('/account/codes'))),
    'lists of the API': () =>
      Promise.all(
        Array.from({ length: 100 }, (_, page) =>
          get(`/api/v1/qrs?limit=100&offset=${page * 1000}`, authorization),
        ),
      ),
    'a write lock of 3 s on waymark.db': () => lockDatabase(join(dataFolder, 'waymark.db'), 3000),
    'a backup': () => server.cli(['backup', join(folder, `backup-${Date.now()}.db`)]),
    'an import of 50,000 links': async () => {
      const file = join(folder, 'links.csv');
      const lines = Array.from(
        { length: 50_000 },
        (_, n) => `printed-${n},https://example.com/${n}\n`,
      );
      await Bun.write(file, ['path,destination\n', ...lines]);
      await server.cli(['link', 'import', file, '--account', 'bench@example.com']);
    },
    'the app server stands still for 3 s': async () => {
      const app = appOf(server.pid());
      process.kill(app, 'SIGSTOP');
      await Bun.sleep(3000);
      process.kill(app, 'SIGCONT');
    },
    'kill -9 of the app server': async () => {
      process.kill(appOf(server.pid()), 'SIGKILL');
      await Bun.sleep(2000);
    },
    [`an account of ${codes.toLocaleString('en')} codes is deleted`]: () =>
      server.cli(['account', 'delete', 'bench@example.com', '--codes', 'keep', '--yes']),
  } satisfies Record<string, () => Promise<unknown>>;
}

/** Follows links, one every few milliseconds on one connection, until a promise settles. */
async function sample(server: Server, done: Promise<unknown>): Promise<Sampled> {
  const times: number[] = [];
  let failed = 0;
  let isDone = false;
  void done.finally(() => {
    isDone = true;
  });
  const startMs = performance.now();
  for (let number = 0; !isDone; number++) {
    const beginMs = performance.now();
    const url = `${server.origin}/${codeOf((number * 7919) % 10_000)}`;
    const response = await fetch(url, { redirect: 'manual' }).catch(() => null);
    times.push(performance.now() - beginMs);
    if (response?.status !== 302) failed++;
    await Bun.sleep(intervalMs);
  }
  times.sort((a, b) => a - b);
  const durationMs = performance.now() - startMs;
  const [p99Ms = 0, maxMs = 0] = [times[Math.floor(times.length * 0.99)], times.at(-1)];
  return { maxMs, p99Ms, failed, durationMs };
}

function rowOf(
  name: string,
  { maxMs, p99Ms, failed, durationMs }: Sampled,
  rest: Sampled,
): string[] {
  return [
    name,
    (durationMs / 1000).toFixed(1),
    p99Ms.toFixed(1),
    maxMs.toFixed(1),
    (maxMs / rest.maxMs).toFixed(1),
    String(failed),
  ];
}

/** Holds the write lock of a database from another process. */
async function lockDatabase(path: string, ms: number): Promise<void> {
  const script = `
    const { Database } = require('bun:sqlite');
    const database = new Database(${JSON.stringify(path)});
    database.run('BEGIN IMMEDIATE');
    Bun.sleepSync(${ms});
    database.run('COMMIT');`;
  await Bun.spawn([process.execPath, '-e', script]).exited;
}
