import { describe, expect, test } from 'bun:test';
import { sendBytes } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create();
for (let count = 0; count < 30; count++) await api.create();

/** Returns status and headers of a response, without what differs in each. */
async function headersOf(method: string, path: string, line: string) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x.example\r\nAuthorization: Bearer ${key}\r\n${line}`;
  const { raw } = await sendBytes(server.origin, `${head}Connection: close\r\n\r\n`);
  const [lines = '', body = ''] = raw.split(/\r\n\r\n/, 2);
  if (method === 'HEAD') expect(body).toBe('');
  const own = /^(?:date|x-request-id|ratelimit-[\w-]+|set-cookie|transfer-encoding):/i;
  return lines
    .split('\r\n')
    .filter((one) => !own.test(one))
    .map((one) => one.replace(/^[\w-]+:/, (name) => name.toLowerCase()))
    .sort();
}

const addressed = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/?[\w./-]+\.(?:js|css|svg))"/g)].map(([, path = '']) =>
    path.startsWith('/') ? path : `/${path}`,
  );
const pageOf = async (path: string) =>
  (await fetch(server.origin + path, { keepalive: false })).text();

const assets = [
  ...addressed(await pageOf('/docs')),
  ...addressed(await pageOf('/account/sign-in')),
];

describe('HEAD has the headers of GET, with their Content-Length or none (RFC 9110, 9.3.2)', () => {
  test.each([
    '/',
    '/healthz',
    '/docs',
    '/docs/json',
    '/account',
    '/account/sign-in',
    ...assets,
    '/nothing',
    '/zzzzzzzz',
    `/${code}`,
    '/api/v1/qrs',
    '/api/v1/qrs?limit=1',
    '/api/v1/qrs?limit=100',
    `/api/v1/qrs/${code}`,
    `/api/v1/qrs/${code}/stats`,
    `/api/v1/qrs/${code}.png`,
    `/api/v1/qrs/${code}.svg`,
    '/api/v1/qrs/zzzzzzzz.png',
    '/api/v1/nothing',
    '/api',
  ])('%s', async (path) => {
    for (const line of ['', 'Accept-Encoding: gzip\r\n', 'If-None-Match: *\r\n']) {
      const [head, get] = [await headersOf('HEAD', path, line), await headersOf('GET', path, line)];
      const isLength = (header: string) => header.startsWith('content-length:');
      const hasLength = head.some(isLength);
      expect(head).toEqual(hasLength ? get : get.filter((header) => !isLength(header)));
    }
  });
});
