import { createCache } from '../../lib/cache.ts';
import { pause, yieldToEventLoop } from '../../lib/event-loop.ts';
import type { Clock, QrCursor } from '../ports.ts';
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

// A page waits for the overview of an account with fewer codes. With more, it shows an earlier result meanwhile.
const awaitedCodes = 2000;
// For the overviews of other accounts, which come first.
const patienceMs = 5000;
// A code with scans in each hour of two years has 17,500 rows: about four milliseconds. Most have few, so that the first of
// those that have many may all be in one batch.
const firstBatchCodes = 8;
const maxBatchCodes = 32;
const longBatchMs = 8;
// Pages with other days or folders wait for a run before.
const maxRunsOfAccount = 4;
// Computing takes at most a twentieth of the time.
const maxShare = 20;
// Hours of all results: up to a hundred bytes each.
const maxCachedHours = 250_000;

/**
 * Computes overviews from the counters of all codes.
 * Within milliseconds for thousands of codes, in the background for a million. One at a time, in small batches, so that
 * other requests are not delayed.
 */
export function createOverviews({ store, clock }: { store: OverviewStore; clock: Clock }) {
  const results = createCache<string, { overview: Overview; validUntilMs: number }>(
    maxCachedHours,
    ({ overview }) => 1 + overview.sums.size,
  );
  /** Are ready at the end, or when there turn out to be many codes. */
  const runs = new Map<string, { readonly accountId: number; readonly ready: Promise<void> }>();
  let last: Promise<unknown> = Promise.resolve();

  const compute = async (
    scope: CounterScope,
    daysAt: (nowMs: number) => DayRange,
    zone: string,
    onMany: () => void,
  ): Promise<{ overview: Overview; validUntilMs: number }> => {
    const startMs = clock.monotonicMs();
    const atMs = clock.nowMs();
    const range = daysAt(atMs);
    const figures = createFigures(atMs, {
      sinceMs: beginOfDay(range.first, zone),
      untilMs: beginOfDay(range.last.add({ days: 1 }), zone),
      lateMs: beginOfDay(lastDays(quietDays, atMs, zone).first, zone),
    });
    let codes = 0;
    for await (const batch of counterBatches({ store, clock }, scope, figures.window)) {
      figures.add(batch);
      codes += batch.codes.length;
      if (codes > awaitedCodes) onMany();
    }
    const nowMs = clock.monotonicMs();
    return {
      overview: figures.overview(),
      validUntilMs: nowMs + (nowMs - startMs) * maxShare,
    };
  };

  return {
    /**
     * Returns the overview of an account or a folder.
     * With many codes it may be some minutes old, or null when the first is still being computed.
     *
     * @param days last days, or a range of days, whose hours it has
     */
    of: async (
      scope: CounterScope,
      days: number | DayRange,
      zone: string,
    ): Promise<Overview | null> => {
      const daysAt = (nowMs: number) =>
        typeof days === 'number' ? lastDays(days, nowMs, zone) : days;
      const period = typeof days === 'number' ? days : `${days.first} ${days.last}`;
      // Not the hour or the date: an overview of many codes is of use until the next one is computed.
      const key = JSON.stringify([scope, zone, period]);
      const known = results.get(key);
      if (known !== undefined && clock.monotonicMs() < known.validUntilMs) return known.overview;
      let run = runs.get(key);
      if (run === undefined) {
        const waiting = runs.values().filter((one) => one.accountId === scope.accountId);
        if (waiting.toArray().length >= maxRunsOfAccount) return known?.overview ?? null;
        const { promise: isLarge, resolve: onMany } = Promise.withResolvers<void>();
        const end = last
          .then(async () => results.set(key, await compute(scope, daysAt, zone, onMany)))
          .finally(() => runs.delete(key));
        last = end.catch(() => {});
        run = { accountId: scope.accountId, ready: Promise.race([end, isLarge]) };
        runs.set(key, run);
      }
      await Promise.race([run.ready, pause(patienceMs)]);
      return results.get(key)?.overview ?? null;
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
