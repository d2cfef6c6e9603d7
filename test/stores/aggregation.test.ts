import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import fc from 'fast-check';
import { type HitEntries, hitKey } from '../../src/core/scans/hit-entries.ts';
import type { DrizzleConnection } from '../../src/sqlite/database/drizzle.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { countRows } from '../../src/sqlite/maintenance/integrity.ts';
import {
  type Aggregator,
  createAggregator,
  createBackgroundAggregation,
} from '../../src/sqlite/scans/aggregation.ts';
import { encodeHits } from '../../src/sqlite/scans/hits.ts';
import { createScanLog } from '../../src/sqlite/scans/scan-log.ts';
import { createFolders } from './folder.ts';
import { counters, expected, type Hit, hits, hour, noon, rowsOfLog } from './scans.ts';

const { newFolder, openIn } = createFolders();

/** Commits hits as one row of the log. */
function addRow(
  store: DrizzleConnection,
  aggregation: Pick<Aggregator, 'add'>,
  row: readonly Hit[],
) {
  const entries: HitEntries = row.flatMap(({ qrId, kind, atMs }) => [hitKey(qrId, kind), atMs, 1]);
  const append = store.$client.query('INSERT INTO scan_log (hits) VALUES (?)');
  aggregation.add(entries, Number(append.run(encodeHits(entries)).lastInsertRowid));
}

/** One scan of each of `count` codes. */
const scansOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, n): Hit => ({ qrId: first + n, kind: 'scan', atMs: noon }));

describe('aggregation', () => {
  /** 12,000 hits in 24 rows. The second half crosses the end of an hour. */
  function longLog(store: DrizzleConnection) {
    const all = Array.from(
      { length: 12_000 },
      (_, n): Hit => ({
        qrId: (n * 7919) % 1801,
        kind: n % 11 === 0 ? 'head' : 'scan',
        atMs: noon + (n < 6000 ? 0 : ((n * 31) % 60) * 60_000 + hour / 2),
      }),
    );
    const aggregator = createAggregator(store.$client);
    for (let from = 0; from < all.length; from += 500)
      addRow(store, aggregator, all.slice(from, from + 500));
    return { all, aggregator };
  }

  test('sorts a long log and aggregates it in steps, exact after each', () => {
    const store = openIn(newFolder());
    const { all, aggregator } = longLog(store);
    const scansOfCode = (qrId: number) => {
      let sum = counters(store).scans[qrId]?.[0] ?? 0;
      for (const { hits } of aggregator.pending(qrId, 'scan')) sum += hits;
      return sum;
    };
    const wanted = expected(all).scans;
    expect(aggregator.step()).toBe('more');
    const late: Hit = { qrId: 7, kind: 'head', atMs: noon + hour };
    addRow(store, aggregator, [late]);
    while (aggregator.step() !== 'empty') {
      expect(countRows(store.$client).hits).toBe(all.length + 1);
      for (const qrId of [0, 900, 1800]) expect(scansOfCode(qrId)).toBe(wanted[qrId]?.[0] ?? -1);
    }
    expect(counters(store)).toEqual(expected([...all, late]));
    expect(rowsOfLog(store)).toBe(0);
  });

  test('any rows, steps and crashes add up', () => {
    const row = fc.array(hits, { minLength: 1, maxLength: 20 });
    const wideRow = fc.nat(3).map((nth) => scansOf(nth * 400, 500));
    const events = fc.array(
      fc.oneof(row, wideRow, fc.constant('step' as const), fc.constant('crash' as const)),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(events, (all) => {
        const store = openWithDrizzle(newFolder(), { durability: 'process', busyTimeoutMs: 0 });
        let aggregator = createAggregator(store.$client);
        for (const event of all) {
          if (event === 'step') aggregator.step();
          else if (event === 'crash') aggregator = createAggregator(store.$client);
          else addRow(store, aggregator, event);
        }
        while (aggregator.step() !== 'empty');
        const committed = all.flatMap((event) => (Array.isArray(event) ? event : []));
        expect(counters(store)).toEqual(expected(committed));
        expect(rowsOfLog(store)).toBe(0);
        store.$client.close();
      }),
      { numRuns: 20 },
    );
  });
});

describe('aggregation in the background', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const start = (store: DrizzleConnection) => createBackgroundAggregation(store.$client);

  const failOnDelete = (store: DrizzleConnection) =>
    store.$client.run(
      `CREATE TRIGGER failure BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'broken'); END`,
    );

  test('empties the log and then sets no timer', () => {
    const store = openIn(newFolder());
    const aggregation = start(store);
    const all = [0, 500, 1000].flatMap((from) => scansOf(from, 500));
    for (let from = 0; from < all.length; from += 500)
      addRow(store, aggregation, all.slice(from, from + 500));
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected(all));
    expect(rowsOfLog(store)).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    const last = scansOf(7, 1);
    addRow(store, aggregation, last);
    aggregation.close();
    expect(counters(store)).toEqual(expected([...all, ...last]));
    expect(jest.getTimerCount()).toBe(0);
  });

  test('retries after an error, and reports it meanwhile', () => {
    const store = openIn(newFolder());
    const aggregation = start(store);
    failOnDelete(store);
    const all = scansOf(1, 1);
    addRow(store, aggregation, all);
    jest.advanceTimersByTime(5000);
    expect(aggregation.problem()).toBe('broken');
    // The counters were rolled back with it.
    expect(counters(store)).toEqual(expected([]));
    store.$client.run('DROP TRIGGER failure');
    jest.advanceTimersByTime(5000);
    expect(aggregation.problem()).toBeNull();
    expect(counters(store)).toEqual(expected(all));
  });

  test('takes over the log of a crashed process, also while another process writes', () => {
    const folder = newFolder();
    const crashed = openIn(folder);
    const all = scansOf(1, 2);
    addRow(crashed, start(crashed), all);
    jest.clearAllTimers();
    const store = openIn(folder);
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    const aggregation = start(store);
    expect(aggregation.pending(1, 'scan')).toEqual([{ hits: 1, lastMs: noon }]);
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected([]));
    other.run('ROLLBACK');
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected(all));
    expect(aggregation.problem()).toBeNull();
  });
});

test('a row that cannot be read is kept, and all others are counted', async () => {
  const store = openIn(newFolder());
  const append = store.$client.query('INSERT INTO scan_log (hits) VALUES (?)');
  for (const row of [encodeHits([8, noon, 1]), 'scan', encodeHits([16, noon, 1])]) append.run(row);
  const log = createScanLog(store);
  await log.record(3, 'scan', noon);
  log.close();
  expect(counters(store).scans).toEqual({ 1: [1, noon], 2: [1, noon], 3: [1, noon] });
  expect(rowsOfLog(store)).toBe(1);
});
