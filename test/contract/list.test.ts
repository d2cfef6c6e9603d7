import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const { api, key } = await server.account();
const bob = await server.account();
await bob.api.create();

// More than a page of 50, created concurrently, so that creation times repeat.
const size = 60;
const first = await api.create();
for (let batch = 0; batch < 4; batch++)
  await Promise.all(Array.from({ length: (size - 4) / 4 }, () => api.create()));
const later = [await api.create(), await api.create(), await api.create()];
const all = (await api.list('?limit=100')).data;

describe('the list contains the QRs of the account, newest first', () => {
  test('all of them, and no others', async () => {
    expect((await api.list('?limit=100')).total).toBe(size);
    expect(all).toHaveLength(size);
    expect((await bob.api.list()).total).toBe(1);
  });

  test('begins with the newest and ends with the oldest', () => {
    expect(all.slice(0, 3)).toEqual(later.toReversed());
    expect(all.at(-1)).toEqual(first);
    const instants = all.map((qr) => Date.parse(qr.created_at));
    expect(instants).toEqual(instants.toSorted((a, b) => b - a));
  });

  test('orders equal creation times by code', () => {
    const directions = new Set<boolean>();
    for (const [index, qr] of all.entries()) {
      const next = all[index + 1];
      if (next?.created_at === qr.created_at) directions.add(qr.code < next.code);
    }
    expect(directions.size).toBeLessThanOrEqual(1);
  });
});

// Not a whole number: the default.
const noNumbers =
  '|abc|1e3|1.5|%205|5%20|5%00|5%0a|0x10|%D9%A1|NaN|Infinity|null|1,2|[]|1;DROP%20TABLE|%|%ff'.split(
    '|',
  );

test.each([
  [50, ['', ...noNumbers.map((value) => `limit=${value}`), 'limit=2&limit=x']],
  [50, ['LIMIT=2', 'limit[]=2', 'limit.x=2', 'limit%00=2', 'limit=2;limit=3']],
  [1, ['limit=1', 'limit=001', 'limit=%2B1', `${'x=1&'.repeat(2000)}limit=1`]],
  // Outside the range: the nearest bound.
  [1, ['limit=0', 'limit=-0', 'limit=-1']],
  [100, ['limit=100', 'limit=101', 'limit=18446744073709551616']],
  // The last value counts (ASVS 15.3.7).
  [2, ['limit=1&limit=2', 'li%6dit=2', 'limit=2#&limit=3']],
])('limit: 1 to 100, default 50 (rule 9): %i with %j', async (limit, queries) => {
  for (const query of queries) {
    const list = await api.list(`?${query}`);
    expect([query, list]).toEqual([
      query,
      { data: all.slice(0, limit), limit, offset: 0, total: size },
    ]);
  }
});

describe('offset: default 0 (rule 9)', () => {
  test.each([
    [0, ['0', '-1', ...noNumbers]],
    [3, ['3']],
    [60, ['60']],
    [1_000_000, ['1000000']],
  ])('%i with %j', async (offset, values) => {
    for (const value of values) {
      const list = await api.list(`?offset=${value}`);
      expect(list).toMatchObject({ limit: 50, offset, total: size });
      expect(list.data).toEqual(all.slice(offset, offset + 50));
    }
  });

  test('an offset beyond every integer is past the end', async () => {
    const list = await api.list('?offset=99999999999999999999999999');
    expect(list).toMatchObject({ data: [], total: size });
  });
});

