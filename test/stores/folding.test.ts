import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import fc from 'fast-check';
import { encodeHits, hitKey } from '../../src/core/scans/hit-entries.ts';
import { removeHits, returnHits } from '../../src/redirect/sqlite/hits-file.ts';
import type { DrizzleConnection } from '../../src/sqlite/database/drizzle.ts';
import { openWithDrizzle } from '../../src/sqlite/database/drizzle.ts';
import { createFolding } from '../../src/sqlite/hits/folding.ts';
import { createPendingHits, pinHits } from '../../src/sqlite/hits/pending.ts';
import { createFolders, storesOn } from './folder.ts';
import { addOwner, addQr } from './rows.ts';
import {
  addCodes,
  appendRows,
  counters,
  expected,
  type Hit,
  hitLogOf,
  hitRows,
  hits,
  noon,
  rowsOfLog,
} from './scans.ts';

const { newFolder, openIn } = createFolders();

const scan: Hit = { qrId: 1, kind: 'scan', atMs: noon };

const foldingOf = (folder: string, store: DrizzleConnection) =>
  createFolding(store.$client, folder);

/** Adds rows to `scan_log`, as an earlier version did. */
function addToScanLog(store: DrizzleConnection, row: readonly Hit[] | string): void {
  const value =
    typeof row === 'string'
      ? row
      : encodeHits(row.flatMap(({ qrId, kind, atMs }) => [hitKey(qrId, kind), atMs, 1]));
  store.$client.query('INSERT INTO scan_log (hits) VALUES (?)').run(value);
}

async function setUp() {
  const folder = newFolder();
  const store = openIn(folder);
  await addCodes(store);
  return { folder, store, log: hitLogOf(folder, store) };
}

const row = fc.array(hits, { minLength: 1, maxLength: 20 });
const events = fc.array(
  fc.oneof(
    row,
    fc.constant('fold' as const),
    fc.constant('kill app' as const),
    fc.constant('kill redirects' as const),
    fc.constant('refuse' as const),
  ),
  { maxLength: 30 },
);

test('rows, folds, ends of either process and refused upgrades in any order add up', async () => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const folder = newFolder();
      const store = openWithDrizzle(folder, { durability: 'process', busyTimeoutMs: 0 });
      await addCodes(store);
      let log = hitLogOf(folder, store);
      for (const event of all) {
        if (event === 'fold') foldingOf(folder, store).close();
        else if (event === 'kill app') foldingOf(folder, store).pending(1, 'scan');
        else if (event === 'kill redirects') log = hitLogOf(folder, store);
        else if (event === 'refuse') {
          log.close();
          returnHits(folder);
          log = hitLogOf(folder, store);
        } else await appendRows(log, [event]);
      }
      foldingOf(folder, store).close();
      const committed = all.flatMap((event) => (Array.isArray(event) ? event : []));
      expect(counters(store)).toEqual(expected(committed));
      expect(rowsOfLog(store)).toBe(0);
      log.end();
      log.close();
      store.$client.close();
    }),
    { numRuns: 25 },
  );
});

test('a hit is pending until it is in the counters, however it waits', async () => {
  const { folder, store, log } = await setUp();
  addToScanLog(store, [scan]);
  const folding = foldingOf(folder, store);
  const pending = () => folding.pending(1, 'scan');
  expect(pending()).toEqual([{ hits: 1, lastMs: noon }]);
  await appendRows(log, [[{ ...scan, atMs: noon + 5 }, scan]]);
  expect(pending()).toEqual([
    { hits: 1, lastMs: noon },
    { hits: 2, lastMs: noon + 5 },
  ]);
  expect(folding.pending(2, 'scan')).toEqual([]);
  folding.close();
  expect(folding.pending(1, 'scan')).toEqual([]);
  expect(counters(store).scans).toEqual({ 1: [3, noon + 5] });
});

test('hits of codes that are gone hold up no others', async () => {
  const { folder, store, log } = await setUp();
  const kinds = ['scan', 'crawler'] as const;
  const gone = kinds.map((kind): Hit => ({ qrId: 99, kind, atMs: noon }));
  await appendRows(log, [gone, [scan, ...gone]]);
  foldingOf(folder, store).close();
  expect(counters(store)).toEqual(expected([scan]));
});

