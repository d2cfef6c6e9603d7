import { describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { asStats, outcome } from '../support/wire.ts';
import { words } from '../support/words.ts';

const server = await sharedServer();
const { api, key, email } = await server.account();
const qr = await api.create();
const { code } = qr;
const authorization = `Authorization: Bearer ${key}`;
/** Sends `GET /…` with the key, unless another method or other lines are given. */
const send = (path: string, method = 'GET', lines = [authorization], body = '') =>
  sendRaw(server.origin, `${method} ${path}`, [...lines, `Content-Length: ${body.length}`], body);
const notFound = { error: { code: 'not_found', message: expect.any(String) } };
const hexOf = (character: string) => `%${character.charCodeAt(0).toString(16)}`;

describe('a near miss under /api is 404 not_found in the same envelope, without a key', () => {
  test.each([
    ...words('/api /api/ /api/v2 /api/v2/qrs /api/v11/qrs /api/qrs /api//v1/qrs /api/v1%2fqrs'),
    ...words('/API/v1/qrs /api?key=1'),
  ])('%s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'HEAD']) {
      const answer = await send(path, method, []);
      expect(`${method} ${answer.status}`).toBe(`${method} 404`);
      expect(answer.headers.get('content-type')).toStartWith('application/json');
      expect(answer.headers.has('ratelimit-limit')).toBe(false);
      if (method !== 'HEAD') expect(answer.json).toEqual(notFound);
    }
  });

  test('other paths stay pages, and imported links that resemble them work', async () => {
    for (const path of ['/apis', '/api.html', '/v1/qrs']) {
      const { status, headers } = await send(path, 'GET', []);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
    const table = 'path,destination\napis,https://example.org/apis\nAPI/x,https://example.org/x\n';
    const importing = ['link', 'import', '-', '--account', email];
    expect(await server.cli(importing, { stdin: table })).toMatchObject({ exitCode: 0 });
    for (const path of ['/apis', '/API/x']) expect((await send(path)).status).toBe(302);
  });
});

test.each([
  '',
  ...words('/ /nothing /qrs/ /qrs/.png /QRS /docs /healthz'),
  ...['.png/', '/png', '/stats/more', '.png.png'].map((rest) => `/qrs/${code}${rest}`),
])('an unknown path is 404 not_found in the same envelope: /api/v1%s', async (path) => {
  const answer = await send(`/api/v1${path}`);
  expect([answer.status, answer.json]).toEqual([404, notFound]);
});

describe('an invalid {code} is 404, in the API and as a short link', () => {
  test.each([
    ...words(`
      a%2Fb ${code}%2F ${code}%2Fstats %2f${code} %2e%2e%2fqrs x/../${code}/x /${code} ${code}%00
      ${code}%00.png ${code}%0D%0AX-Injected:%20yes % %zz %ff %ff${code} %${code}
      ${code}.json ${code};a=b ${code}%3Fa ${code}%23a ${code},${code} ${code}\xe9
      ${code.slice(1)} ${code}0 ilouilou ünïcödé '%20OR%201=1-- {code}
    `),
    [...code].map((character) => `%25${hexOf(character).slice(1)}`).join(''),
    'a'.repeat(7000),
  ])('%s', async (segment) => {
    expect((await send(`/${segment}`)).status).toBe(404);
    for (const suffix of ['', '/stats', '.png', '.svg']) {
      const answer = await send(`/api/v1/qrs/${segment}${suffix}`);
      expect([suffix, answer.status, answer.json]).toEqual([suffix, 404, notFound]);
      expect(answer.headers.has('x-injected')).toBe(false);
    }
    const body = '{"url":"https://example.org/"}';
    const patched = await send(`/api/v1/qrs/${segment}`, 'PATCH', [authorization], body);
    // The segment may be a path that allows other methods only.
    expect([404, 405]).toContain(patched.status);
  });

  test('but a slash at the end of a short link leads where the code leads', async () => {
    expect((await send(`/${code}/`)).status).toBe(302);
    expect((await send(`/api/v1/qrs/${code}/`)).status).toBe(404);
  });
});

test('codes are 8 characters of Crockford base32, looked up without regard to case', async () => {
  expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
  const upper = code.toUpperCase();
  expect((await send(`/${upper}`)).status).toBe(302);
  expect(asStats((await api.call(`GET /qrs/${upper}/stats`)).json).code).toBe(code);
  for (const image of ['png', 'svg']) {
    const lower = await api.call(`GET /qrs/${code}.${image}`);
    expect((await api.call(`GET /qrs/${upper}.${image}`)).bytes).toEqual(lower.bytes);
  }
  const url = 'https://example.org/upper';
  expect(outcome(await api.call(`PATCH /qrs/${upper}`, { url }))).toBe('200');
  expect(await api.read(upper)).toMatchObject({ code, destination: url });
});

describe('unreserved characters may be percent-encoded (RFC 3986, 6.2.2.2)', () => {
  test.each([
    [`/${[...code].map(hexOf).join('')}`, `/${code}`],
    [`/${code}%2Epng`, `/${code}.png`],
    [`/${code}%2esv%67`, `/${code}.svg`],
    [`/${hexOf(code)}${code.slice(1)}.pn%67`, `/${code}.png`],
    [`/${code}/st%61ts`, `/${code}/stats`],
  ])('%s is the same as %s', async (encoded, plain) => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const one = await send(`/api/v1/qrs${encoded}`, method);
      const other = await send(`/api/v1/qrs${plain}`, method);
      expect(one.status).toBe(method === 'DELETE' ? 405 : 200);
      expect(one.text).toBe(other.text);
      for (const name of ['etag', 'content-type', 'allow'])
        expect(one.headers.get(name)).toBe(other.headers.get(name));
    }
  });

  test('but not twice', async () => {
    expect((await send(`/api/v1/qrs/${code}%252Epng`)).status).toBe(404);
    expect((await send(`/${[...code].map(hexOf).join('')}`)).status).toBe(302);
    expect((await send(`/%25${hexOf(code).slice(1)}${code.slice(1)}`)).status).toBe(404);
  });
});
