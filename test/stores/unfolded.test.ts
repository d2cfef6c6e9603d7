import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import fc from 'fast-check';
import { createQrStore } from '../../src/sqlite/codes/qrs.ts';
import type { Store } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { flawsOf } from '../../src/sqlite/maintenance/integrity.ts';
import { addHit, type Entries, encode } from '../../src/sqlite/scans/batch.ts';
import { createHourlyScans } from '../../src/sqlite/scans/counters.ts';
import { createScanLog } from '../../src/sqlite/scans/log.ts';
import { createUnfolded } from '../../src/sqlite/scans/pending.ts';
import { createFolders } from './folder.ts';
import {
  counters,
  countRows,
  expected,
  type Hit,
  hits,
  hour,
  noon,
  oneScan,
  rowsOfLog,
} from './scans.ts';

const { newFolder, openIn } = createFolders();

describe('folding', () => {
  test('any hits in any turns add up per QR, hour and kind', async () => {
    const turns = fc.array(fc.array(hits, { minLength: 1, maxLength: 20 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const store = openStore(newFolder(), { durability: 'process', busyTimeoutMs: 0 });
        const rowsEver = countRows(store);
        const log = createScanLog(store);
        for (const turn of all)
          await Promise.all(turn.map(({ qrId, kind, atMs }) => log.record(qrId, kind, atMs)));
        expect(rowsEver()).toBe(all.length);
        log.close();
        expect(counters(store)).toEqual(expected(all.flat()));
        expect(rowsOfLog(store)).toBe(0);
        store.$client.close();
      }),
      { numRuns: 25 },
    );
  });

  test('goes on by itself while hits arrive, and every answer in between is exact', async () => {
    const store = openIn(newFolder());
    const log = createScanLog(store);
    const qrs = createQrStore(store, { forget: () => {} }, log);
    store.$client.run(
      `INSERT INTO accounts (id, email, created_at) VALUES (1, 'a@example.com', 0);
       INSERT INTO designs (id, account_id, foreground, background, module_shape, finder_shape,
         logo_size_percent, logo_patch, quiet_zone, created_at)
         VALUES (1, 1, '#000000', '#ffffff', 'square', 'square', 22, 'square', 4, 0);
       INSERT INTO qrs (id, code, account_id, design_id, short_link, destination, created_at, image_hash)
         VALUES (1, '00000000', 1, 1, 'https://q/00000000', 'https://a/', 0, zeroblob(32))`,
    );
    let scans = 0;
    // As many turns as it takes until the fold's timer has fired at least twice.
    const folded = () => Number(counters(store).scans['1']?.[0] ?? 0);
    for (let folds = 0, before = 0; folds < 2; ) {
      await log.record(1, 'scan', noon + ++scans);
      expect(await qrs.find(1, '00000000')).toMatchObject({ scans, lastScanMs: noon + scans });
      expect(await qrs.hourlyScans(1, noon)).toEqual([{ hourMs: noon, scans }]);
      if (folded() > before) folds++;
      before = folded();
      if (scans > 200_000) throw new Error('it never folds');
    }
    log.close();
    expect(folded()).toBe(scans);
  });

  test('what a crash left in the log is folded once by the next start', async () => {
    const folder = newFolder();
    const crashed = createScanLog(openIn(folder));
    await Promise.all(Array.from({ length: 3 }, () => crashed.record(1, 'scan', noon)));
    await crashed.record(1, 'preview', noon);
    // Never closed: from here on it is as if the process had died.
    const store = openIn(folder);
    expect(rowsOfLog(store)).toBe(2);
    createScanLog(store).close();
    const all = [...oneScan, ...oneScan, ...oneScan, { ...oneScan[0], kind: 'preview' } as const];
    expect(counters(store)).toEqual(expected(all));
    createScanLog(store).close();
    expect(counters(store)).toEqual(expected(all));
  });

  test('what a crash left in the log is counted by all that is read while another process writes', async () => {
    const folder = newFolder();
    const crashed = createScanLog(openIn(folder));
    await Promise.all(Array.from({ length: 3 }, () => crashed.record(1, 'scan', noon)));
    await crashed.record(1, 'preview', noon);
    const store = openIn(folder);
    // A row that cannot be read lies between those of before and those that follow.
    store.$client.run("INSERT INTO scan_log (entries) VALUES ('scan')");
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    const log = createScanLog(store);
    expect(log.unfolded(1, 'scan')).toEqual([{ hits: 3, lastMs: noon }]);
    expect(log.unfolded(1, 'preview')).toEqual([{ hits: 1, lastMs: noon }]);
    expect(counters(store).scans).toEqual({});
    other.run('ROLLBACK');

    await log.record(1, 'scan', noon + 1);
    log.close();
    const all = [...oneScan, ...oneScan, ...oneScan, { ...oneScan[0], kind: 'preview' } as const];
    expect(counters(store)).toEqual(expected([...all, { ...oneScan[0], atMs: noon + 1 }]));
    expect(log.unfolded(1, 'scan')).toEqual([]);
    expect(log.foldProblem()).toBe('a row of scan_log cannot be read');
    expect(rowsOfLog(store)).toBe(1);
  });

  test('an hour that an earlier schema began is counted on, also once it is over', async () => {
    const store = openIn(newFolder());
    store.$client.run(
      `INSERT INTO scan_counters (qr_id, scans, last_scan) VALUES (1, 3, ${noon});
       INSERT INTO hourly_scans (qr_id, hour, scans) VALUES (1, ${noon}, 3)`,
    );
    const hours = createHourlyScans(store.$client);
    for (const [atMs, scans] of [
      [noon + 5, [4]],
      [noon + hour, [4, 1]],
      [noon + 7, [5, 1]],
    ] as const) {
      const log = createScanLog(store);
      await log.record(1, 'scan', atMs);
      log.close();
      expect(hours(1, 0).map((inHour) => inHour.scans)).toEqual([...scans]);
    }
    expect(hours(1, noon + hour)).toEqual([{ hourMs: noon + hour, scans: 1 }]);
    expect(counters(store).scans).toEqual({ 1: [6, noon + hour] });
    // What is not in the counters yet may be of an hour before all of them.
    expect(hours(1, 0, [{ hits: 2, lastMs: noon - 1 }]).map((inHour) => inHour.scans)).toEqual([
      2, 5, 1,
    ]);
  });

  test('scans that are folded one after the other add up, whichever hour they fall into', async () => {
    const store = openIn(newFolder());
    const all: Hit[] = [];
    // The first instant of an hour, later ones, one between them, the last, the next hour, and one long before.
    for (const sinceNoonMs of [0, 5, 9, 7, hour - 1, hour, hour + 1, -1, -hour, 2 * hour]) {
      const hit: Hit = { qrId: 1, kind: 'scan', atMs: noon + sinceNoonMs };
      all.push(hit);
      const log = createScanLog(store);
      await log.record(hit.qrId, hit.kind, hit.atMs);
      log.close();
      expect(counters(store)).toEqual(expected(all));
    }
  });

  test('a crash between adding up and forgetting undoes the adding up', async () => {
    const folder = newFolder();
    const store = openIn(folder);
    const log = createScanLog(store);
    await log.record(1, 'scan', noon);
    store.$client.run(
      `CREATE TRIGGER crash BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'crash'); END`,
    );
    const problems: string[] = [];
    const after = createScanLog(
      openIn(folder),
      () => {},
      (problem) => problems.push(problem),
    );
    after.close();
    expect(after.foldProblem()).toBe('crash');
    expect(problems).toEqual(['crash']);
    expect(counters(store).scans).toEqual({});
    store.$client.run('DROP TRIGGER crash');
    log.close();
    expect(counters(store)).toEqual(expected(oneScan));
  });
});

