import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { Clock } from '../../ports.ts';
import type { BackgroundRuns } from '../../scans/background-results.ts';
import { beginOfDay, lastDays } from '../../scans/days.ts';
import type { CodeListStore, CodePage, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { isStillSelected } from './search.ts';
import {
  compareListed,
  createFirst,
  createSlices,
  readByIds,
  type SliceQuery,
  sortedTooFar,
} from './slices.ts';

/** Lengths of the periods by whose scans lists are sorted, in days, today included. */
export const periodLengths = [7, 30, 90] as const;
export type PeriodLength = (typeof periodLengths)[number];

/** The codes of a list, most scans in a period first. */
interface PeriodQuery extends Pick<SliceQuery, 'text' | 'filter'> {
  readonly days: PeriodLength;
  readonly zone: string;
}

/** The first codes of a list by their scans in a period. */
interface Ranking {
  readonly ids: readonly number[];
  /** Number of codes of the list. */
  readonly total: number;
}

export type PeriodLists = ReturnType<typeof createPeriodLists>;

/** How far such a list goes. */
const maxRanked = 10_000;
/** Ids of all results: some megabytes. */
const maxCachedIds = 500_000;
/** The codes of a slice, all of which are wanted. */
const slice = 1000;
/** Codes whose scans are summed up together: some milliseconds where they have scans in each hour of 90 days. */
const summedTogether = 32;

/**
 * Creates the lists that are sorted by the scans of some days.
 * No index has that order: the scans of the codes that were scanned since are summed up in the background.
 *
 * @param deps.lists in a server, its `slice` is one of `readInTurns`
 */
export function createPeriodLists({
  lists,
  qrs,
  clock,
  runs,
}: {
  lists: Pick<CodeListStore, 'slice' | 'findByIds' | 'scansBetween'>;
  qrs: Pick<QrStore, 'searchBatch'>;
  clock: Pick<Clock, 'nowMs'>;
  runs: BackgroundRuns;
}) {
  const slicesOf = createSlices({ lists, qrs });
  const rankings = runs.resultsOf<Ranking>({
    name: 'ranking',
    weightOf: ({ ids }) => 1 + ids.length,
    maxWeight: maxCachedIds,
  });

  const windowOf = (days: PeriodLength, zone: string) => {
    const { first, last } = lastDays(days, clock.nowMs(), zone);
    return {
      sinceMs: beginOfDay(first, zone),
      untilMs: beginOfDay(last.add({ days: 1 }), zone),
    };
  };

  /** Sums up the scans of codes. Those without scans may be missing. */
  const sumsOf = async (ids: readonly number[], days: PeriodLength, zone: string) => {
    const { sinceMs, untilMs } = windowOf(days, zone);
    const sums = new Map<number, number>();
    for (let at = 0; at < ids.length; at += summedTogether) {
      const batch = ids.slice(at, at + summedTogether);
      for (const { qrId, scans } of await lists.scansBetween(batch, sinceMs, untilMs))
        sums.set(qrId, scans);
      await yieldToEventLoop();
    }
    return sums;
  };

  const rank = async (
    accountId: number,
    { text, filter, days, zone }: PeriodQuery,
    onCodes: (codes: number) => void,
  ): Promise<Ranking> => {
    const { sinceMs } = windowOf(days, zone);
    const first = createFirst(compareListed.scans, maxRanked + 1);
    let total = 0;
    const query = { text, filter, sort: 'last-scan' } as const;
    for await (const { codes, selected } of slicesOf(accountId, query, slice)) {
      total += selected;
      onCodes(total);
      const scanned = codes.filter(({ key }) => Number(key) >= sinceMs).map(({ id }) => id);
      const sums = await sumsOf(scanned, days, zone);
      first.add(codes.map(({ id }) => ({ id, key: sums.get(id) ?? 0, tie: id })));
    }
    return { ids: first.items().map(({ id }) => id), total };
  };

  /** Returns the ids of a list in its order; null while they are sorted. */
  const ranked = (accountId: number, query: PeriodQuery): Promise<Ranking | null> => {
    const { text, filter, days, zone } = query;
    const key = JSON.stringify([accountId, text, filter, days, zone]);
    return rankings.of(accountId, key, (onCodes) => rank(accountId, query, onCodes));
  };

  return {
    /** Returns the scans of codes in a period, by their ids. Those without scans may be missing. */
    scans: (codes: readonly Pick<Qr, 'id'>[], days: PeriodLength, zone: string) =>
      sumsOf(
        codes.map(({ id }) => id),
        days,
        zone,
      ),

    /**
     * Returns a page of a list, as it was some minutes ago at most.
     * Null while a list of many codes is sorted.
     *
     * @throws Refused for a page beyond the first 10,000 codes
     */
    page: async (
      accountId: number,
      query: PeriodQuery & { readonly limit: number; readonly offset: number },
    ): Promise<CodePage | null> => {
      const { filter, limit, offset } = query;
      if (offset + limit > maxRanked) throw sortedTooFar(maxRanked);
      const ranking = await ranked(accountId, query);
      if (ranking === null) return null;
      const found = await lists.findByIds(accountId, ranking.ids.slice(offset, offset + limit));
      return {
        qrs: found.filter(isStillSelected(filter)),
        total: ranking.total,
        hasMore: ranking.ids.length > offset + limit,
      };
    },

    /**
     * Prepares to read all codes of a list, in batches. Null while a list of many codes is sorted.
     *
     * @throws Refused for a list of more than 10,000 codes
     */
    readAll: async (
      accountId: number,
      query: PeriodQuery,
    ): Promise<AsyncGenerator<readonly Qr[]> | null> => {
      const ranking = await ranked(accountId, query);
      if (ranking === null) return null;
      if (ranking.ids.length > maxRanked) throw sortedTooFar(maxRanked);
      return readByIds(lists, accountId, ranking.ids);
    },
  };
}
