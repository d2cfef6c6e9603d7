import { expect, test } from 'bun:test';
import { withQuery } from '../../src/core/codes/urls/pass-query.ts';

test.each([
  ['https://a/', 'table=7', 'https://a/?table=7'],
  ['https://a/?x=1', 'table=7', 'https://a/?x=1&table=7'],
  ['https://a/?', 'table=7', 'https://a/?table=7'],
  ['https://a/?x&', 'table=7', 'https://a/?x&table=7'],
  ['https://a/#top', 'table=7', 'https://a/?table=7#top'],
  ['https://a/#top?x', 'table=7', 'https://a/?table=7#top?x'],
  // The destination's own names win, in any encoding.
  ['https://a/?table=1#top', 'table=7&b=2', 'https://a/?table=1&b=2#top'],
  ['https://a/?table=1', 't%61ble=7', 'https://a/?table=1'],
  ['https://a/?my+table=1', 'my%20table=7', 'https://a/?my+table=1'],
  ['https://a/?table', 'table=7', 'https://a/?table'],
  // Bytes as they are.
  ['https://a/', 'a=1&a=2', 'https://a/?a=1&a=2'],
  ['https://a/', 'b=%zz&a=%7E~+%2B', 'https://a/?b=%zz&a=%7E~+%2B'],
  ['https://a/', '&a&&b=', 'https://a/?a&b='],
  ['https://a/', 'x=?y', 'https://a/?x=?y'],
  ['https://a/', 'x'.repeat(512), `https://a/?${'x'.repeat(512)}`],
  // The plain destination.
  ['https://a/', 'x'.repeat(513), 'https://a/'],
  ['https://a/', 'x=\r\nSet-Cookie:y', 'https://a/'],
  ['https://a/', 'x=ü', 'https://a/'],
  ['https://a/', 'x#y', 'https://a/'],
  ['https://a/', '&', 'https://a/'],
  ['https://a/', '', 'https://a/'],
])('%s with ?%s is %s', (location, query, expected) => {
  expect(withQuery(location, query)).toBe(expected);
});
