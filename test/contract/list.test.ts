import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const bob = await server.account('bob@example.org');
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

  test('has every QR on exactly one page', async () => {
    const pages = [];
    for (let offset = 0; offset < size; offset += 7)
      pages.push(...(await api.list(`?limit=7&offset=${offset}`)).data);
    expect(pages).toEqual([...all]);
  });
});

describe('limit: 1 to 100, default 50 (rule 9)', () => {
  test.each([
    ['', 50],
    ['?limit=1', 1],
    ['?limit=100', 100],
    // Outside the range: the nearest bound.
    ['?limit=0', 1],
    ['?limit=101', 100],
    // Not a whole number: the default.
    ['?limit=', 50],
    ['?limit=abc', 50],
    ['?limit=1.5', 50],
    ['?LIMIT=5', 50],
  ])('%s → limit %i', async (query, limit) => {
    const list = await api.list(query);
    expect(list).toMatchObject({ limit, offset: 0, total: size });
    expect(list.data).toEqual(all.slice(0, limit));
  });
});

describe('offset: default 0 (rule 9)', () => {
  test.each([
    ['?offset=0', 0],
    ['?offset=3', 3],
    ['?offset=60', 60],
    ['?offset=1000000', 1_000_000],
    ['?offset=-1', 0],
    ['?offset=abc', 0],
    ['?offset=1.5', 0],
  ])('%s → offset %i', async (query, offset) => {
    const list = await api.list(query);
    expect(list).toMatchObject({ limit: 50, offset, total: size });
    expect(list.data).toEqual(all.slice(offset, offset + 50));
  });

  test('an offset beyond every integer is past the end', async () => {
    const list = await api.list('?offset=99999999999999999999999999');
    expect(list).toMatchObject({ data: [], total: size });
  });
});

test('the last value counts when a parameter is repeated', async () => {
  expect((await api.list('?limit=7&limit=5')).data).toHaveLength(5);
  expect(await api.list('?limit=5&limit=abc')).toMatchObject({ limit: 50 });
});

test('total is 0 for an account without QRs and grows with each', async () => {
  const carol = await server.account('carol@example.org');
  expect(await carol.api.list()).toEqual({ data: [], total: 0, limit: 50, offset: 0 });
  await carol.api.create();
  await carol.api.create();
  expect((await carol.api.list('?limit=1')).total).toBe(2);
});
