import { expect, jest, test } from 'bun:test';
import type { Clock } from '../../src/core/ports.ts';
import { compareDays, lastDays } from '../../src/core/scans/days.ts';
import { createOverviews } from '../../src/core/scans/overview.ts';
import type { CodeCounters, OverviewStore } from '../../src/core/scans/ports.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;
const day = 24 * hour;
// 14:20, so that today and this hour have begun.
const nowMs = Date.UTC(2026, 5, 20, 14, 20);
const thisHourMs = Date.UTC(2026, 5, 20, 14);

/** A clock that a test sets. Computing takes no time unless `stepMs` is set. */
function createTestClock() {
  const clock = {
    atMs: 0,
    stepMs: 0,
    nowMs: () => nowMs + clock.atMs,
    monotonicMs: () => {
      clock.atMs += clock.stepMs;
      return clock.atMs;
    },
  };
  return clock satisfies Clock;
}

const codeOf = (number: number, fields: Partial<CodeCounters> = {}): CodeCounters => ({
  code: String(number),
  createdAtMs: number,
  scans: 0,
  lastScanMs: null,
  lateScans: 0,
  ...fields,
});

function createStore(codes: readonly CodeCounters[], hours: Readonly<Record<number, number>>) {
  let reads = 0;
  const store: OverviewStore = {
    readCounters: async (_, __, cursor, limit) => {
      reads++;
      const first = cursor === null ? 0 : codes.findIndex(({ code }) => code === cursor.code) + 1;
      return {
        codes: codes.slice(first, first + limit),
        // All hours are of the first code.
        hours:
          first > 0
            ? []
            : Object.entries(hours).map(([hourMs, scans]) => ({ hourMs: Number(hourMs), scans })),
      };
    },
  };
  return { store, reads: () => reads };
}

const overviewOf = (overviews: ReturnType<typeof createOverviews>) =>
  overviews.of({ accountId: 1 }, 60, 'UTC');

test('periods end now and are compared with the ones before', async () => {
  const { store } = createStore([codeOf(1)], {
    [thisHourMs]: 1,
    [thisHourMs - 14 * hour]: 2, // midnight
    [thisHourMs - 15 * hour]: 4, // yesterday's last hour, later than this one
    [thisHourMs - day]: 8,
    [thisHourMs - 2 * day]: 16,
    [thisHourMs + hour - 7 * day]: 32,
    [thisHourMs - 7 * day]: 64,
    [thisHourMs - 20 * day]: 128,
    [thisHourMs - 40 * day]: 256,
  });
  const overview = await overviewOf(createOverviews({ store, clock: createTestClock() }));
  expect(overview?.atMs).toBe(nowMs);
  const sums = overview?.sums ?? new Map<number, number>();
  const last = (days: number) =>
    compareDays(lastDays(days, nowMs, 'UTC'), days, sums, 'UTC', nowMs);
  expect(last(1)).toEqual({ scans: 3, before: 8 });
  expect(last(7)).toEqual({ scans: 31, before: 64 });
  expect(last(30)).toEqual({ scans: 255, before: 256 });
});

test('codes are grouped by their last scan, over all batches', async () => {
  const scanned = Array.from({ length: 300 }, (_, at) =>
    codeOf(at, { scans: 500, lateScans: 1 + ((at * 7) % 300) }),
  );
  const quiet = Array.from({ length: 7 }, (_, at) => codeOf(1000 + at, { scans: at + 1 }));
  const never = Array.from({ length: 8 }, (_, at) => codeOf(2000 + at));
  const { store } = createStore([...scanned, ...quiet, ...never], {});
  const overview = await overviewOf(createOverviews({ store, clock: createTestClock() }));
  expect(overview?.codes).toBe(315);
  expect(overview?.mostScanned.map(({ lateScans }) => lateScans)).toEqual([
    300, 299, 298, 297, 296,
  ]);
  expect(overview?.quiet.total).toBe(7);
  expect(overview?.quiet.first.map(({ scans }) => scans)).toEqual([7, 6, 5, 4, 3]);
  expect(overview?.neverScanned).toEqual({ total: 8, first: never.slice(0, 5) });
});

