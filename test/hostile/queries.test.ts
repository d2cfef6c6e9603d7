import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { ask } from './talk.ts';

// B8: DESIGN, "`limit`, `offset`", against everything that is nearly a number.
const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const { code } = await api.create('https://example.org/start');
const authorization = `Authorization: Bearer ${key}`;

describe('numbers in a query', () => {
  const values: readonly [sent: string, limit: number][] = [
    ['0', 1],
    ['-1', 1],
    ['-0', 1],
    ['+7', 50],
    ['%2B7', 7],
    ['101', 100],
    ['1e3', 50],
    ['1.5', 50],
    ['', 50],
    ['%205', 50],
    ['5%20', 50],
    ['5%00', 50],
    ['5%0a', 50],
    ['0x10', 50],
    ['0b1', 50],
    ['007', 7],
    ['%D9%A1', 50],
    ['%EF%BC%91', 50],
    ['9007199254740992', 100],
    ['18446744073709551616', 100],
    ['9'.repeat(5000), 100],
    ['NaN', 50],
    ['Infinity', 50],
    ['null', 50],
    ['true', 50],
    ['1,2', 50],
    ['[]', 50],
    ["1'--", 50],
    ['1;DROP TABLE qrs', 50],
    ['%', 50],
    ['%ff', 50],
    ['%24%7B7*7%7D', 50],
  ];

  test.each(values)('limit=%s is %i', async (sent, limit) => {
    const target = `/api/v1/qrs?limit=${sent.replaceAll(' ', '%20')}`;
    const answer = await ask(server.origin, `GET ${target} HTTP/1.1`, [authorization]);
    expect(answer.json).toMatchObject({ limit, offset: 0, total: 1 });
  });

  test.each(values)('offset=%s and size=%s are taken without fault', async (sent) => {
    const query = sent.replaceAll(' ', '%20');
    for (const target of [`/api/v1/qrs?offset=${query}`, `/api/v1/qrs/${code}.svg?size=${query}`])
      expect((await ask(server.origin, `GET ${target} HTTP/1.1`, [authorization])).status).toBe(
        200,
      );
  });

  // Security check 29 (ASVS 15.3.7).
  test.each([
    ['limit=1&limit=2', 2],
    ['limit=2&limit=x', 50],
    ['limit[]=2', 50],
    ['limit[0]=2', 50],
    ['limit.x=2', 50],
    ['LIMIT=2', 50],
    ['limit=2;limit=3', 50],
    ['limit=2#&limit=3', 2],
    ['?limit=2', 50],
    ['limit%00=2', 50],
    ['li%6dit=2', 2],
    ['&&&limit=2', 2],
    [`${'x=1&'.repeat(2000)}limit=2`, 2],
  ])('security check 29: of ?%s the limit is %i', async (query, limit) => {
    const answer = await ask(server.origin, `GET /api/v1/qrs?${query} HTTP/1.1`, [authorization]);
    expect(answer.json).toMatchObject({ limit });
  });
});

test('none of it is a fault of ours', async () => {
  expect(server.log()).not.toMatch(/ (warn|error) /);
});
