import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CodeQuery, createCodeLists } from '../../src/core/codes/lists/lists.ts';
import { createPeriodLists } from '../../src/core/codes/lists/period-lists.ts';
import type { CodeFilter, CodeSort } from '../../src/core/codes/ports.ts';
import { createBackgroundRuns } from '../../src/core/scans/background-results.ts';
import { yieldToEventLoop } from '../../src/lib/event-loop.ts';
import { createSqlStores } from '../../src/sql/stores.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { createSqliteDialect } from '../../src/sqlite/dialect.ts';
import { fillLargeAccount } from '../stores/large-account.ts';
import { acting, addOwner } from '../stores/rows.ts';
import { median, printTable } from './measure.ts';

const nowMs = Date.UTC(2026, 5, 1);
const few = 10_000;
const many = 1_000_000;

/** CPU time of a call in milliseconds: all of it, and its longest turn of the event loop. */
interface Cost {
  readonly cpuMs: number;
  readonly turnMs: number;
}

/**
 * Measures calls of the stores on an account of 10,000 codes and on one of a million: CPU time, and the longest turn of
 * the event loop, in which nobody else is answered.
 *
 * @param codes of the large account
 */
export async function benchGrowth(rounds = 5, codes = many): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-growth-'));
  const accounts = [];
  for (const count of [few, codes])
    accounts.push(await createAccount(join(folder, `${count}`), count));
  const [small, large] = accounts;
  if (small === undefined || large === undefined) throw new Error('an account is missing');
  const rows: string[][] = [];
  for (const name of Object.keys(small)) {
    const [one, other]: [Cost[], Cost[]] = [[], []];
    // The first call prepares statements.
    for (const calls of accounts) await costOf(calls[name]);
    for (let round = 0; round < rounds; round++) {
      one.push(await costOf(small[name]));
      other.push(await costOf(large[name]));
    }
    const [before, after] = [one, other].map((costs) => median(costs.map(({ cpuMs }) => cpuMs)));
    const turnMs = median(other.map((cost) => cost.turnMs));
    rows.push([
      name,
      ...[before, after].map((ms) => (ms ?? Number.NaN).toFixed(2)),
      ((after ?? Number.NaN) / (before ?? Number.NaN)).toFixed(1),
      turnMs.toFixed(1),
    ]);
  }
  const head = ['call', 'CPU ms at 10,000', `at ${codes}`, 'ratio', 'longest turn, ms'];
  printTable(head, rows);
  rmSync(folder, { recursive: true });
}

type Calls = Readonly<Record<string, () => Promise<unknown>>>;

async function createAccount(folder: string, count: number): Promise<Calls> {
  const database = openWithDrizzle(folder, { durability: 'process', busyTimeoutMs: 1000 });
  const stores = createSqlStores(createSqliteDialect(database));
  const owner = await addOwner(stores, { email: 'large@example.com' });
  const { accountId } = owner;
  fillLargeAccount(database.$client, owner, count, nowMs);
  const { codeLists, qrs, flags, overview } = stores;
  const lists = createCodeLists({ lists: codeLists, qrs, clock: { nowMs: () => nowMs } });
  const page = (filter: CodeFilter, sort: CodeSort, fields: Partial<CodeQuery> = {}) =>
    lists.page(accountId, { text: '', filter, sort, limit: 25, offset: 0, ...fields });
  // All of the work for a list by the scans of a period, which a page waits for in accounts of 2,000 codes.
  const byPeriod = async () => {
    const runs = createBackgroundRuns({ monotonicMs: () => 0 });
    const deps = { lists: codeLists, qrs, clock: { nowMs: () => nowMs }, runs };
    const { page } = createPeriodLists(deps);
    const query = { text: '', filter: {}, days: 30, zone: 'UTC', limit: 25, offset: 0 } as const;
    while ((await page(accountId, query)) === null) await yieldToEventLoop();
  };
  const [newest] = (await qrs.listPage(accountId, 1, 0)).qrs;
  const code = newest?.code ?? '';
  let changes = 0;
  return {
    'API, first page of 100': () => qrs.listPage(accountId, 100, 0),
    'API, page in the middle': () => qrs.listPage(accountId, 100, count / 2),
    'API, last page': () => qrs.listPage(accountId, 100, count - 100),
    PATCH: () =>
      qrs.changeDestination(acting(accountId), code, `https://example.com/${changes++}`, nowMs),
    'panel, newest': () => page({}, 'newest'),
    'panel, by name': () => page({}, 'name'),
    'panel, of a folder': () => page({ folder: 'Many' }, 'newest'),
    'panel, paused': () => page({ status: 'paused' }, 'newest'),
    'panel, never scanned': () => page({ isNeverScanned: true }, 'newest'),
    'panel, page 400': () => page({}, 'newest', { offset: 9975 }),
    folders: () => lists.folders(accountId),
    'overview: flags and blocks': () => flags.summary(accountId),
    'overview: a batch of counters': () =>
      overview.readCounters(
        { accountId },
        { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER, lateMs: 0 },
        null,
        100,
      ),
    'sorted: all by scans': () => page({}, 'scans'),
    'sorted: all by the scans of 30 days': byPeriod,
    'sorted: paused by name': () => page({ status: 'paused' }, 'name'),
    'search that finds nothing': () => page({}, 'newest', { text: 'nowhere' }),
    'folders, all counted': () => lists.countedFolders(accountId),
    'a folder of a fiftieth of the codes, renamed': async () => {
      await lists.renameFolder(acting(accountId), 'Folder 1', 'Folder one');
      await lists.renameFolder(acting(accountId), 'Folder one', 'Folder 1');
    },
  };
}

async function costOf(run: (() => Promise<unknown>) | undefined): Promise<Cost> {
  const totalMs = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1000;
  };
  let turnMs = 0;
  let isDone = false;
  const start = process.cpuUsage();
  let before = start;
  const measure = () => {
    turnMs = Math.max(turnMs, totalMs(before));
    before = process.cpuUsage();
    if (!isDone) setImmediate(measure);
  };
  setImmediate(measure);
  await run?.();
  const cpuMs = totalMs(start);
  isDone = true;
  measure();
  await yieldToEventLoop();
  return { cpuMs, turnMs };
}
