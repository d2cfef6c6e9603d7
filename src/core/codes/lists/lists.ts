import { InvalidInput } from '../../errors.ts';
import { parseLine } from '../../labels.ts';
import type { Clock } from '../../ports.ts';
import type { CodeFilter, CodeListStore, CodePage, CodeSort, Folder, QrStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { createQrSearch } from './search.ts';
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
export const chartDays = 14;

const compare: Readonly<Record<CodeSort, (one: Qr, other: Qr) => number>> = {
  newest: () => 0,
  name: (one, other) => compareKeys(nameSortKey(one.name), nameSortKey(other.name)),
  scans: (one, other) => other.scans - one.scans,
  'last-scan': (one, other) => (other.lastScanMs ?? 0) - (one.lastScanMs ?? 0),
};

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
  const search = createQrSearch(qrs);

  return {
    /** Returns a page of the codes that a filter selects and that contain a text. */
    page: async (accountId: number, query: CodeQuery): Promise<CodePage> => {
      const { text, filter, sort, limit, offset, isWanted = () => true } = query;
      const isByScans = filter.isNeverScanned === true || filter.quietSinceMs !== undefined;
      const most = isByScans ? maxCountedByScans : maxCounted;
      const maxTotal = query.needsTotal ? unlimited : most;
      if (text === '') return lists.sortedPage(accountId, filter, sort, limit, offset, maxTotal);
      if (sort === 'newest' && !query.needsTotal)
        return {
          ...(await search(accountId, text, { limit, offset, isWanted, filter })),
          total: null,
        };
      const all = { limit: unlimited, offset: 0, isWanted, filter };
      const found = [...(await search(accountId, text, all)).qrs].sort(compare[sort]);
      const shown = found.slice(offset, offset + limit);
      return { qrs: shown, total: found.length, hasMore: offset + shown.length < found.length };
    },

    /** Returns the scans of codes on each of the last 14 days, oldest first, by the ids of the codes. */
    dailyScans: async (codes: readonly Pick<Qr, 'id'>[]): Promise<Map<number, number[]>> => {
      const sinceMs = (Math.floor(clock.nowMs() / dayMs) - chartDays + 1) * dayMs;
      const charts = new Map(codes.map(({ id }) => [id, new Array<number>(chartDays).fill(0)]));
      const days = await lists.dailyScans([...charts.keys()], sinceMs);
      for (const { qrId, dayMs: beginMs, scans } of days) {
        const chart = charts.get(qrId);
        const day = (beginMs - sinceMs) / dayMs;
        // A clock that was set back leaves scans in the future.
        if (chart !== undefined && day < chartDays) chart[day] = scans;
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
