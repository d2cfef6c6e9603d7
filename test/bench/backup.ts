import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../src/sqlite/database/store.ts';
import { addManyQrs } from '../stores/many-qrs.ts';
import { startServer } from '../support/server.ts';
import { getRequest } from './load.ts';
import { type Measured, measure } from './measure.ts';
import { targetOf } from './servers.ts';
import { median, printTable } from './table.ts';

/**
 * What a backup costs those who scan and those who edit meanwhile: redirects over a few connections
 * and one client that edits without a pause, in turn alone and while backups are taken one after the
 * other.
 *
 *   bun test/bench/backup.ts [codes] [rounds] [seconds a round]
 */
const codes = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 5);
const seconds = Number(process.argv[4] ?? 4);
const connections = 8;

const server = await startServer();
const { api } = await server.account('bench@example.com');
const own = await api.create();
await server.stop();
const store = openStore(server.dataFolder, { durability: 'process', busyTimeoutMs: 0 });
addManyQrs(store.$client, { accountId: 1, designId: 1 }, codes);
const paths = store.$client
  .query<{ path: string }, []>("SELECT '/' || code AS path FROM qrs ORDER BY random() LIMIT 1000")
  .all()
  .map(({ path }) => path);
store.$client.close();
// The links of the many codes begin elsewhere; nothing here follows them by name.
await server.start({ WAYMARK_SHORT_URL_ALIASES: 'https://qr.example.com' });
const requests = paths.map((path) => getRequest(path));

const redirects = () => measure(targetOf('redirects', server, requests), { connections, seconds });

/** The longest that one edit took, of all until `going` says stop. */
async function longestEditMs(going: () => boolean): Promise<number> {
  let longestMs = 0;
  while (going()) {
    const beginMs = performance.now();
    const { status } = await api.call(`PATCH /qrs/${own.code}`, { url: 'https://example.org/b' });
    if (status !== 200) throw new Error(`an edit was answered ${status}`);
    longestMs = Math.max(longestMs, performance.now() - beginMs);
    await Bun.sleep(5);
  }
  return longestMs;
}

/** How long each backup took, of all until `going` says stop. */
async function backups(going: () => boolean): Promise<number[]> {
  const tookMs: number[] = [];
  while (going()) {
    const file = join(server.folder, 'backup.db');
    const beginMs = performance.now();
    const { exitCode, stderr } = await server.cli(['backup', file]);
    if (exitCode !== 0) throw new Error(stderr);
    tookMs.push(performance.now() - beginMs);
    await rm(file);
  }
  return tookMs;
}

const rows: Record<'alone' | 'during backups', { load: Measured; editMs: number }[]> = {
  alone: [],
  'during backups': [],
};
const tookMs: number[] = [];
for (let round = 0; round < rounds; round++)
  for (const name of ['alone', 'during backups'] as const) {
    let measuring = true;
    const going = () => measuring;
    const [load, editMs, took] = await Promise.all([
      redirects().finally(() => {
        measuring = false;
      }),
      longestEditMs(going),
      name === 'alone' ? [] : backups(going),
    ]);
    rows[name].push({ load, editMs });
    tookMs.push(...took);
  }
await server.close();

printTable(
  ['', 'redirects/s', 'p50 ms', 'p99 ms', 'longest edit ms'],
  Object.entries(rows).map(([name, results]) => [
    name,
    median(results.map(({ load }) => load.perSecond)).toFixed(0),
    median(results.map(({ load }) => load.p50Ms)).toFixed(2),
    median(results.map(({ load }) => load.p99Ms)).toFixed(2),
    Math.max(...results.map(({ editMs }) => editMs)).toFixed(0),
  ]),
);
console.log(`\n${tookMs.length} backups of ${codes} codes, ${median(tookMs).toFixed(0)} ms each.`);
