import { describe, expect, test } from 'bun:test';
import { createScanLog } from '../../src/sqlite/scans/scan-log.ts';
import { until } from '../support/until.ts';
import { createFolders } from './folder.ts';
import { counters, countRows, expected, hour, noon, oneScan, rowsOfLog } from './scans.ts';

const { newFolder, openIn } = createFolders();

describe('recording', () => {
  test('commits the hits of one tick as one row before any of them resolves', async () => {
    const folder = newFolder();
    const other = openIn(folder);
    const rowsEver = countRows(other);
    const log = createScanLog(openIn(folder));
    const rowsSeen = await Promise.all(
      [1, 2, 3, 1, 2].map(async (qrId) => {
        await log.record(qrId, 'scan', noon);
        return rowsEver();
      }),
    );
    expect(rowsSeen).toEqual([1, 1, 1, 1, 1]);
    await log.record(1, 'head', noon);
    expect(rowsEver()).toBe(2);
    expect(log.status()).toMatchObject({ committed: 6, buffered: 0, problem: null });
    log.close();
    expect(rowsOfLog(other)).toBe(0);
    expect(counters(other).scans).toEqual({ 1: [2, noon], 2: [2, noon], 3: [1, noon] });
  });

  test.each([
    ['power', 1],
    ['process', 2],
  ] as const)('with durability %s the hits of two ticks are %i rows', async (durability, rows) => {
    const folder = newFolder();
    const rowsEver = countRows(openIn(folder));
    const log = createScanLog(openIn(folder, durability));
    const first = log.record(1, 'scan', noon);
    // After the log's own immediate, so that its first tick is over.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, log.record(2, 'scan', noon)]);
    expect(log.status().committed).toBe(2);
    expect(rowsEver()).toBe(rows);
    log.close();
  });

  test('writes nothing before the tick ends', () => {
    const store = openIn(newFolder());
    const log = createScanLog(store);
    void log.record(1, 'scan', noon);
    expect(rowsOfLog(store)).toBe(0);
    log.close();
    expect(counters(store)).toEqual(expected(oneScan));
  });

  test('counts a scan at once, aggregated or not', async () => {
    const store = openIn(newFolder());
    const log = createScanLog(store);
    // In one tick, so that none is aggregated yet.
    await Promise.all([
      log.record(1, 'scan', noon + 5),
      log.record(1, 'scan', noon),
      log.record(1, 'crawler', noon + 9),
    ]);
    expect(log.pending(1, 'scan')).toEqual([{ hits: 2, lastMs: noon + 5 }]);
    expect(log.pending(1, 'crawler')).toEqual([{ hits: 1, lastMs: noon + 9 }]);
    expect(log.pending(2, 'scan')).toEqual([]);
    log.close();
  });
});

describe('while the database cannot be written', () => {
  /** A scan log whose database another connection has locked. */
  function blocked() {
    const folder = newFolder();
    const store = openIn(folder);
    const other = openIn(folder).$client;
    const log = createScanLog(store);
    other.run('BEGIN EXCLUSIVE');
    return { store, log, free: () => other.run('ROLLBACK') };
  }

  test('buffers hits, reports the reason, and counts all of them afterwards', async () => {
    const { store, log, free } = blocked();
    await log.record(1, 'scan', noon);
    await Promise.all([log.record(1, 'scan', noon + 1), log.record(2, 'head', noon)]);
    await log.record(1, 'scan', noon - hour);
    await until(() => log.status().problem !== null);
    expect(log.status()).toMatchObject({
      committed: 0,
      buffered: 4,
      problem: expect.stringContaining('locked'),
    });
    free();
    await until(() => log.status().buffered === 0);
    expect(log.status()).toMatchObject({ committed: 4, buffered: 0, problem: null });
    expect(log.pending(1, 'scan')).toEqual([
      { hits: 2, lastMs: noon + 1 },
      { hits: 1, lastMs: noon - hour },
    ]);
    await log.record(1, 'scan', noon + 2);
    expect(log.status().committed).toBe(5);
    log.close();
    expect(counters(store)).toEqual(
      expected([
        { qrId: 1, kind: 'scan', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon + 1 },
        { qrId: 2, kind: 'head', atMs: noon },
        { qrId: 1, kind: 'scan', atMs: noon - hour },
        { qrId: 1, kind: 'scan', atMs: noon + 2 },
      ]),
    );
  });

  test('does not report a short write of another process', async () => {
    const { store, log, free } = blocked();
    await log.record(1, 'scan', noon);
    expect(log.status()).toMatchObject({ committed: 0, buffered: 1, problem: null });
    free();
    await until(() => log.status().buffered === 0);
    await log.record(1, 'scan', noon);
    expect(log.status()).toMatchObject({ committed: 2, problem: null });
    log.close();
    expect(counters(store).scans).toEqual({ 1: [2, noon] });
  });

  test('writes buffered hits at close', async () => {
    const { store, log, free } = blocked();
    const many = 20_000;
    await Promise.all(Array.from({ length: many }, (_, n) => log.record(n % 5, 'scan', noon)));
    free();
    expect(log.close()).toBe(0);
    expect(counters(store).scans['4']).toEqual([many / 5, noon]);
  });

  test('returns the number of lost hits at close', async () => {
    const { store, log, free } = blocked();
    await Promise.all([log.record(1, 'scan', noon), log.record(1, 'scan', noon)]);
    expect(log.close()).toBe(2);
    free();
    expect(counters(store)).toEqual(expected([]));
  });

  test('buffers hits of a file that has become read-only', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const log = createScanLog(store);
    store.$client.run('PRAGMA query_only = ON');
    await log.record(1, 'scan', noon);
    expect(log.status()).toMatchObject({
      buffered: 1,
      problem: expect.stringContaining('readonly'),
    });
    store.$client.run('PRAGMA query_only = OFF');
    // Only the timer tries again, which is half a second away: redirects do not wait for an attempt.
    await log.record(1, 'scan', noon);
    expect(log.status().buffered).toBe(2);
    log.close();
    expect(counters(openIn(folder))).toEqual(expected([...oneScan, ...oneScan]));
  });
});
