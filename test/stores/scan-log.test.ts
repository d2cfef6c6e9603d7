import { describe, expect, test } from 'bun:test';
import { createPendingHits } from '../../src/sqlite/scans/pending.ts';
import { createScanLog } from '../../src/sqlite/scans/scan-log.ts';
import { until } from '../support/until.ts';
import { createFolders, storesOn } from './folder.ts';
import { addOwner, addQr } from './rows.ts';
import { counters, countRows, expected, type Hit, hour, noon, rowsOfLog } from './scans.ts';

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

  test('writes buffered hits at close', async () => {
    const { store, log, free } = blocked();
    const many = 2000;
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
    const scan: Hit = { qrId: 1, kind: 'scan', atMs: noon };
    expect(counters(openIn(folder))).toEqual(expected([scan, scan]));
  });
});

test('another process reads each hit once while they are aggregated', async () => {
  const folder = newFolder();
  const server = openIn(folder);
  const log = createScanLog(server);
  const owner = await addOwner(storesOn(server), { email: 'alice@example.org' });
  const { id, code } = await addQr(storesOn(server), owner);
  await Promise.all([log.record(id, 'scan', noon), log.record(id, 'scan', noon)]);

  const command = openIn(folder);
  const stores = storesOn(command, { scanLog: createPendingHits(command.$client) });
  const read = async () => (await stores.qrs.find(owner.accountId, code))?.scans;
  expect(await read()).toBe(2);
  const meanwhile = read();
  log.close();
  expect(await meanwhile).toBe(2);
  expect(await read()).toBe(2);
});
