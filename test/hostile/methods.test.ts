import { describe, expect, test } from 'bun:test';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { sampleOf } from '../support/sample.ts';
import { sharedServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

// Security check 35 and SPEC rule 7 (ASVS 4.1.4, 13.4.4): every method that Bun accepts, on every path.
const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create();
const authorization = `Authorization: Bearer ${key}`;

const methods =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'.split(
    ' ',
  );
const allowed: Readonly<Record<string, string>> = {
  '/api/v1/qrs': 'GET, HEAD, POST',
  [`/api/v1/qrs/${code}`]: 'GET, HEAD, PATCH',
  [`/api/v1/qrs/${code}/stats`]: 'GET, HEAD',
  [`/api/v1/qrs/${code}.png`]: 'GET, HEAD',
  [`/api/v1/qrs/${code}.svg`]: 'GET, HEAD',
  [`/${code}`]: 'GET, HEAD',
};
const pages = ['/', '/docs', '/docs/json', '/healthz', '/metrics', '/account', '/account/sign-in'];
const send = (method: string, path: string, lines: readonly string[] = []) =>
  sendRaw(server.origin, `${method} ${path}`, [authorization, ...lines, 'Content-Length: 0']);

test.each(sampleOf(Object.entries(allowed), 2))(
  'any other method on %s is 405 with Allow: %s',
  async (path, allow) => {
    for (const method of methods.filter((one) => !allow.split(', ').includes(one))) {
      const answer = await send(method, path);
      expect(`${method} ${answer.status}`).toBe(`${method} 405`);
      expect(answer.headers.get('allow')).toBe(allow);
      if (path.startsWith('/api/')) expect(outcome(answer)).toBe('405 method_not_allowed');
      expect(answer.text).not.toContain(key);
    }
  },
);

test.each(['zzzzzzzz', '..png', '...png', '....png', '%2e.png', '%2E%2e.png'])(
  'Allow is the same where there is no such code: %s',
  async (path) => {
    const { status, headers } = await send('DELETE', `/api/v1/qrs/${path}`);
    expect([status, headers.get('allow')]).toEqual([
      405,
      path.endsWith('png') ? 'GET, HEAD' : 'GET, HEAD, PATCH',
    ]);
  },
);

test.each(sampleOf(pages, 3))('any other method on the page %s is 404 or 405', async (path) => {
  for (const method of methods.filter((one) => !['GET', 'HEAD', 'POST'].includes(one))) {
    const answer = await send(method, path);
    expect([404, 405]).toContain(answer.status);
    // TRACE would show a script the header that it may not read.
    expect(answer.text).not.toContain(key);
  }
});

test.each([
  'X-HTTP-Method-Override: DELETE',
  'X-HTTP-Method: PATCH',
  'X-Method-Override: PUT',
  '_method: DELETE',
])('the method is not overridden by %s', async (line) => {
  expect((await send('GET', `/api/v1/qrs/${code}`, [line])).status).toBe(200);
  const answer = await send('POST', `/api/v1/qrs/${code}?_method=PATCH`, [line]);
  expect(outcome(answer)).toBe('405 method_not_allowed');
});

test('Bun closes the connection on unknown methods, and methods are case-sensitive', async () => {
  for (const method of ['get', 'Post', 'BREW', 'X'.repeat(300)]) {
    const head = `${method} /api/v1/qrs HTTP/1.1\r\nHost: x.example\r\n${authorization}\r\nConnection: close\r\n\r\n`;
    expect((await sendBytes(server.origin, head)).answers).toEqual([]);
  }
  expect((await api.list()).total).toBe(1);
});

const missing = ['/nothing', '/zzzzzzzz', '/api/v1/nothing', '/api/v1/qrs/zzzzzzzz.png'];

test.each(sampleOf([...Object.keys(allowed), ...pages, ...missing], 3))(
  'HEAD %s is GET without a body',
  async (path) => {
    const [get, head] = [await send('GET', path), await send('HEAD', path)];
    const comparable = ({ status, headers }: typeof get) => ({
      status,
      headers: [...headers].filter(([name]) => !/^(date|ratelimit-.*|x-request-id)$/.test(name)),
    });
    // The metrics count their own requests, so their length may differ.
    if (path === '/metrics') expect(head.status).toBe(get.status);
    else expect(comparable(head)).toEqual(comparable(get));
    expect(head.bytes).toHaveLength(0);
  },
);

test('a CORS preflight is not allowed', async () => {
  const answer = await send('OPTIONS', '/api/v1/qrs', [
    'Origin: https://evil.example',
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: authorization',
  ]);
  expect(answer.status).toBe(405);
  for (const name of answer.headers.keys()) expect(name).not.toStartWith('access-control-');
});

describe('ranges and conditions', () => {
  test.each([
    'Range: bytes=0-1',
    'Range: bytes=0-0,1-1,2-2',
    `Range: bytes=${'0-,'.repeat(20)}0-`,
    'Range: bytes=99999999999999999999-',
    'Range: lines=1-2',
    'If-Range: "x"',
    'If-Match: "x"',
    'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
  ])('%s returns at most the whole content', async (line) => {
    for (const path of [`/api/v1/qrs/${code}.png`, '/docs/swagger-ui.css', '/docs', '/healthz']) {
      const whole = await send('GET', path);
      const answer = await send('GET', path, [line]);
      expect([200, 206, 416]).toContain(answer.status);
      expect(answer.bytes.length).toBeLessThanOrEqual(whole.bytes.length);
      if (answer.status === 200) expect(answer.bytes).toEqual(whole.bytes);
    }
  });

  test.each(['"', '""', 'W/', '*, "x"', ','.repeat(40), '"\xff"'])(
    'If-None-Match: %s is parsed without failure',
    async (tags) => {
      const answer = await send('GET', `/api/v1/qrs/${code}.png`, [`If-None-Match: ${tags}`]);
      expect(answer.status).toBe(tags.startsWith('*') ? 304 : 200);
    },
  );
});
