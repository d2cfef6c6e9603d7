import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { InvalidInput } from '../../errors.ts';
import { parseLine } from '../../labels.ts';
import type { Clock } from '../../ports.ts';
import type { CodeFilter, CodeListStore, CodePage, CodeSort, Folder, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { searchBatches } from './search.ts';
import { compareKeys, nameSortKey } from './sort-key.ts';

/** A page of a list or of a search. */
export interface CodeQuery {
  /** What the codes contain, see `searchMatcher`; empty for all. */
  readonly text: string;
  readonly filter: CodeFilter;
  readonly sort: CodeSort;
  readonly limit: number;
  readonly offset: number;
  /** Returns false once the client is gone; the result is incomplete then. */
  readonly isWanted?: () => boolean;
  /** Whether all codes are counted, however many. */
  readonly needsTotal?: boolean;
}

export type CodeLists = ReturnType<typeof createCodeLists>;

const dayMs = 86_400_000;
// Takes about a millisecond, and ten times as long by scans.
const maxCounted = 10_000;
const maxCountedByScans = 1000;
const unlimited = Number.MAX_SAFE_INTEGER - 1;

/** Days of the small charts in a list, today included. */
const chartDays = 14;

/** A code, with the key of its name if the list is sorted by it. */
interface Keyed {
  readonly qr: Qr;
  readonly key: string;
}

const compare: Readonly<Record<CodeSort, (one: Keyed, other: Keyed) => number>> = {
  newest: () => 0,
  name: ({ key: one }, { key: other }) => compareKeys(one, other),
  scans: ({ qr: one }, { qr: other }) => other.scans - one.scans,
  'last-scan': ({ qr: one }, { qr: other }) => (other.lastScanMs ?? 0) - (one.lastScanMs ?? 0),
};

/** Inserts an item into a sorted array of at most `maxLength`, behind equal ones. */
function insertSorted<T>(
  sorted: T[],
  item: T,
  compareItems: (one: T, other: T) => number,
  maxLength: number,
): void {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = sorted[middle];
    if (other !== undefined && compareItems(other, item) <= 0) low = middle + 1;
    else high = middle;
  }
  if (low === maxLength) return;
  sorted.splice(low, 0, item);
  if (sorted.length > maxLength) sorted.pop();
}

/** Parses the name of a folder. @throws InvalidInput also when it is empty */
export function parseFolder(text: string): string {
  const name = parseLine(text, 'folder');
  if (name === null) throw new InvalidInput('Enter a name for the folder.');
  return name;
}

/** Creates the lists of codes for panel and commands, with their folders. */
export function createCodeLists(deps: {
  lists: CodeListStore;
  qrs: Pick<QrStore, 'searchBatch'>;
  clock: Pick<Clock, 'nowMs'>;
}) {
  const { lists, qrs, clock } = deps;

  /** Returns a page of the codes that a filter selects and that contain a text. */
  const page = async (accountId: number, query: CodeQuery): Promise<CodePage> => {
    const { text, filter, sort, limit, offset, isWanted = () => true } = query;
    const isByScans = filter.isNeverScanned === true || filter.quietSinceMs !== undefined;
    const most = isByScans ? maxCountedByScans : maxCounted;
    const maxTotal = query.needsTotal ? unlimited : most;
    if (text === '') return lists.sortedPage(accountId, filter, sort, limit, offset, maxTotal);
    const endsEarly = sort === 'newest' && !query.needsTotal;
    // Sorting all at the end would keep redirects waiting.
    const first: Keyed[] = [];
    let total = 0;
    for await (const found of searchBatches(qrs, accountId, text, { isWanted, filter })) {
      total += found.length;
      for (const qr of found) {
        const key = sort === 'name' ? nameSortKey(qr.name) : '';
        insertSorted(first, { qr, key }, compare[sort], offset + limit);
      }
      if (endsEarly && total > offset + limit) break;
    }
    const shown = first.slice(offset).map(({ qr }) => qr);
    const hasMore = offset + shown.length < total;
    return { qrs: shown, total: endsEarly ? null : total, hasMore };
  };

  return {
    page,

    /**
     * Returns a page of the codes of several accounts, merged in the order of the list.
     *
     * Holds the codes up to the end of the page in memory.
     */
    pageOfAll: async (
      accountIds: readonly number[],
      query: Omit<CodeQuery, 'isWanted' | 'needsTotal'>,
    ): Promise<{ qrs: readonly Qr[]; total: number }> => {
      const { sort, offset } = query;
      const end = offset + query.limit;
      const isNewest = sort === 'newest';
      const order = (one: Keyed, other: Keyed) =>
        isNewest ? other.qr.createdAtMs - one.qr.createdAtMs : compare[sort](one, other);
      let first: Keyed[] = [];
      let total = 0;
      for (const id of accountIds) {
        const found = await page(id, { ...query, limit: end, offset: 0, needsTotal: true });
        total += found.total ?? 0;
        const keyed = found.qrs.map((qr) => ({
          qr,
          key: sort === 'name' ? nameSortKey(qr.name) : '',
        }));
        first = [...first, ...keyed].toSorted(order).slice(0, end);
        await yieldToEventLoop();
      }
      return { qrs: first.slice(offset).map(({ qr }) => qr), total };
    },

    /** Returns the scans of codes on each of the last 14 days, oldest first, by the ids of the codes. */
    dailyScans: async (codes: readonly Pick<Qr, 'id'>[]): Promise<Map<number, number[]>> => {
      const sinceMs = (Math.floor(clock.nowMs() / dayMs) - chartDays + 1) * dayMs;
      const charts = new Map(codes.map(({ id }) => [id, new Array<number>(chartDays).fill(0)]));
      for (const { qrId, hourMs, scans } of await lists.hourlyScans([...charts.keys()], sinceMs)) {
        const chart = charts.get(qrId);
        const day = Math.floor((hourMs - sinceMs) / dayMs);
        // A clock that was set back leaves scans in the future.
        if (chart !== undefined && day < chartDays) chart[day] = (chart[day] ?? 0) + scans;
      }
      return charts;
    },

    /**
     * Returns the folders as people count; first the codes in no folder.
     *
     * @param isCounted whether all codes are counted, however many
     */
    folders: async (accountId: number, isCounted = false): Promise<Folder[]> => {
      const key = ({ name }: Folder) => (name === null ? '' : nameSortKey(name));
      const folders = await lists.folders(accountId, isCounted ? unlimited : maxCounted);
      return folders.sort((one, other) => compareKeys(key(one), key(other)));
    },

    /**
     * Renames a folder. One that has the new name already gets its codes.
     *
     * @param newName see {@link parseFolder}
     * @returns the number of codes in it
     */
    renameFolder: (accountId: number, name: string, newName: string): Promise<number> =>
      lists.renameFolder(accountId, name, newName),

    /** Removes a folder. Its codes stay, without a folder. Returns their number. */
    removeFolder: (accountId: number, name: string): Promise<number> =>
      lists.renameFolder(accountId, name, null),
  };
}