test('a row of an earlier version that cannot be read is kept, and all others are counted', async () => {
  const { folder, store, log } = await setUp();
  addToScanLog(store, [scan]);
  addToScanLog(store, 'scan');
  addToScanLog(store, [{ ...scan, qrId: 2 }]);
  await appendRows(log, [[{ ...scan, qrId: 3 }]]);
  foldingOf(folder, store).close();
  expect(counters(store).scans).toEqual({ 1: [1, noon], 2: [1, noon], 3: [1, noon] });
  expect(rowsOfLog(store)).toBe(1);
});

test('another log in the place of one is added from its beginning', async () => {
  const { folder, store, log } = await setUp();
  const folding = foldingOf(folder, store);
  await appendRows(log, [[scan], [scan]]);
  folding.pending(1, 'scan');
  foldingOf(folder, store).close();
  log.end();
  log.close();
  removeHits(folder);
  await appendRows(hitLogOf(folder, store), [[scan]]);
  expect(hitRows(folder)).toEqual([1]);
  folding.close();
  expect(counters(store).scans).toEqual({ 1: [3, noon] });
});

describe('in the background', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('is tried again after an error, which is reported meanwhile', async () => {
    const { folder, store } = await setUp();
    addToScanLog(store, [scan]);
    const folding = foldingOf(folder, store);
    store.$client.run(
      `CREATE TRIGGER failure BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'broken'); END`,
    );
    jest.advanceTimersByTime(5000);
    expect(folding.problem()).toBe('broken');
    // The counters were rolled back with it.
    expect(counters(store)).toEqual(expected([]));
    store.$client.run('DROP TRIGGER failure');
    jest.advanceTimersByTime(5000);
    expect(folding.problem()).toBeNull();
    expect(counters(store)).toEqual(expected([scan]));
    folding.close();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('waits for the lock of another process, and loses nothing', async () => {
    const { folder, store } = await setUp();
    addToScanLog(store, [scan]);
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    const folding = foldingOf(folder, store);
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected([]));
    expect(folding.pending(1, 'scan')).toEqual([{ hits: 1, lastMs: noon }]);
    other.run('ROLLBACK');
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected([scan]));
    expect(folding.problem()).toBeNull();
    folding.close();
  });
});

describe('another process', () => {
  test('reads each hit once while they are added to the counters', async () => {
    const folder = newFolder();
    const server = openIn(folder);
    const owner = await addOwner(storesOn(server), { email: 'alice@example.org' });
    const { id, code } = await addQr(storesOn(server), owner);
    let log = hitLogOf(folder, server);
    const command = openIn(folder);
    const pending = createPendingHits(command.$client, folder);
    const stores = storesOn(command, { hits: pending });
    const read = async () => (await stores.qrs.find(owner.accountId, code))?.scans;

    await appendRows(log, [[{ ...scan, qrId: id }]]);
    expect(await read()).toBe(1);
    await appendRows(log, [[{ ...scan, qrId: id }]]);
    const meanwhile = read();
    foldingOf(folder, server).close();
    expect(await meanwhile).toBe(2);
    expect(await read()).toBe(2);
    // The server is started again.
    log.end();
    log.close();
    log = hitLogOf(folder, server);
    await appendRows(log, [[{ ...scan, qrId: id }]]);
    expect(await read()).toBe(3);
    pending.close();
    log.end();
  });

  test('sees the state of the log that it has pinned', async () => {
    const { folder, store, log } = await setUp();
    await appendRows(log, [[scan], [scan]]);
    const pinned = pinHits(folder);
    await appendRows(log, [[scan]]);
    expect(Array.from(pinned.unfolded(store.$client), ({ id }) => id)).toEqual([1, 2]);
    foldingOf(folder, store).close();
    expect(Array.from(pinned.unfolded(store.$client))).toEqual([]);
    pinned.close();
    log.end();
  });
});
