import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const bob = await server.account('bob@example.org');
await bob.api.create();

// Enough that a page of 50 is not all, created so closely together that instants repeat.
const size = 60;
const first = await api.create();
for (let batch = 0; batch < 4; batch++)
  await Promise.all(Array.from({ length: (size - 4) / 4 }, () => api.create()));
const later = [await api.create(), await api.create(), await api.create()];
const all = (await api.list('?limit=100')).data;

describe('the list holds the caller’s QRs, newest first', () => {
  test('all of them, and no others', async () => {
    expect((await api.list('?limit=100')).total).toBe(size);
    expect(all).toHaveLength(size);
    expect((await bob.api.list()).total).toBe(1);
  });

  test('the last one created leads, the first one closes', () => {
    expect(all.slice(0, 3)).toEqual(later.toReversed());
    expect(all.at(-1)).toEqual(first);
    const instants = all.map((qr) => Date.parse(qr.created_at));
    expect(instants).toEqual(instants.toSorted((a, b) => b - a));
  });

  test('the code breaks ties, where there are any, always in the same direction', () => {
    const directions = new Set<boolean>();
    for (const [index, qr] of all.entries()) {
      const next = all[index + 1];
      if (next?.created_at === qr.created_at) directions.add(qr.code < next.code);
    }
    expect(directions.size).toBeLessThanOrEqual(1);
  });

  test('pages of seven put together are the list: nothing twice, nothing left out', async () => {
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
    ['?limit=-1', 1],
    ['?limit=-99999999999999999999', 1],
    ['?limit=101', 100],
    ['?limit=9007199254740992', 100],
    ['?limit=99999999999999999999999999', 100],
    // Not a whole number: the default.
    ['?limit=', 50],
    ['?limit', 50],
    ['?limit=abc', 50],
    ['?limit=1.5', 50],
    ['?limit=-1.5', 50],
    ['?limit=0x10', 50],
    ['?limit=%205', 50],
    ['?limit=5%20', 50],
    ['?limit=+5', 50],
    ['?limit=%D9%A1', 50],
    ['?limit=NaN', 50],
    ['?limit=Infinity', 50],
    ['?limit=null', 50],
    ['?limit=%00', 50],
    ['?limit=5;10', 50],
    ['?limit[]=5', 50],
    ['?LIMIT=5', 50],
  ])('%s answers with limit %i', async (query, limit) => {
    const list = await api.list(query);
    expect(list).toMatchObject({ limit, offset: 0, total: size });
    expect(list.data).toEqual(all.slice(0, limit));
  });
});

describe('offset: default 0 (rule 9)', () => {
  test.each([
    ['?offset=0', 0],
    ['?offset=3', 3],
    ['?offset=59', 59],
    ['?offset=60', 60],
    ['?offset=1000000', 1_000_000],
    ['?offset=-1', 0],
    ['?offset=-99999999999999999999', 0],
    ['?offset=', 0],
    ['?offset=abc', 0],
    ['?offset=1.5', 0],
    ['?offset=0x10', 0],
    ['?offset=%205', 0],
    ['?offset=%D9%A1', 0],
  ])('%s answers with offset %i', async (query, offset) => {
    const list = await api.list(query);
    expect(list).toMatchObject({ limit: 50, offset, total: size });
    expect(list.data).toEqual(all.slice(offset, offset + 50));
  });

  test('an offset beyond every number is past the end', async () => {
    for (const offset of ['9007199254740993', '99999999999999999999999999'])
      expect(await api.list(`?offset=${offset}`)).toMatchObject({ data: [], total: size });
  });
});

describe('a parameter that is sent twice', () => {
  test('is read in one way, and the answer says which', async () => {
    for (const query of ['?limit=5&limit=7', '?limit=7&limit=5', '?limit=5&limit=abc']) {
      const list = await api.list(query);
      expect([5, 7, 50]).toContain(list.limit);
      expect(list.data).toHaveLength(list.limit);
    }
  });
});

describe('total', () => {
  test('is 0 for an account without QRs and grows with each', async () => {
    const carol = await server.account('carol@example.org');
    expect(await carol.api.list()).toEqual({ data: [], total: 0, limit: 50, offset: 0 });
    await carol.api.create();
    await carol.api.create();
    expect((await carol.api.list('?limit=1')).total).toBe(2);
  });
});
