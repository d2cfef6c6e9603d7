import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseLinkFile } from '../../src/core/codes/imports/parse-file.ts';
import { Refused } from '../../src/core/errors.ts';
import { words } from '../support/words.ts';
import { bitly, bitlyAnswer, bytes, link, parse, shortsOf } from './sample-links.ts';

const { destination } = link;

test('every field of a document that is not read is named', () => {
  expect(parse(bitlyAnswer([bitly])).ignoredColumns).toEqual([
    'id',
    'created_by',
    'client_id',
    'tags',
    'references',
  ]);
  const dub = {
    ...{ domain: 'go.example', key: 'x', url: destination, clicks: 7, createdAt: '2024-01-02' },
    ...{ id: '1', rewrite: false, ios: null, expiresAt: null, archived: false },
  };
  expect(parse(JSON.stringify([dub])).ignoredColumns).toEqual(['id']);
});

test.each<[string, (list: object[]) => object, ReturnType<typeof pagesOf>]>([
  ['Bitly', (links) => ({ links, pagination: { next: '', total: 2 } }), {}],
  [
    'Bitly, of pages',
    (links) => ({ links, pagination: { next: 'x', total: 172 } }),
    { total: 172, more: 'said' },
  ],
  [
    'Bitly today',
    (links) => ({ links, pagination: { next: '', search_after: 'x' } }),
    { more: 'said' },
  ],
  ['Kutt', (data) => ({ limit: 2, skip: 0, total: 3, data }), { total: 3 }],
  ['YOURLS', (links) => ({ links, stats: { total_links: '1,234' } }), { total: 1234 }],
  [
    'Shlink',
    (data) => ({ shortUrls: { data, pagination: { pagesCount: 2, totalItems: 4 } } }),
    { total: 4, more: 'said' },
  ],
  [
    'Shlink, the only page',
    (data) => ({ shortUrls: { data, pagination: { pagesCount: 1, totalItems: 2 } } }),
    {},
  ],
  ['Short.io', (links) => ({ links, count: 2, nextPageToken: null }), {}],
  [
    'T.LY',
    (data) => ({ current_page: 1, data, last_page: 9, next_page_url: 'x', total: 18 }),
    { total: 18, more: 'said' },
  ],
  ['Sink', (links) => ({ links, list_complete: false, cursor: 'x' }), { more: 'said' }],
  ['Sink, the last page', (links) => ({ links, list_complete: true, cursor: 'x' }), {}],
  [
    'all pages of Bitly',
    (links) =>
      links.map((one, at) => ({
        links: [one],
        pagination: { next: at === 0 ? 'x' : '', total: 2 },
      })),
    {},
  ],
  ['all pages of Dub', (links) => links.map((one) => [one]), {}],
])('the pages of %s are known', (_, answerOf, pages) => {
  const list = ['a', 'b'].map((path) => ({ path, destination }));
  expect(pagesOf(JSON.stringify(answerOf(list)))).toEqual(pages);
});

test('a bare list that is as long as a page may be one', () => {
  const listOf = (length: number) =>
    Array.from({ length }, (_, at) => ({ path: `x${at}`, destination }));
  const moreOf = (document: object) => parse(JSON.stringify(document)).more;
  const expected: (string | undefined)[] = ['likely', undefined, 'likely', 'likely'];
  expect<typeof expected>([25, 26, 50, 100].map((length) => moreOf(listOf(length)))).toEqual(
    expected,
  );
  expect(moreOf({ links: listOf(100), total: 100 })).toBeUndefined();
  expect(moreOf([listOf(100), listOf(25)])).toBeUndefined();
});

/** Returns what the answer with two links says of its pages. */
function pagesOf(file: string): { total?: number; more?: 'said' | 'likely' } {
  const { links, total, more } = parse(file);
  expect(links.map(({ row, short }) => [row, short])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  return { ...(total !== undefined && { total }), ...(more !== undefined && { more }) };
}

test('JSON never fails otherwise than in words, whatever its values are', () => {
  const names = fc.constantFrom(
    ...words('path destination name scans created'),
    ...words('total next link_1'),
    ...words('constructor __proto__ toString valueOf'),
  );
  const values = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 0 }),
      fc.constantFrom('https://a.example/x', 'paused', '2020-01-01', '[{"a":1}]'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(names, tie('value'), { maxKeys: 7 }),
    ),
  })).value;
  const items = fc.array(fc.dictionary(names, values, { minKeys: 2 }), {
    minLength: 1,
    maxLength: 4,
  });
  let read = 0;
  const linkColumns = [{ role: 'active', of: 'none' }] as const;
  fc.assert(
    fc.property(items, values, (list, total) => {
      try {
        const file = bytes(JSON.stringify({ list, total }));
        for (const one of parseLinkFile(file, { linkColumns }).links) {
          read++;
          for (const text of [one.short, one.destination, one.scans])
            expect(typeof text).toBe('string');
        }
      } catch (error) {
        expect(error).toBeInstanceOf(Refused);
      }
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(20);
});

test('a list of links is found behind another list', () => {
  const file = JSON.stringify({ tags: [{ id: 1, name: 'print' }], links: [bitly] });
  expect(shortsOf(file)).toHaveLength(3);
});
