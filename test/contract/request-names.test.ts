import { afterAll, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const qr = await api.create();

const nameOf = async (path: string) =>
  (await fetch(`${server.origin}${path}`, { redirect: 'manual' })).headers.get('x-request-id');

test('every answer of the API, the panel and the pages has a name of its own', async () => {
  const paths = ['/api/v1/qrs', '/account', '/account/no-such', '/docs', '/healthz', '/nowhere'];
  const names = await Promise.all([...paths, ...paths].map(nameOf));
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(names).size).toBe(names.length);
});

test('a name that the client brings is not taken over', async () => {
  const headers = { 'X-Request-Id': 'chosen-by-a-stranger' };
  const answer = await api.call('GET /qrs', undefined, headers);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/);
});

test('a redirect goes without: nothing is logged of it', async () => {
  expect(await nameOf(`/${qr.code}`)).toBeNull();
});
