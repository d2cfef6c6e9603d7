import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Store } from '../../src/sqlite/database/open.ts';
import { openStore } from '../../src/sqlite/database/store.ts';
import { holdingsOf } from '../../src/sqlite/maintenance/integrity.ts';
import { createFold, type Fold } from '../../src/sqlite/scans/aggregate.ts';
import { addHit, type Entries, encode } from '../../src/sqlite/scans/batch.ts';
import { createFolders } from './folder.ts';
import { counters, expected, type Hit, hits, hour, noon, oneScan, rowsOfLog } from './scans.ts';

const { newFolder, openIn } = createFolders();

describe('a fold', () => {
  /** Commits hits as one row of the log, and has them folded later. */
  function addRow(store: Store, fold: Fold, row: readonly Hit[]) {
    const entries: Entries = [];
    for (const { qrId, kind, atMs } of row) addHit(entries, qrId, kind, atMs);
    const append = store.$client.query('INSERT INTO scan_log (entries) VALUES (?)');
    fold.add(entries, Number(append.run(encode(entries)).lastInsertRowid));
  }

  /** One scan of each of so many codes. */
  const codesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, n): Hit => ({ ...oneScan[0], qrId: first + n }));

  /** Twelve thousand hits in the log, 24 rows; the second half reaches from one hour into the next. */
  function longLog(store: Store) {
    const all = Array.from(
      { length: 12_000 },
      (_, n): Hit => ({
        qrId: (n * 7919) % 1801,
        kind: n % 11 === 0 ? 'head' : 'scan',
        atMs: noon + (n < 6000 ? 0 : ((n * 31) % 60) * 60_000 + hour / 2),
      }),
    );
    const fold = createFold(store.$client);
    for (let from = 0; from < all.length; from += 500)
      addRow(store, fold, all.slice(from, from + 500));
    return { all, fold };
  }

  test('a long log is put in order and folded in steps, exact after each', () => {
    const store = openIn(newFolder());
    const { all, fold } = longLog(store);
    const hitsOf = (qrId: number) => {
      let sum = counters(store).scans[qrId]?.[0] ?? 0;
      for (const { hits } of fold.counts(qrId, 'scan')) sum += hits;
      return sum;
    };
    const wanted = expected(all).scans;
    let steps = 0;
    while (fold.step() !== null) {
      expect(holdingsOf(store.$client).hits).toBe(all.length);
      for (const qrId of [0, 900, 1800]) expect(hitsOf(qrId)).toBe(wanted[qrId]?.[0] ?? -1);
      steps++;
    }
    expect(steps).toBeGreaterThan(9);
    expect(counters(store)).toEqual(expected(all));
    expect(rowsOfLog(store)).toBe(0);
  });

  test('rows that come while others are folded wait for their turn', () => {
    const store = openIn(newFolder());
    const { all, fold } = longLog(store);
    expect(fold.step()).toEqual({ ordered: true, more: true });
    const late: Hit = { qrId: 7, kind: 'scan', atMs: noon + hour };
    addRow(store, fold, [late]);
    expect(fold.step()).toEqual({ ordered: false, more: true });
    expect(holdingsOf(store.$client).hits).toBe(all.length + 1);
    while (fold.step() !== null);
    expect(counters(store)).toEqual(expected([...all, late]));
    expect(rowsOfLog(store)).toBe(0);
  });

  test.each([0, 1, 2, 5, 9])('a crash after %i steps loses and doubles nothing', (steps) => {
    const folder = newFolder();
    const crashed = longLog(openIn(folder));
    for (let step = 0; step < steps; step++) expect(crashed.fold.step()).not.toBeNull();
    const store = openIn(folder);
    createFold(store.$client).foldLeftovers();
    expect(counters(store)).toEqual(expected(crashed.all));
    expect(rowsOfLog(store)).toBe(0);
  });

  test.each([1, 2])('nor where each row is full of codes of its own, after %i steps', (steps) => {
    const folder = newFolder();
    const before = openIn(folder);
    const crashed = createFold(before.$client);
    const all = codesFrom(0, 2000);
    for (let from = 0; from < all.length; from += 500)
      addRow(before, crashed, all.slice(from, from + 500));
    expect(crashed.step()).toEqual({ ordered: true, more: true });
    for (let step = 1; step < steps; step++) crashed.step();
    const store = openIn(folder);
    createFold(store.$client).foldLeftovers();
    expect(counters(store)).toEqual(expected(all));
    expect(rowsOfLog(store)).toBe(0);
  });

  test('rows, steps and crashes in any order add up', () => {
    const row = fc.array(hits, { minLength: 1, maxLength: 20 });
    const events = fc.array(fc.oneof(row, fc.constant('step'), fc.constant('crash')), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(events, (all) => {
        const store = openStore(newFolder(), { durability: 'process', busyTimeoutMs: 0 });
        let fold = createFold(store.$client);
        for (const event of all) {
          if (event === 'step') fold.step();
          else if (event === 'crash') {
            fold = createFold(store.$client);
            fold.foldLeftovers();
          } else addRow(store, fold, event);
        }
        while (fold.step() !== null);
        const committed = all.flatMap((event) => (Array.isArray(event) ? event : []));
        expect(counters(store)).toEqual(expected(committed));
        expect(rowsOfLog(store)).toBe(0);
        store.$client.close();
      }),
      { numRuns: 40 },
    );
  });

  test('more codes than are put in order at once are folded in several rounds', () => {
    const store = openIn(newFolder());
    const fold = createFold(store.$client);
    for (let from = 0; from < 50_000; from += 500) addRow(store, fold, codesFrom(from, 500));
    // In many rows, whose numbers are those behind the first fifty thousand.
    for (let from = 50_000; from < 60_000; from += 50) addRow(store, fold, codesFrom(from, 50));
    expect(fold.backlog()).toBe(2);
    let ordered = 0;
    for (let step = fold.step(); step !== null; step = fold.step()) if (step.ordered) ordered++;
    expect(ordered).toBe(2);
    expect(holdingsOf(store.$client).hits).toBe(60_000);
    expect(rowsOfLog(store)).toBe(0);
  });
});
