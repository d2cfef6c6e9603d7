import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { Refused } from '../../errors.ts';
import type {
  CodeFilter,
  CodeListStore,
  CodeSort,
  ListCursor,
  ListedCode,
  ListSlice,
  QrStore,
} from '../ports.ts';
import type { Qr } from '../qr.ts';
import { searchBatches } from './search.ts';
import { compareKeys, nameSortKey } from './sort-key.ts';

/** The codes of a list or of a search. */
export interface SliceQuery {
  /** What the codes contain, see `searchMatcher`; empty for all. */
  readonly text: string;
  readonly filter: CodeFilter;
  readonly sort: CodeSort;
  /** Returns false once the client is gone; the result is incomplete then. */
  readonly isWanted?: () => boolean;
}

const byId = (one: ListedCode, other: ListedCode) => Number(one.tie) - Number(other.tie);
const greatestFirst = (one: ListedCode, other: ListedCode) => Number(other.key) - Number(one.key);

/** The orders of lists, see {@link ListedCode}. */
export const compareListed: Readonly<
  Record<CodeSort, (one: ListedCode, other: ListedCode) => number>
> = {
  newest: (one, other) =>
    greatestFirst(one, other) || compareKeys(String(one.tie), String(other.tie)),
  name: (one, other) => compareKeys(String(one.key), String(other.key)) || byId(one, other),
  scans: (one, other) => greatestFirst(one, other) || byId(other, one),
  'last-scan': (one, other) => greatestFirst(one, other) || byId(other, one),
};

/** Items that are sorted together, in about a millisecond. */
const sortedTogether = 1000;

/** Keeps the first items of an order, of as many as are added. */
export function createFirst<T>(compareItems: (one: T, other: T) => number, maxLength: number) {
  let first: T[] = [];
  let added: T[] = [];
  const merge = () => {
    added.sort(compareItems);
    const merged: T[] = [];
    let at = 0;
    let addedAt = 0;
    while (merged.length < maxLength) {
      const item = first[at];
      const other = added[addedAt];
      if (item !== undefined && (other === undefined || compareItems(item, other) <= 0)) {
        merged.push(item);
        at++;
      } else if (other !== undefined) {
        merged.push(other);
        addedAt++;
      } else break;
    }
    [first, added] = [merged, []];
  };
  return {
    add: (items: readonly T[]) => {
      const last = first.length < maxLength ? undefined : first.at(-1);
      for (const item of items)
        if (last === undefined || compareItems(item, last) < 0) added.push(item);
      if (added.length >= sortedTogether) merge();
    },
    items: (): readonly T[] => {
      merge();
      return first;
    },
  };
}

/** Returns a code with what a list is sorted by. */
function toListed(
  { id, code, name, scans, lastScanMs, createdAtMs }: Qr,
  sort: CodeSort,
): ListedCode {
  switch (sort) {
    case 'newest':
      return { id, key: createdAtMs, tie: code };
    case 'name':
      return { id, key: nameSortKey(name), tie: id };
    case 'scans':
      return { id, key: scans, tie: id };
    case 'last-scan':
      return { id, key: lastScanMs ?? 0, tie: id };
  }
}

/**
 * Creates a function that reads the codes of a list in slices, each with its first codes up to `most`.
 *
 * @param deps.lists in a server, its `slice` is one of `readInTurns`
 */
export function createSlices({
  lists,
  qrs,
}: {
  lists: Pick<CodeListStore, 'slice'>;
  qrs: Pick<QrStore, 'searchBatch'>;
}) {
  /** Reads the codes of a search in slices, newest first. */
  async function* foundSlices(
    accountId: number,
    query: SliceQuery,
  ): AsyncGenerator<Omit<ListSlice, 'next'>> {
    const { text, sort } = query;
    const isInOrder = sort === 'newest';
    for await (const found of searchBatches(qrs, accountId, text, query)) {
      const codes = found.map((qr) => toListed(qr, sort));
      yield { codes, selected: codes.length, isInOrder };
    }
  }

  /** Reads the codes of a filter in slices. */
  async function* listedSlices(
    accountId: number,
    { filter, sort, isWanted = () => true }: SliceQuery,
    most: number,
  ): AsyncGenerator<Omit<ListSlice, 'next'>> {
    let cursor: ListCursor | null = null;
    while (isWanted()) {
      const slice: ListSlice = await lists.slice(accountId, filter, sort, cursor, most);
      yield slice;
      if (slice.next === null) return;
      cursor = slice.next;
      await yieldToEventLoop();
    }
  }

  return (accountId: number, query: SliceQuery, most: number) =>
    query.text === '' ? listedSlices(accountId, query, most) : foundSlices(accountId, query);
}

/** Codes that are read together by their ids, in about a millisecond. */
const readTogether = 100;

/** Reads codes by their ids, in batches. */
export async function* readByIds(
  lists: Pick<CodeListStore, 'findByIds'>,
  accountId: number,
  ids: readonly number[],
): AsyncGenerator<readonly Qr[]> {
  for (let at = 0; at < ids.length; at += readTogether) {
    yield await lists.findByIds(accountId, ids.slice(at, at + readTogether));
    await yieldToEventLoop();
  }
}

/** Creates the refusal of a list that cannot be sorted so far. */
export function sortedTooFar(max: number): Refused {
  return new Refused({ kind: 'sorted too far', max });
}
