import { createCache } from '../../lib/cache.ts';
import { pause, yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Clock, QrCursor } from '../ports.ts';
import type { CodeCounters, CounterBatch, CounterWindow, OverviewStore } from './ports.ts';
import { type SeriesPoint, scanSeries } from './series.ts';

/** Scans in a period that ends now, and in the one before. */
export interface PeriodScans {
  readonly scans: number;
  readonly before: number;
}

/** How the codes of an account are doing. */
export interface Overview {
  /** When it was computed. */
  readonly atMs: number;
  /** Number of codes. */
  readonly codes: number;
  /** Since midnight UTC, compared with the day before up to the same hour. */
  readonly today: PeriodScans;
  /** 7 times 24 hours. */
  readonly week: PeriodScans;
  /** 30 times 24 hours. */
  readonly month: PeriodScans;
  /** Scans per day, the last 30 days. */
  readonly series: readonly SeriesPoint[];
  /** The most scanned of the last 30 days, in that order. */
  readonly mostScanned: readonly CodeCounters[];
  readonly neverScanned: CodeGroup;
  /** Codes that were scanned, but not in the last 30 days. */
  readonly quiet: CodeGroup;
}

/** Number of the codes in a group, and the first of them. */
export interface CodeGroup {
  readonly total: number;
  readonly first: readonly CodeCounters[];
}

export type Overviews = ReturnType<typeof createOverviews>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekDays = 7;
const monthDays = 30;
const shownCodes = 5;

// A page waits for the overview of an account with fewer codes. With more, it shows an earlier result meanwhile.
const awaitedCodes = 2000;
// For the overviews of other accounts, which come first.
const patienceMs = 5000;
// Codes with scans in each hour of the window have 1,440 rows each: some milliseconds.
const codesPerBatch = 100;
// Computing takes at most a twentieth of the time.
const maxShare = 20;

/**
 * Computes overviews from the counters of all codes: within milliseconds for thousands of codes, in the
 * background for a million. One at a time, in small batches, so that redirects are not delayed.
 */
export function createOverviews({ store, clock }: { store: OverviewStore; clock: Clock }) {
  const results = createCache<number, { overview: Overview; validUntilMs: number }>(1000);
  /** Resolve at the end, or when the account turns out to have many codes. */
  const runs = new Map<number, Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();

  const compute = async (accountId: number, onMany: () => void): Promise<void> => {
    const startMs = clock.monotonicMs();
    const figures = createFigures(clock.nowMs());
    let codes = 0;
    for await (const batch of counterBatches(store, accountId, figures.window)) {
      figures.add(batch);
      codes += batch.codes.length;
      if (codes > awaitedCodes) onMany();
    }
    const nowMs = clock.monotonicMs();
    const validUntilMs = nowMs + (nowMs - startMs) * maxShare;
    results.set(accountId, { overview: figures.overview(), validUntilMs });
  };

  return {
    /**
     * Returns the overview of an account. With many codes it may be some minutes old, or null when the
     * first is still being computed.
     */
    of: async (accountId: number): Promise<Overview | null> => {
      const known = results.get(accountId);
      if (known !== undefined && clock.monotonicMs() < known.validUntilMs) return known.overview;
      let run = runs.get(accountId);
      if (run === undefined) {
        const { promise: isLarge, resolve: onMany } = Promise.withResolvers<void>();
        const end = last
          .then(() => compute(accountId, onMany))
          .finally(() => runs.delete(accountId));
        last = end.catch(() => {});
        run = Promise.race([end, isLarge]);
        runs.set(accountId, run);
      }
      await Promise.race([run, pause(patienceMs)]);
      return results.get(accountId)?.overview ?? null;
    },
  };
}

/** Reads the counters of all codes of an account, in batches of some milliseconds. */
export async function* counterBatches(
  store: OverviewStore,
  accountId: number,
  window: CounterWindow,
): AsyncGenerator<CounterBatch> {
  for (let cursor: QrCursor | null | undefined = null; cursor !== undefined; ) {
    const batch: CounterBatch = await store.readCounters(accountId, window, cursor, codesPerBatch);
    yield batch;
    cursor = batch.codes.length < codesPerBatch ? undefined : batch.codes.at(-1);
    await yieldToEventLoop();
  }
}

/** Sums up batches of counters. */
function createFigures(atMs: number) {
  const thisHourMs = Math.floor(atMs / hourMs) * hourMs;
  const midnightMs = Math.floor(atMs / dayMs) * dayMs;
  const lateMs = beginOfDays(monthDays);
  const window = { sinceMs: beginOfDays(2 * monthDays), lateMs };
  const hours = new Map<number, number>();
  const mostScanned = createTop((one) => one.lateScans);
  // Those whose printed codes were in use most.
  const quiet = createTop((one) => one.scans);
  const never: CodeCounters[] = [];
  let [codes, neverTotal, quietTotal] = [0, 0, 0];

  /** Returns the beginning of the last `days` times 24 hours, this hour included. */
  function beginOfDays(days: number): number {
    return thisHourMs + hourMs - days * dayMs;
  }
  const between = (beginMs: number, endMs: number) => {
    let sum = 0;
    for (const [hour, scans] of hours) if (hour >= beginMs && hour < endMs) sum += scans;
    return sum;
  };
  const lastDays = (days: number): PeriodScans => ({
    scans: between(beginOfDays(days), Number.POSITIVE_INFINITY),
    before: between(beginOfDays(2 * days), beginOfDays(days)),
  });

  return {
    window,
    add: (batch: CounterBatch) => {
      codes += batch.codes.length;
      for (const { hourMs: hour, scans } of batch.hours)
        hours.set(hour, (hours.get(hour) ?? 0) + scans);
      for (const one of batch.codes) {
        if (one.lateScans > 0) mostScanned.add(one);
        else if (one.scans > 0) {
          quietTotal++;
          quiet.add(one);
        } else if (neverTotal++ < shownCodes) never.push(one);
      }
    },
    overview: (): Overview => ({
      atMs,
      codes,
      today: {
        scans: between(midnightMs, Number.POSITIVE_INFINITY),
        before: between(midnightMs - dayMs, thisHourMs + hourMs - dayMs),
      },
      week: lastDays(weekDays),
      month: lastDays(monthDays),
      series: scanSeries(
        'month',
        atMs,
        Array.from(hours, ([hour, scans]) => ({ hourMs: hour, scans })),
      ),
      mostScanned: mostScanned.first(),
      neverScanned: { total: neverTotal, first: never },
      quiet: { total: quietTotal, first: quiet.first() },
    }),
  };
}

/** Keeps the codes with the greatest values. Of equal ones, the first is kept. */
function createTop(rank: (one: CodeCounters) => number) {
  const kept: CodeCounters[] = [];
  return {
    add: (one: CodeCounters) => {
      const lowest = kept[shownCodes - 1];
      if (lowest !== undefined && rank(one) <= rank(lowest)) return;
      const at = kept.findIndex((other) => rank(one) > rank(other));
      kept.splice(at === -1 ? kept.length : at, 0, one);
      kept.length = Math.min(kept.length, shownCodes);
    },
    first: (): readonly CodeCounters[] => kept,
  };
}