test('a result is used for twenty times as long as it took to compute', async () => {
  const clock = createTestClock();
  const { store, reads } = createStore([codeOf(1)], {});
  const overviews = createOverviews({ store, clock });
  await overviewOf(overviews);
  await overviewOf(overviews);
  expect(reads()).toBe(2);
  clock.stepMs = 10;
  await overviewOf(overviews);
  clock.stepMs = 0;
  // Each read looks at the clock before and after it.
  const tookMs = 30;
  clock.atMs += tookMs * 20 - 1;
  await overviewOf(overviews);
  expect(reads()).toBe(3);
  clock.atMs += 1;
  await overviewOf(overviews);
  expect(reads()).toBe(4);
});

/** A store whose reads from a code on wait until they are released. */
function createSlowStore(codes: number, from: number) {
  const { store } = createStore(
    Array.from({ length: codes }, (_, index) => codeOf(index + 1)),
    {},
  );
  const gate = { isClosed: true, release: () => {} };
  const readCounters: OverviewStore['readCounters'] = async (...args) => {
    if (gate.isClosed && Number(args[2]?.code ?? 0) >= from)
      await new Promise<void>((resolve) => {
        gate.release = resolve;
      });
    return store.readCounters(...args);
  };
  return { gate, store: { readCounters } };
}

test('while the codes of a large account are counted, there is no result or the former', async () => {
  const clock = createTestClock();
  const { gate, store } = createSlowStore(20_000, 10_000);
  const overviews = createOverviews({ clock, store });
  expect(await overviewOf(overviews)).toBeNull();
  gate.isClosed = false;
  gate.release();
  await until(async () => (await overviewOf(overviews)) !== null);
  const first = await overviewOf(overviews);
  expect(first?.codes).toBe(20_000);
  gate.isClosed = true;
  clock.atMs += day;
  expect(await overviewOf(overviews)).toBe(first);
  gate.release();
});

test('a batch that takes long is followed by a shorter one, and a quick one by a longer one', async () => {
  const clock = createTestClock();
  const { store } = createStore(
    Array.from({ length: 400 }, (_, index) => codeOf(index + 1)),
    {},
  );
  const limits: number[] = [];
  const readCounters: OverviewStore['readCounters'] = async (...args) => {
    limits.push(args[3]);
    // From the fourth batch on, codes have many hours.
    if (limits.length > 3) clock.atMs += args[3];
    return store.readCounters(...args);
  };
  expect((await overviewOf(createOverviews({ clock, store: { readCounters } })))?.codes).toBe(400);
  expect(limits.slice(0, 4)).toEqual([8, 16, 32, 32]);
  expect(Math.max(...limits.slice(8))).toBeLessThan(17);
});

test('an account has few runs at a time, whatever it asks for', async () => {
  const { gate, store } = createSlowStore(20_000, 10_000);
  const overviews = createOverviews({ clock: createTestClock(), store });
  jest.useFakeTimers();
  try {
    const asked = Array.from({ length: 50 }, (_, days) =>
      overviews.of({ accountId: 1 }, days + 1, 'UTC'),
    );
    expect(await Promise.all(asked.slice(4))).toEqual(Array(46).fill(null));
  } finally {
    jest.useRealTimers();
  }
  gate.isClosed = false;
  gate.release();
});

test('the codes of a small account are waited for on a slow machine', async () => {
  jest.useFakeTimers();
  try {
    const { gate, store } = createSlowStore(1, 0);
    const result = overviewOf(createOverviews({ clock: createTestClock(), store }));
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    jest.advanceTimersByTime(1000);
    gate.release();
    jest.useRealTimers();
    expect((await result)?.codes).toBe(1);
  } finally {
    jest.useRealTimers();
  }
});

test('a failure is reported to the caller, and the next call tries again', async () => {
  const { store } = createStore([codeOf(1)], {});
  let isBroken = true;
  const overviews = createOverviews({
    clock: createTestClock(),
    store: {
      readCounters: async (...args) => {
        if (isBroken) throw new Error('disk');
        return store.readCounters(...args);
      },
    },
  });
  await expect(overviewOf(overviews)).rejects.toThrow('disk');
  isBroken = false;
  expect((await overviewOf(overviews))?.codes).toBe(1);
});