describe('Link has the addresses of the next and the previous page (RFC 8288)', () => {
  const linkOf = async (query: string) => {
    const header = (await api.call(`GET /qrs${query}`)).headers.get('link');
    const links = header?.matchAll(/<([^>]+)>; rel="(\w+)"/g) ?? [];
    return Object.fromEntries([...links].map(([, url = '', rel = '']) => [rel, url]));
  };
  const page = (limit: number, offset: number) =>
    `${server.origin}/api/v1/qrs?limit=${limit}&offset=${offset}`;

  test.each([
    ['', { next: page(50, 50) }],
    ['?limit=7', { next: page(7, 7) }],
    ['?limit=7&offset=7', { prev: page(7, 0), next: page(7, 14) }],
    ['?limit=7&offset=3', { prev: page(7, 0), next: page(7, 10) }],
    ['?offset=50', { prev: page(50, 0) }],
    ['?limit=30&offset=30', { prev: page(30, 0) }],
    ['?offset=60', { prev: page(50, 10) }],
    ['?limit=10&offset=5000', { prev: page(10, 50) }],
    ['?limit=100', {}],
    ['?limit=0&offset=x', { next: page(1, 1) }],
  ])('%s', async (query, links) => {
    expect(await linkOf(query)).toEqual(links);
  });

  test('leads through all QRs and back', async () => {
    const walk = async (relation: string, from: string) => {
      const codes: string[] = [];
      for (let query: string | undefined = from; query !== undefined; ) {
        codes.push(...(await api.list(query)).data.map((qr) => qr.code));
        const url: string | undefined = (await linkOf(query))[relation];
        query = url && new URL(url).search;
      }
      return codes;
    };
    const codes = all.map((qr) => qr.code);
    expect(await walk('next', '?limit=7')).toEqual(codes);
    expect((await walk('prev', '?limit=20&offset=40')).sort()).toEqual(codes.toSorted());
  });

  test('is absent from an empty list', async () => {
    const { api: empty } = await server.account();
    expect((await empty.call('GET /qrs')).headers.has('link')).toBe(false);
  });
});

describe('JSON over 1 kB is compressed where asked', () => {
  const ask = (acceptEncoding: string, path = '/api/v1/qrs') =>
    fetch(server.origin + path, {
      headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': acceptEncoding },
      decompress: false,
    });

  test.each([
    'gzip',
    'GZIP',
    'x-gzip',
    'deflate, gzip;q=1.0, *;q=0.5',
    'br;q=1, gzip;q=0.001',
    '*',
    'gzip, identity;q=0.5',
    'identity;q=0, gzip',
  ])('Accept-Encoding: %s', async (value) => {
    const plain = await (await ask('identity')).bytes();
    const response = await ask(value);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    const bytes = await response.bytes();
    expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.length).toBeLessThan(plain.length / 4);
    expect(Bun.gunzipSync(bytes)).toEqual(plain);
  });

  test.each([
    ...['', 'identity', 'br, deflate', 'gzip;q=0', 'gzip; q=0.000, *', '*;q=0', 'gzip;q=x'],
    ...['identity, gzip;q=0.5', 'notgzip'],
  ])('not with Accept-Encoding: %s', async (value) => {
    const response = await ask(value);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.json()).toMatchObject({ total: size });
  });

  test('also the OpenAPI document, but nothing that is short or no JSON', async () => {
    expect((await ask('gzip', '/docs/json')).headers.get('content-encoding')).toBe('gzip');
    for (const path of [`/${first.code}`, `/${first.code}.svg`, `/${first.code}/stats`, '/none']) {
      const response = await ask('gzip', `/api/v1/qrs${path}`);
      expect(response.headers.get('content-encoding')).toBeNull();
    }
  });
});

test('pages that are read while QRs are created may repeat some, and skip none', async () => {
  const holder = await server.account();
  const before: string[] = [];
  for (let count = 0; count < 7; count++) before.push((await holder.api.create()).code);
  const read: string[] = [];
  for (let offset = 0; ; offset += 2) {
    const page = await holder.api.list(`?limit=2&offset=${offset}`);
    if (page.data.length === 0) break;
    read.push(...page.data.map(({ code }) => code));
    if (offset < 6) await holder.api.create();
  }
  expect(before.filter((code) => !read.includes(code))).toEqual([]);
  expect(read.length).toBeGreaterThan(new Set(read).size);
});

test('total is 0 for an account without QRs and grows with each', async () => {
  const carol = await server.account();
  expect(await carol.api.list()).toEqual({ data: [], total: 0, limit: 50, offset: 0 });
  await carol.api.create();
  await carol.api.create();
  expect((await carol.api.list('?limit=1')).total).toBe(2);
});
