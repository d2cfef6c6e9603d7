import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { Refused } from '../../errors.ts';
import { parseLine } from '../../labels.ts';
import type { Acting, Clock } from '../../ports.ts';
import { beginOfDay, lastDays } from '../../scans/days.ts';
import type {
  CodeCount,
  CodeListStore,
  CodePage,
  CodeSort,
  Folder,
  ListedCode,
  QrStore,
} from '../ports.ts';
import type { Qr } from '../qr.ts';
import { type NearMatch, nearMatcher } from './near-match.ts';
import { isStillSelected, searchBatches } from './search.ts';
import {
  compareListed,
  createFirst,
  createSlices,
  readByIds,
  type SliceQuery,
  sortedTooFar,
} from './slices.ts';
import { compareKeys, nameSortKey } from './sort-key.ts';

/** A page of a list or of a search. */
export interface CodeQuery extends SliceQuery {
  readonly limit: number;
  readonly offset: number;
  /** Whether all codes are counted, however many. */
  readonly needsTotal?: boolean;
}

export type CodeLists = ReturnType<typeof createCodeLists>;

/** Codes, the newest ones, among which something near is looked for: some tenths of a second. */
const maxNearCodes = 5000;
const nearPerTurn = 8;
// Takes a few milliseconds.
const maxCounted = 10_000;
/** Folders that forms offer. */
const maxFolders = 1000;
/** Slices that are read for the total when the page is full: as many codes as are counted. */
const countedSlices = 10;
/** How far a list goes that is sorted, where no index has its order: the first ones are in memory. */
const maxSorted = 100_000;
const unlimited = Number.MAX_SAFE_INTEGER - 1;

/** Days of the small charts in a list, today included. */
export const chartDays = 14;

/** Returns the order of a list. Codes without scans are equal in the orders by scans. */
function orderOf({ filter, sort }: Pick<CodeQuery, 'filter' | 'sort'>): CodeSort {
  return filter.isNeverScanned && sort !== 'name' ? 'newest' : sort;
}

/** Parses the name of a folder. @throws Refused also when it is empty */
export function parseFolder(text: string): string {
  const name = parseLine(text, 'folder');
  if (name === null) throw new Refused({ kind: 'folder without a name' });
  return name;
}

