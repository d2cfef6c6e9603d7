import { afterAll, describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { fieldsOf, outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, key, email } = await server.account('alice@example.org');
const { code } = await api.create();

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
];
const allowed: Readonly<Record<string, readonly string[]>> = {
  '/qrs': ['GET', 'HEAD', 'POST'],
  [`/qrs/${code}`]: ['GET', 'HEAD', 'PATCH'],
  [`/qrs/${code}/stats`]: ['GET', 'HEAD'],
  [`/qrs/${code}.png`]: ['GET', 'HEAD'],
  [`/qrs/${code}.svg`]: ['GET', 'HEAD'],
};
const pairs = Object.keys(allowed).flatMap((path) => methods.map((method) => [method, path]));
const refused = pairs.filter(([method = '', path = '']) => !allowed[path]?.includes(method));
const authorization = `Authorization: Bearer ${key}`;

describe('405 method_not_allowed, with the permitted methods in Allow (rule 7)', () => {
  // Raw, because fetch knows which methods it is willing to send.
  test.each(refused)('%s %s', async (method = '', path = '') => {
    const line = `${method} /api/v1${path}`;
    const answer = await sendRaw(server.origin, line, [authorization, 'Content-Length: 0']);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(/, */).sort()).toEqual([...(allowed[path] ?? [])]);
    expect(fieldsOf(JSON.parse(answer.text))).toMatchObject({
      error: { code: 'method_not_allowed', message: expect.any(String) },
    });
  });

  test('Allow is the same whether or not the QR exists', async () => {
    const answer = await api.call('DELETE /qrs/zzzzzzzz');
    expect(outcome(answer)).toBe('405 method_not_allowed');
    expect(answer.headers.get('allow')).toBe(
      (await api.call(`DELETE /qrs/${code}`)).headers.get('allow'),
    );
    for (const dots of ['.', '..', '...', '%2e', '%2E%2e']) {
      const image = await sendRaw(server.origin, `DELETE /api/v1/qrs/${dots}.png`, [authorization]);
      expect([image.status, image.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('HEAD works on every GET', () => {
  test.each([...Object.keys(allowed), '/qrs/zzzzzzzz', '/qrs/zzzzzzzz.png', '/nothing'])(
    'HEAD %s has the status and headers of GET and no body',
    async (path) => {
      const get = await sendRaw(server.origin, `GET /api/v1${path}`, [authorization]);
      const head = await sendRaw(server.origin, `HEAD /api/v1${path}`, [authorization]);
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect(`${name}: ${head.headers.get(name)}`).toBe(`${name}: ${get.headers.get(name)}`);
    },
  );

  test('HEAD without a key is 401', async () => {
    expect((await server.api().call('HEAD /qrs')).status).toBe(401);
  });
});

describe('a near miss under /api is 404 not_found in the same envelope, without a key', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v2',
    '/api/v2/qrs',
    '/api/v11/qrs',
    '/api/qrs',
    '/api//v1/qrs',
    '/api/v1%2fqrs',
    '/API/v1/qrs',
    '/api?key=1',
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) {
      const answer = await sendRaw(server.origin, `${method} ${path}`, ['Content-Length: 0']);
      expect(`${method} ${answer.status}`).toBe(`${method} 404`);
      expect(answer.headers.get('content-type')).toStartWith('application/json');
      expect(answer.headers.has('ratelimit-limit')).toBe(false);
      if (method !== 'HEAD')
        expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('other paths stay pages, and imported links that resemble them work', async () => {
    for (const path of ['/apis', '/api.html', '/v1/qrs']) {
      const answer = await sendRaw(server.origin, `GET ${path}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
    }
    const table = 'path,destination\napis,https://example.org/apis\nAPI/x,https://example.org/x\n';
    const importing = ['link', 'import', '-', '--account', email];
    expect(await server.cli(importing, { stdin: table })).toMatchObject({ exitCode: 0 });
    for (const path of ['/apis', '/API/x'])
      expect((await sendRaw(server.origin, `GET ${path}`)).status).toBe(302);
  });
});

describe('an unknown path under /api/v1 is 404 not_found in the same envelope', () => {
  test.each([
    '',
    '/',
    '/nothing',
    '/qrs/',
    `/qrs/${code}/`,
    `/qrs/${code}.png/`,
    `/qrs/${code}/png`,
    `/qrs/${code}/stats/more`,
    `/qrs/${code}.png.png`,
    '/qrs/.png',
    '/QRS',
    '/docs',
    '/healthz',
  ])('GET /api/v1%s', async (path) => {
    const answer = await sendRaw(server.origin, `GET /api/v1${path}`, [authorization]);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toStartWith('application/json');
    expect(JSON.parse(answer.text)).toEqual({
      error: { code: 'not_found', message: expect.any(String) },
    });
  });
});
