import { expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const { api } = await server.account();
const qr = await api.create();

const idOf = async (path: string) =>
  (await fetch(`${server.origin}${path}`, { redirect: 'manual' })).headers.get('x-request-id');

test('every response of the API, the panel and the pages has a unique id', async () => {
  const paths = ['/api/v1/qrs', '/account', '/account/no-such', '/docs', '/healthz', '/nowhere'];
  const ids = await Promise.all([...paths, ...paths].map(idOf));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an id from the client is ignored', async () => {
  const headers = { 'X-Request-Id': 'chosen-by-a-stranger' };
  const answer = await api.call('GET /qrs', undefined, headers);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}$/);
});

test('a redirect has no id, since it is not logged', async () => {
  expect(await idOf(`/${qr.code}`)).toBeNull();
});
