import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createQrInsights } from '../../src/core/codes/insight.ts';
import { createCodeLists } from '../../src/core/codes/lists/lists.ts';
import {
  type CodeReads,
  matchWithin,
  readInTurns,
  searchBatches,
} from '../../src/core/codes/lists/search.ts';
import { nameSortKey } from '../../src/core/codes/lists/sort-key.ts';
import type { CodeListStore, QrStore } from '../../src/core/codes/ports.ts';
import type { Qr } from '../../src/core/codes/qr.ts';
import { plainDesign } from '../../src/core/designs/design.ts';
import { sampleQr } from './sample-qr.ts';

const firstPage = { text: 'x', filter: {}, sort: 'newest', limit: 25, offset: 0 } as const;

type SearchedStore = Pick<QrStore, 'searchBatch'> & Pick<CodeListStore, 'findByIds'>;

/** Creates a store of codes numbered from the newest, with these fields; every n-th contains the text. */
function createStore(count: number, every: number, fields: readonly Partial<Qr>[] = []) {
  const batches: number[] = [];
  const qrOf = (number: number) => {
    const place = { id: count - number, createdAtMs: sampleQr.createdAtMs - number };
    return { ...sampleQr, ...fields[number], ...place, code: String(number) };
  };
  const store: SearchedStore = {
    findByIds: async (_, ids) => ids.map((id) => qrOf(count - id)),
    searchBatch: async (_accountId, cursor, _text, limit) => {
      const begin = cursor === null ? 0 : Number(cursor.code) + 1;
      const end = Math.min(begin + limit, count);
      batches.push(end - begin);
      const numbers = Array.from({ length: end - begin }, (_, at) => begin + at);
      const found = numbers.filter((number) => number % every === 0).map(qrOf);
      return { found, next: end < count ? { createdAtMs: 0, code: String(end - 1) } : null };
    },
  };
  return { store, batches };
}

describe('the search', () => {
  test('returns every match on exactly one page', async () => {
    const search = listsOf(createStore(10_000, 150).store);
    const codes: string[] = [];
    for (let offset = 0, hasMore = true; hasMore; offset += 25) {
      const page = await search.page(1, { ...firstPage, offset });
      codes.push(...page.qrs.map(({ code }) => code));
      hasMore = page.hasMore;
    }
    expect(codes.map(Number)).toEqual(Array.from({ length: 67 }, (_, at) => at * 150));
  });

  test.each([
    ['no more matches', 2_000, false],
    ['one more match in the next batch', 2_001, true],
  ])('recognizes %s after a full page', async (_, count, hasMore) => {
    const page = await listsOf(createStore(count, 80).store).page(1, firstPage);
    expect([page.qrs.length, page.hasMore]).toEqual([25, hasMore]);
  });

  test('reads no more batches than the page needs', async () => {
    const { store, batches } = createStore(1_000_000, 1);
    expect(await listsOf(store).page(1, firstPage)).toMatchObject({ hasMore: true });
    expect(batches).toHaveLength(1);
  });

  test('stops when the client is gone', async () => {
    const { store, batches } = createStore(1_000_000, 2_000_000);
    await listsOf(store).page(1, { ...firstPage, isWanted: () => batches.length < 3 });
    expect(batches).toHaveLength(3);
  });

  test('of one account waits for the batch of another that runs', async () => {
    const { store, batches } = createStore(100_000, 200_000);
    const small = createStore(110, 10).store;
    const reads = {
      searchBatch: (accountId, ...rest) =>
        (accountId === 1 ? store : small).searchBatch(accountId, ...rest),
      slice: async () => expect.unreachable(),
    } satisfies CodeReads;
    const search = listsOf({ ...small, ...readInTurns(reads) });
    const large = Array.from({ length: 10 }, () => search.page(1, firstPage));
    const { qrs } = await search.page(2, firstPage);
    expect(qrs).toHaveLength(11);
    expect(batches).toHaveLength(1);
    await Promise.all(large);
  });
});

const names = ['Table 2', 'Table 10', 'Émile', 'emil', '\ufb01g', '😀', '', '\ue000', null];
const codes = fc.array(
  fc.record({ name: fc.constantFrom(...names), scans: fc.nat(3), lastScanMs: fc.constant(null) }),
  { maxLength: 600 },
);

function listsOf({ findByIds, ...qrs }: SearchedStore) {
  const unused = async () => expect.unreachable();
  const lists = {
    ...{ findByIds, count: unused, indexedPage: unused, slice: unused },
    ...{ hourlyScans: unused, scansBetween: unused, folders: unused, renameFolder: unused },
  };
  return createCodeLists({ lists, qrs, clock: { nowMs: () => 0 } });
}

test('a sorted page of a search is that of all codes sorted, with equal ones in the order of their creation', async () => {
  await fc.assert(
    fc.asyncProperty(
      codes,
      fc.nat(40),
      fc.constantFrom('name', 'scans'),
      async (made, page, sort) => {
        const all = made.map((code, at) => {
          const place = { id: made.length - at, createdAtMs: sampleQr.createdAtMs - at };
          return { ...sampleQr, ...code, ...place, code: String(at) };
        });
        const lists = listsOf(createStore(made.length, 1, made).store);
        const query = { text: 'x', filter: {}, sort, limit: 25, offset: page * 25 } as const;
        const bytes = ({ name }: Qr) => Buffer.from(nameSortKey(name));
        const sorted = all.toSorted((one, other) =>
          sort === 'name'
            ? Buffer.compare(bytes(one), bytes(other)) || one.id - other.id
            : other.scans - one.scans,
        );
        expect(await lists.page(1, query)).toEqual({
          qrs: sorted.slice(query.offset, query.offset + 25),
          total: all.length,
          hasMore: query.offset + 25 < all.length,
        });
      },
    ),
    { numRuns: 50 },
  );
});

test('a batch ends when its time is over, with the code after which the next begins', () => {
  const codes = Array.from({ length: 100 }, (_, at) => ({ ...sampleQr, code: String(at) }));
  let nowMs = 0;
  // Each look at the clock takes a millisecond.
  const { found, last } = matchWithin(codes, sampleQr.destination, () => nowMs++);
  expect(found).toEqual(codes.slice(0, 32));
  expect(last?.code).toBe('31');
});

test.each([0, 1, 200, 201, 1000])(
  'the CSV export contains each of %d codes once, in the order of the list',
  async (count) => {
    const { store } = createStore(count, 1);
    const insights = createQrInsights({
      store: {
        formerDestinations: async () => [],
        hourlyScans: async () => [],
        uncountedHits: async () => ({ head: 0, prefetch: 0, preview: 0, crawler: 0, warning: 0 }),
      },
      designs: { find: async () => plainDesign },
      clock: { nowMs: () => 0, monotonicMs: () => 0 },
      symbolSide: () => 33,
    });
    const text = (await Array.fromAsync(insights.csv(searchBatches(store, 1, ''), 'UTC'))).join('');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'name,code,url,destination,status,scans,last_scan,created_at,note,folder,archived,path',
    );
    expect(lines.map((line) => Number(line.split(',')[1]))).toEqual(
      Array.from({ length: count }, (_, at) => at),
    );
  },
);
