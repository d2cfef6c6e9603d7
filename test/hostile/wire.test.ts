import { describe, expect, test } from 'bun:test';
import { sendBytes } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

// Request smuggling and invalid HTTP (ASVS 4.2.1): ambiguous requests are rejected and their connection is closed.
const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create('https://example.org/start');

const body = '{"url":"https://example.org/sent"}';
const size = body.length.toString(16);
const inChunks = `${size}\r\n${body}\r\n0\r\n\r\n`;
/** Would be answered with 302 if it were read as a request. */
const smuggled = `GET /${code} HTTP/1.1\r\nHost: x.example\r\n\r\n`;

const get = (lines: string) => `GET /healthz HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`;
const patch = (lines: string, sent: string) =>
  `PATCH /api/v1/qrs/${code} HTTP/1.1\r\nHost: x.example\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${lines}\r\n${sent}`;
const statuses = async (bytes: string, end = false) =>
  (await sendBytes(server.origin, bytes, { end })).answers.map(({ status }) => status);

describe('an ambiguous body length is 400, and the bytes after it are not read as a request', () => {
  test.each([
    ['a length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`, inChunks],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n`, inChunks],
    ['two lengths', `Content-Length: ${body.length}\r\nContent-Length: 5\r\n`, body],
    ['a list of lengths', `Content-Length: ${body.length}, ${body.length}\r\n`, body],
    ['a length with a sign', `Content-Length: +${body.length}\r\n`, body],
    ['a negative length', 'Content-Length: -1\r\n', body],
    ['a hexadecimal length', `Content-Length: 0x${size}\r\n`, body],
    ['a length with an exponent', 'Content-Length: 1e2\r\n', body],
    ['a length beyond 64 bits', 'Content-Length: 18446744073709551650\r\n', body],
    ['no length where one is named', 'Content-Length: \r\n', body],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', inChunks],
    ['a coding behind chunks', 'Transfer-Encoding: chunked, identity\r\n', inChunks],
    ['chunks twice', 'Transfer-Encoding: chunked, chunked\r\n', inChunks],
    [
      'chunks in two lines',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n',
      inChunks,
    ],
    ['chunks behind a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n', inChunks],
    ['no coding where one is named', 'Transfer-Encoding: \r\n', inChunks],
    ['a blank before the colon', 'Transfer-Encoding : chunked\r\n', inChunks],
    ['a folded line', 'X: y\r\n Transfer-Encoding: chunked\r\n', inChunks],
  ])('%s', async (_, lines, sent) => {
    expect(await statuses(patch(lines, sent + smuggled))).toEqual([400]);
    expect((await api.read(code)).destination).toBe('https://example.org/start');
  });

  test('the same length twice is valid (RFC 9110, 8.6)', async () => {
    const twice = `Content-Length: ${body.length}\r\n`.repeat(2);
    expect(await statuses(patch(twice, body + smuggled))).toEqual([200]);
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.org/start' });
  });
});

describe('invalid chunks are 400', () => {
  const chunked = (sent: string) => patch('Transfer-Encoding: chunked\r\n', sent);

  test.each([
    ['a size with 0x', `0x${inChunks}`],
    ['a size beyond 64 bits', `fffffffffffffffff${inChunks}`],
    ['no size', `\r\n${body}\r\n0\r\n\r\n`],
    ['bare line feeds', `${size}\n${body}\n0\n\n`],
    ['no end of a chunk', `${size}\r\n${body}0\r\n\r\n`],
    ['a size that is too small', `5\r\n${body}\r\n0\r\n\r\n`],
    ['a blank in front of the size', ` ${inChunks}`],
    ['an extension with a bare line feed', `${size};\n${body}\r\n0\r\n\r\n`],
  ])('%s', async (_, sent) => {
    const answered = await statuses(chunked(sent + smuggled));
    expect(answered).toEqual([400]);
    expect((await api.read(code)).destination).toBe('https://example.org/start');
  });

  // Bun accepts the chunks and rejects the trailer, often before there is a response (oven-sh/bun#32887). A proxy would
  // not forward it.
  test('a trailer is not read as a request', async () => {
    const request = `GET /${code} HTTP/1.1\r\nHost: x.example`;
    for (const field of ['X-Late: y', 'Content-Length: 5', `X:${request}`, `XX${request}`]) {
      const trailing = `${size}\r\n${body}\r\n0\r\n${field}\r\n\r\n`;
      const answered = await statuses(chunked(trailing));
      expect(answered).not.toContain(302);
      expect(answered.length).toBeGreaterThan(0);
    }
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.org/start' });
  });

  test('a chunk extension is ignored (RFC 9112, 7.1.1)', async () => {
    expect(await statuses(chunked(`${size};name=value\r\n${body}\r\n0\r\n\r\n`))).toEqual([200]);
    await api.call(`PATCH /qrs/${code}`, { url: 'https://example.org/start' });
  });
});

test.each([
  ['a folded header', get('Host: x.example\r\nX: a\r\n b\r\n')],
  ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: x.example\n\n'],
  ['a bare line feed among the headers', get('Host: x.example\nX: y\r\n')],
  ['a bare carriage return', get('Host: x.example\r\nX: a\rY: b\r\n')],
  ['a NUL', get('Host: x.example\r\nX: a\0b\r\n')],
  ['a control character', get('Host: x.example\r\nX: a\x01b\r\n')],
  ['a header without a colon', get('Host: x.example\r\nfoo\r\n')],
  ['a blank line in front', `\r\n${get('Host: x.example\r\n')}`],
  ['no Host', get('')],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nHost: x.example\r\n\r\n'],
  ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS handshake', '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03'],
  ['a target with a blank', 'GET /a b HTTP/1.1\r\nHost: x.example\r\n\r\n'],
  ['a target with a NUL', 'GET /a\0b HTTP/1.1\r\nHost: x.example\r\n\r\n'],
  ['a target without a slash', 'GET healthz HTTP/1.1\r\nHost: x.example\r\n\r\n'],
  ['another scheme', 'GET ftp://x.example/healthz HTTP/1.1\r\nHost: x.example\r\n\r\n'],
  ['a script', 'GET javascript:alert(1) HTTP/1.1\r\nHost: x.example\r\n\r\n'],
  ['a star', 'OPTIONS * HTTP/1.1\r\nHost: x.example\r\n\r\n'],
])('invalid lines are rejected without a body: %s', async (_, bytes) => {
  const { answers } = await sendBytes(server.origin, bytes);
  expect(answers.map(({ text }) => text)).toEqual(['']);
  expect([400, 505]).toContain(answers[0]?.status ?? 0);
});

test.each([
  ['a head of more than 16 kB', get(`Host: x.example\r\nX: ${'y'.repeat(17_000)}\r\n`)],
  ['a target of more than 16 kB', `GET /${'y'.repeat(17_000)} HTTP/1.1\r\n\r\n`],
  ['more than 190 headers', get(`Host: x.example\r\n${'X: y\r\n'.repeat(200)}`)],
])('%s is 431 without a body', async (_, bytes) => {
  const { answers } = await sendBytes(server.origin, bytes);
  expect(answers.map(({ status, text }) => [status, text])).toEqual([[431, '']]);
});

test('190 headers and 16,000 bytes are accepted', async () => {
  expect(await statuses(get(`Host: x.example\r\n${'X: y\r\n'.repeat(188)}`))).toEqual([200]);
  expect(await statuses(get(`Host: x.example\r\nX: ${'y'.repeat(15_900)}\r\n`))).toEqual([200]);
});

describe('unusual but valid requests are answered', () => {
  test('Expect: 100-continue is answered before the body', async () => {
    const lines = `Expect: 100-continue\r\nContent-Length: ${body.length}\r\n`;
    const { raw, answers } = await sendBytes(server.origin, patch(lines, body));
    expect(raw).toStartWith('HTTP/1.1 100 Continue\r\n\r\n');
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test.each(['100-Continue', '100-CONTINUE', '100-continue, x', 'x'])(
    'Expect: %s is 417 at once, and its body is not read as a request',
    async (expectation) => {
      const lines = `Expect: ${expectation}\r\nContent-Length: ${smuggled.length}\r\n`;
      for (const sent of ['', smuggled]) expect(await statuses(patch(lines, sent))).toEqual([417]);
      const invalid = patch(lines, '').replace('PATCH', 'POST').replace(`/${code}`, '');
      const { answers } = await sendBytes(server.origin, invalid);
      expect(answers.map(outcome)).toEqual(['417 expectation_failed']);
      const elsewhere = patch(lines, '').replace('/api/v1/qrs', '');
      const [answer] = (await sendBytes(server.origin, elsewhere)).answers;
      expect([answer?.status, answer?.headers.get('content-type')]).toEqual([
        417,
        'text/plain; charset=utf-8',
      ]);
    },
  );

  test('every response has one Date, also to HEAD (RFC 9110, 6.6.1)', async () => {
    for (const [line, status] of [
      [`HEAD /${code}`, 302],
      ['HEAD /zzzzzzzz', 404],
      ['HEAD /', 200],
      ['HEAD /healthz', 200],
      ['HEAD /docs/', 308],
      ['HEAD /account', 303],
      ['HEAD /api/v1/qrs', 401],
      [`HEAD /api/v1/qrs/${code}.png`, 200],
      [`HEAD /api/v1/qrs/${code}.svg`, 304],
      [`GET /api/v1/qrs/${code}.svg`, 304],
      [`GET /${code}`, 302],
      ['POST /', 404],
    ] as const) {
      const lines =
        status === 401
          ? ''
          : `Authorization: Bearer ${key}\r\nIf-None-Match: ${status === 304 ? '*' : '"x"'}\r\n`;
      const head = `${line} HTTP/1.1\r\nHost: x.example\r\n${lines}Connection: close\r\n\r\n`;
      const { raw, answers } = await sendBytes(server.origin, head);
      expect([line, ...answers.map((answer) => answer.status)]).toEqual([line, status]);
      const dates = [...raw.matchAll(/^date: (.*)\r$/gim)].map(([, date = '']) => date);
      expect(dates).toHaveLength(1);
      expect(Math.abs(Date.parse(dates[0] ?? '') - Date.now())).toBeLessThan(60_000);
    }
  });

  test('HTTP/1.0 is answered and closed', async () => {
    expect(await statuses(`GET /${code} HTTP/1.0\r\n\r\n`)).toEqual([302]);
  });

  test('the body of a GET is not read as a request', async () => {
    const lines = `Host: x.example\r\nContent-Length: ${smuggled.length}\r\n`;
    expect(await statuses(get(lines) + smuggled)).toEqual([200]);
  });

  test('an upgrade is ignored', async () => {
    for (const protocol of ['h2c', 'websocket', 'TLS/1.0'])
      expect(
        await statuses(
          `GET /healthz HTTP/1.1\r\nHost: x.example\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
        ),
      ).toEqual([200]);
  });

  // Bun may close a connection with pipelined requests (oven-sh/bun#38128); clients must retry (RFC 9112, 9.3.2).
  test('pipelined requests are answered in order', async () => {
    const paths = ['/healthz', `/${code}`, '/docs/start.js', `/${code}`, '/zzzzzzzz'];
    const all = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x.example\r\n\r\n`).join('');
    const answered = await statuses(`${all}${get('Host: x.example\r\n')}`);
    expect([200, 302, 200, 302, 404, 200].slice(0, answered.length)).toEqual(answered);
  });
});

test('nothing is logged, and the server works', async () => {
  expect(server.problems()).toEqual([]);
  expect((await api.list()).total).toBe(1);
});