/** Creates the lists of codes for panel and commands, with their folders. */
export function createCodeLists(deps: {
  /** In a server, `slice` is one of {@link readInTurns}. */
  lists: CodeListStore;
  qrs: Pick<QrStore, 'searchBatch'>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { lists, qrs, clock } = deps;

  const slicesOf = createSlices(deps);

  /** Sorts the codes of a list that no index has. Only the first ones are kept. */
  const sort = async (accountId: number, query: CodeQuery, counted: CodeCount | null) => {
    const { text, offset, limit, needsTotal } = query;
    const wanted = offset + limit + 1;
    const first = createFirst(compareListed[query.sort], wanted);
    const ids = () =>
      first
        .items()
        .map(({ id }) => id)
        .slice(offset);
    let read = 0;
    let selected = 0;
    for await (const slice of slicesOf(accountId, query, wanted)) {
      first.add(slice.codes);
      selected += slice.selected;
      const isFull = slice.isInOrder && selected >= wanted;
      const isCounted = text !== '' || counted !== null || ++read > countedSlices;
      if (isFull && isCounted && !needsTotal) return { ids: ids(), total: null };
    }
    return { ids: ids(), total: selected };
  };

  /** Counts all codes in a folder. */
  const countFolder = async (accountId: number, folder: string | null) => {
    const codes = await lists.count(accountId, { folder }, unlimited);
    return codes === 'many' ? null : codes;
  };

  return {
    /**
     * Returns a page of the codes that a filter selects and that contain a text.
     *
     * @throws Refused when the list is to be sorted farther than its first 100,000 codes
     */
    page: async (accountId: number, query: CodeQuery): Promise<CodePage> => {
      const { text, filter, limit, offset, needsTotal } = query;
      const order = orderOf(query);
      const counted =
        text === ''
          ? await lists.count(accountId, filter, needsTotal ? unlimited : maxCounted)
          : null;
      const total = typeof counted === 'number' ? counted : null;
      if (total === 0) return { qrs: [], total, hasMore: false };
      const indexed =
        text === ''
          ? await lists.indexedPage(accountId, filter, order, limit + 1, offset, total)
          : null;
      if (indexed === null && offset + limit > maxSorted) throw sortedTooFar(maxSorted);
      const { ids, total: sorted } =
        indexed === null
          ? await sort(accountId, { ...query, sort: order }, counted)
          : { ids: indexed, total };
      const found = await lists.findByIds(accountId, ids.slice(0, limit));
      return {
        qrs: found.filter(isStillSelected(filter)),
        total: total ?? sorted,
        hasMore: ids.length > limit,
      };
    },

    /**
     * Returns the text of a code that is nearest to a text that none contains: `shuttle` for `shutle`.
     * Of a large account, the newest 5,000 codes are read. Null if nothing is near.
     */
    nearText: async (
      accountId: number,
      { text, filter, isWanted }: Pick<CodeQuery, 'text' | 'filter' | 'isWanted'>,
    ): Promise<string | null> => {
      const nearIn = nearMatcher(text);
      let best: NearMatch | null = null;
      let read = 0;
      const options = { filter, ...(isWanted !== undefined && { isWanted }) };
      for await (const codes of searchBatches(qrs, accountId, '', options)) {
        for (const [index, code] of codes.entries()) {
          const near = nearIn(code);
          // Long notes and words take up to two milliseconds each.
          if (index % nearPerTurn === 0) await yieldToEventLoop();
          if (near !== null && near.distance < (best?.distance ?? Number.POSITIVE_INFINITY))
            best = near;
        }
        read += codes.length;
        if (best?.distance === 1 || read >= maxNearCodes) break;
      }
      return best?.text ?? null;
    },

    /**
     * Returns a page of the codes of several accounts, in one order.
     *
     * @throws Refused when the list is to be sorted farther than its first 100,000 codes
     */
    pageOfAll: async (
      accountIds: readonly number[],
      query: Omit<CodeQuery, 'isWanted' | 'needsTotal'>,
    ): Promise<{ qrs: readonly Qr[]; total: number }> => {
      const { sort, offset } = query;
      const end = offset + query.limit;
      if (end > maxSorted) throw sortedTooFar(maxSorted);
      const first = createFirst<ListedCode & { readonly accountId: number }>(
        compareListed[sort],
        end,
      );
      let total = 0;
      for (const accountId of accountIds)
        for await (const { codes, selected } of slicesOf(accountId, query, end)) {
          first.add(codes.map((code) => ({ ...code, accountId })));
          total += selected;
        }
      const shown = first.items().slice(offset);
      const byOwner = Map.groupBy(shown, ({ accountId }) => accountId);
      const found = new Map<number, Qr>();
      for (const [accountId, codes] of byOwner)
        for (const qr of await lists.findByIds(
          accountId,
          codes.map(({ id }) => id),
        ))
          found.set(qr.id, qr);
      const qrs = shown.flatMap(({ id }) => found.get(id) ?? []);
      return { qrs, total };
    },

    /**
     * Prepares to read all codes that a filter selects and that contain a text.
     * They come in their order, in batches.
     *
     * @throws Refused when the order is in no index, and there are more than 100,000 codes
     */
    readAll: async (
      accountId: number,
      query: Pick<CodeQuery, 'text' | 'filter' | 'sort' | 'isWanted'>,
    ): Promise<AsyncGenerator<readonly Qr[]>> => {
      const order = orderOf(query);
      if (order === 'newest') return searchBatches(qrs, accountId, query.text, query);
      const whole = { ...query, sort: order, limit: maxSorted, offset: 0 };
      const { ids } = await sort(accountId, whole, 'many');
      if (ids.length > maxSorted) throw sortedTooFar(maxSorted);
      return readByIds(lists, accountId, ids);
    },

    /**
     * Returns the scans of codes on each of the last 14 days in a zone.
     * Days are oldest first, by the ids of the codes.
     */
    dailyScans: async (
      codes: readonly Pick<Qr, 'id'>[],
      zone: string,
    ): Promise<Map<number, number[]>> => {
      const { first } = lastDays(chartDays, clock.nowMs(), zone);
      const begins = Array.from({ length: chartDays + 1 }, (_, days) =>
        beginOfDay(first.add({ days }), zone),
      );
      const charts = new Map(codes.map(({ id }) => [id, new Array<number>(chartDays).fill(0)]));
      const hours = await lists.hourlyScans([...charts.keys()], begins[0] ?? 0);
      for (const { qrId, hourMs, scans } of hours) {
        const chart = charts.get(qrId);
        const day = begins.findLastIndex((beginMs) => beginMs <= hourMs);
        // A clock that was set back leaves scans in the future.
        if (chart !== undefined && day < chartDays) chart[day] = (chart[day] ?? 0) + scans;
      }
      return charts;
    },

    /**
     * Counts codes by the hosts that they are printed with, archived ones included.
     * Null for too many to count.
     */
    countByHost: async (accountId: number): Promise<ReadonlyMap<string, number> | null> => {
      const byHost = new Map<string, number>();
      let counted = 0;
      for (const isArchived of [false, true])
        for await (const codes of searchBatches(qrs, accountId, '', { filter: { isArchived } })) {
          counted += codes.length;
          if (counted > maxCounted) return null;
          for (const { shortLink } of codes) {
            const { host } = new URL(shortLink);
            byHost.set(host, (byHost.get(host) ?? 0) + 1);
          }
        }
      return byHost;
    },

    /** Returns the first thousand folders as people count; before them the codes in no folder. */
    folders: async (accountId: number): Promise<Folder[]> =>
      sortFolders(await lists.folders(accountId, null, maxFolders, maxCounted)),

    /** Returns all folders with the number of their codes. */
    countedFolders: async (accountId: number): Promise<Folder[]> => {
      const counted: Folder[] = [];
      let after: string | null = null;
      for (;;) {
        const folders: Folder[] = await lists.folders(accountId, after, maxFolders, maxCounted);
        for (const { name, codes } of folders) {
          counted.push({ name, codes: codes ?? (await countFolder(accountId, name)) });
          await yieldToEventLoop();
        }
        if (folders.length < maxFolders) break;
        after = folders.at(-1)?.name ?? null;
      }
      return sortFolders(counted.filter(({ name, codes }) => name !== null || codes !== 0));
    },

    /** Returns the number of codes in a folder, or null for too many to count. */
    countFolder: async (accountId: number, name: string): Promise<number | null> => {
      const codes = await lists.count(accountId, { folder: name }, maxCounted);
      return codes === 'many' ? null : codes;
    },

    /** Returns whether a code of the account is in a folder, archived ones included. */
    hasFolder: async (accountId: number, name: string): Promise<boolean> => {
      for (const isArchived of [false, true])
        if ((await lists.count(accountId, { folder: name, isArchived }, 1)) !== 0) return true;
      return false;
    },

    /**
     * Renames a folder. One that has the new name already gets its codes.
     *
     * @param newName see {@link parseFolder}
     * @returns the number of codes in it
     */
    renameFolder: (acting: Acting, name: string, newName: string): Promise<number> =>
      lists.renameFolder(acting, name, newName, clock.nowMs()),

    /** Removes a folder. Its codes stay, without a folder. Returns their number. */
    removeFolder: (acting: Acting, name: string): Promise<number> =>
      lists.renameFolder(acting, name, null, clock.nowMs()),
  };
}

function sortFolders(folders: readonly Folder[]): Folder[] {
  const key = ({ name }: Folder) => (name === null ? '' : nameSortKey(name));
  return folders.toSorted((one, other) => compareKeys(key(one), key(other)));
}
