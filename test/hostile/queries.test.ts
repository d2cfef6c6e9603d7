import { expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';

// DESIGN, "`limit`, `offset`": a number outside the range becomes the nearest bound, anything else the default.
const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create('https://example.org/start');
const get = (path: string) =>
  sendRaw(server.origin, `GET /api/v1${path}`, [`Authorization: Bearer ${key}`]);

const values = '0,-1,-0,%2B7,101,007,9007199254740992,18446744073709551616'.split(',');
const invalid =
  '1e3|1.5||%205|5%20|5%00|5%0a|0x10|%D9%A1|NaN|Infinity|null|1,2|[]|1;DROP%20TABLE|%|%ff'.split(
    '|',
  );

test.each([
  ...[1, 1, 1, 7, 100, 7, 100, 100].map((limit, index) => [values[index] ?? '', limit] as const),
  ...invalid.map((value) => [value, 50] as const),
])('limit=%s is %i, and offset and size accept it', async (value, limit) => {
  expect((await get(`/qrs?limit=${value}`)).json).toMatchObject({ limit, offset: 0, total: 1 });
  expect((await get(`/qrs?offset=${value}`)).status).toBe(200);
  expect((await get(`/qrs/${code}.svg?size=${value}`)).status).toBe(200);
});

test.each([
  ['limit=1&limit=2', 2],
  ['limit=2&limit=x', 50],
  ['limit[]=2', 50],
  ['limit.x=2', 50],
  ['LIMIT=2', 50],
  ['limit=2;limit=3', 50],
  ['limit=2#&limit=3', 2],
  ['limit%00=2', 50],
  ['li%6dit=2', 2],
  [`${'x=1&'.repeat(2000)}limit=2`, 2],
])('security check 29 (ASVS 15.3.7): the limit of ?%s is %i', async (query, limit) => {
  expect((await get(`/qrs?${query}`)).json).toMatchObject({ limit });
});

test('nothing is logged', () => {
  expect(server.problems()).toEqual([]);
});
