import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Clock, QrCursor } from '../ports.ts';
import { type BackgroundRuns, createBackgroundRuns } from './background-results.ts';
import { beginOfDay, type DayRange, type HourSums, lastDays, sumHours } from './days.ts';
import type {
  CodeCounters,
  CounterBatch,
  CounterScope,
  CounterWindow,
  OverviewStore,
} from './ports.ts';

/** How the codes of an account, or those of a folder, are doing. */
export interface Overview {
  /** When it was computed. */
  readonly atMs: number;
  /** Number of codes. */
  readonly codes: number;
  /** Scans per hour on the days that were asked for. */
  readonly sums: HourSums;
  /** The most scanned of the last 30 days, in that order. */
  readonly mostScanned: readonly CodeCounters[];
  readonly neverScanned: CodeGroup;
  /** Codes that were scanned, but not in the last 30 days. */
  readonly quiet: CodeGroup;
}

/** Number of the codes in a group, and the first of them. */
interface CodeGroup {
  readonly total: number;
  readonly first: readonly CodeCounters[];
}

export type Overviews = ReturnType<typeof createOverviews>;

/** Days after which a code counts as no longer scanned. */
export const quietDays = 30;
const shownCodes = 5;

// A code with scans in each hour of two years has 17,500 rows: about four milliseconds. Most have few, so that the first of
// those that have many may all be in one batch.
const firstBatchCodes = 8;
const maxBatchCodes = 32;
const longBatchMs = 8;
// Hours of all results: up to a hundred bytes each.
const maxCachedHours = 250_000;

/**
 * Computes overviews from the counters of all codes.
 * Within milliseconds for thousands of codes, in the background for a million, in small batches.
 *
 * @param deps.runs what else of the server counts the codes of accounts
 */
export function createOverviews({
  store,
  clock,
  runs = createBackgroundRuns(clock),
}: {
  store: OverviewStore;
  clock: Clock;
  runs?: BackgroundRuns;
}) {
  const overviews = runs.resultsOf<Overview>({
    name: 'overview',
    weightOf: ({ sums }) => 1 + sums.size,
    maxWeight: maxCachedHours,
  });

  return {
    /**
     * Returns the overview of an account or a folder.
     * With many codes it may be some minutes old, or null when the first is still being computed.
     *
     * @param days last days, or a range of days, whose hours it has
     */
    of: (scope: CounterScope, days: number | DayRange, zone: string): Promise<Overview | null> => {
      const period = typeof days === 'number' ? days : `${days.first} ${days.last}`;
      // Not the hour or the date: an overview of many codes is of use until the next one is computed.
      const key = JSON.stringify([scope, zone, period]);
      return overviews.of(scope.accountId, key, async (onCodes) => {
        const atMs = clock.nowMs();
        const range = typeof days === 'number' ? lastDays(days, atMs, zone) : days;
        const figures = createFigures(atMs, {
          sinceMs: beginOfDay(range.first, zone),
          untilMs: beginOfDay(range.last.add({ days: 1 }), zone),
          lateMs: beginOfDay(lastDays(quietDays, atMs, zone).first, zone),
        });
        let codes = 0;
        for await (const batch of counterBatches({ store, clock }, scope, figures.window)) {
          figures.add(batch);
          codes += batch.codes.length;
          onCodes(codes);
        }
        return figures.overview();
      });
    },
  };
}

/**
 * Reads the counters of all codes of an account or a folder, in batches of some milliseconds.
 * After a long one, the next has half as many codes.
 */
export async function* counterBatches(
  { store, clock }: { store: OverviewStore; clock: Pick<Clock, 'monotonicMs'> },
  scope: CounterScope,
  window: CounterWindow,
): AsyncGenerator<CounterBatch> {
  let limit = firstBatchCodes;
  let cursor: QrCursor | null = null;
  for (;;) {
    const startMs = clock.monotonicMs();
    const batch: CounterBatch = await store.readCounters(scope, window, cursor, limit);
    const isLong = clock.monotonicMs() - startMs > longBatchMs;
    yield batch;
    if (batch.codes.length < limit) return;
    cursor = batch.codes.at(-1) ?? null;
    limit = isLong ? Math.ceil(limit / 2) : Math.min(limit * 2, maxBatchCodes);
    await yieldToEventLoop();
  }
}

/** Sums up batches of counters. */
function createFigures(atMs: number, window: CounterWindow) {
  const sums = new Map<number, number>();
  const mostScanned = createTop((one) => one.lateScans);
  // Those whose printed codes were in use most.
  const quiet = createTop((one) => one.scans);
  const never: CodeCounters[] = [];
  let [codes, neverTotal, quietTotal] = [0, 0, 0];

  return {
    window,
    add: (batch: CounterBatch) => {
      codes += batch.codes.length;
      sumHours(batch.hours, sums);
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
      sums,
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