describe('with time, and no word from anyone', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** What folds the log of a store, with what it tells of, and a way to commit scans of several codes. */
  function unfolding(store: Store) {
    const problems: string[] = [];
    const unfolded = createUnfolded(store.$client, (problem) => problems.push(problem));
    const append = store.$client.query('INSERT INTO scan_log (entries) VALUES (?)');
    const commit = (codes: readonly number[]) => {
      const entries: Entries = [];
      for (const qrId of codes) addHit(entries, qrId, 'scan', noon);
      unfolded.add(entries, Number(append.run(encode(entries)).lastInsertRowid));
      return codes.map((qrId): Hit => ({ qrId, kind: 'scan', atMs: noon }));
    };
    return { unfolded, problems, commit };
  }

  test('all that is committed is folded, and later what comes later', () => {
    const store = openIn(newFolder());
    const { unfolded, commit } = unfolding(store);
    const codes = Array.from({ length: 500 }, (_, n) => n);
    const all = [0, 500, 1000].flatMap((from) => commit(codes.map((n) => from + n)));
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected(all));
    expect(rowsOfLog(store)).toBe(0);
    // An idle server does nothing.
    expect(jest.getTimerCount()).toBe(0);
    all.push(...commit([7]));
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected(all));
    all.push(...commit([8]));
    unfolded.finish();
    expect(counters(store)).toEqual(expected(all));
    expect(jest.getTimerCount()).toBe(0);
  });

  test('what could not be folded is tried again, told once, and no problem once it could', () => {
    const store = openIn(newFolder());
    const { unfolded, problems, commit } = unfolding(store);
    store.$client.run(
      `CREATE TRIGGER crash BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'crash'); END`,
    );
    const all = commit([1]);
    jest.advanceTimersByTime(5000);
    expect([unfolded.problem(), problems]).toEqual(['crash', ['crash']]);
    store.$client.run('DROP TRIGGER crash');
    jest.advanceTimersByTime(5000);
    expect([unfolded.problem(), problems]).toEqual([null, ['crash']]);
    expect(counters(store)).toEqual(expected(all));
    expect(jest.getTimerCount()).toBe(0);
  });

  test('what a crash left and nobody can fold is told at once', () => {
    const folder = newFolder();
    const crashed = openIn(folder);
    unfolding(crashed).commit([1]);
    jest.clearAllTimers();
    crashed.$client.run(
      `CREATE TRIGGER crash BEFORE DELETE ON scan_log BEGIN SELECT raise(ABORT, 'crash'); END`,
    );
    const { unfolded, problems } = unfolding(openIn(folder));
    expect([unfolded.problem(), problems]).toEqual(['crash', ['crash']]);
  });

  test('what a crash left is folded also where another process writes at the start', () => {
    const folder = newFolder();
    const all = unfolding(openIn(folder)).commit([1, 2]);
    jest.clearAllTimers();
    const store = openIn(folder);
    const other = openIn(folder).$client;
    other.run('BEGIN IMMEDIATE');
    const { unfolded, problems } = unfolding(store);
    expect(counters(store)).toEqual(expected([]));
    other.run('ROLLBACK');
    jest.advanceTimersByTime(5000);
    expect(counters(store)).toEqual(expected(all));
    expect([unfolded.problem(), problems]).toEqual([null, []]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a row that a damaged disk has changed', () => {
  test.each([
    ['is cut off', () => encode([8, noon, 1]).slice(0, 23)],
    ['is text', () => 'scan'],
    ['names no code', () => encode([-8, noon, 1])],
    ['names no kind', () => encode([8 + 7, noon, 1])],
    ['has no date', () => encode([8, Number.NaN, 1])],
    ['counts nothing', () => encode([8, noon, 0])],
    ['counts a part', () => encode([8, noon, 0.5])],
  ])('that %s is a flaw of the database, and all others are counted', async (_, row) => {
    const store = openIn(newFolder());
    expect(flawsOf(store.$client)).toEqual([]);
    const append = store.$client.query('INSERT INTO scan_log (entries) VALUES (?)');
    append.run(encode([8, noon, 1]));
    append.run(row());
    append.run(encode([16, noon, 1]));
    expect(flawsOf(store.$client)).toEqual(['a row of scan_log cannot be read']);
    const problems: string[] = [];
    const log = createScanLog(
      store,
      () => {},
      (problem) => problems.push(problem),
    );
    expect(await log.record(3, 'scan', noon)).toBe('committed');
    log.close();
    expect(log.foldProblem()).toBe('a row of scan_log cannot be read');
    expect(problems).toEqual(['a row of scan_log cannot be read']);
    expect(counters(store).scans).toEqual({ 1: [1, noon], 2: [1, noon], 3: [1, noon] });
    expect(rowsOfLog(store)).toBe(1);
  });
});
