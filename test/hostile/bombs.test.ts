import { describe, expect, test } from 'bun:test';
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { createPanelClient, signedIn } from '../panel/client.ts';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { errorMessage, outcome } from '../support/wire.ts';

// Security checks 31 and 32 (ASVS 4.2.1, 5.2.1, 15.2.2): nothing is decompressed, and what is too large is rejected
// before it is read.
const server = await sharedServer();
const { api, key } = await server.account();
const { code } = await api.create();
const authorization = `Authorization: Bearer ${key}`;
const good = JSON.stringify({ url: 'https://example.org/packed' });
const lines = ['POST /qrs', `PATCH /qrs/${code}`];
const own = ['Sec-Fetch-Site: same-origin', 'Content-Type: application/x-www-form-urlencoded'];

const megabytesOfZeros = Buffer.alloc(8 * 1024 * 1024);
const fastBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const codings: readonly [name: string, pack: (plain: Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', (plain) => brotliCompressSync(plain, fastBrotli)],
  ['zstd', zstdCompressSync],
];

describe('security check 32: a compressed body is 400 invalid_json, and the message says why', () => {
  test.each(codings)('%s', async (coding, pack) => {
    for (const line of lines)
      for (const plain of [Buffer.from(good), megabytesOfZeros]) {
        const packed = Uint8Array.from(pack(plain)).slice(0, 60_000);
        const answer = await api.call(line, packed, { 'Content-Encoding': coding });
        expect(outcome(answer)).toBe('400 invalid_json');
        expect(errorMessage(answer)).toContain('uncompressed');
      }
  });

  test.each(['gzip', 'gzip, gzip', 'identity, gzip', 'aes128gcm', 'GZIP', 'x', ',', '\x80'])(
    'a body with only the header: Content-Encoding %j',
    async (coding) => {
      const answer = await sendRaw(
        server.origin,
        `PATCH /api/v1/qrs/${code}`,
        [authorization, `Content-Encoding: ${coding}`, `Content-Length: ${good.length}`],
        good,
      );
      expect(outcome(answer)).toBe('400 invalid_json');
    },
  );

  test.each(['identity', 'Identity', ''])('but %j is no compression', async (coding) => {
    const answer = await api.call(`PATCH /qrs/${code}`, good, { 'Content-Encoding': coding });
    expect(outcome(answer)).toBe('200');
  });

  // test/contract/list.test.ts has the JSON that is compressed. It has no secret beside what others could choose.
  test('responses that are no JSON are never compressed', async () => {
    for (const path of ['/docs', '/account', `/api/v1/qrs/${code}.svg`]) {
      const answer = await sendRaw(server.origin, `GET ${path}`, [
        authorization,
        'Accept-Encoding: gzip, br, zstd',
      ]);
      expect(answer.headers.has('content-encoding')).toBe(false);
    }
  });
});

describe('security check 31: limits', () => {
  test('a too large Content-Length is rejected before the body is sent', async () => {
    for (const length of [65_537, 2 ** 31, 2 ** 53 - 1]) {
      const head = `POST /api/v1/qrs HTTP/1.1\r\nHost: x.example\r\n${authorization}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
      const { answers } = await sendBytes(server.origin, `${head}{"url":`);
      const [answer] = answers;
      expect(answer && [length, outcome(answer)]).toEqual([length, '400 invalid_json']);
    }
  });

  const endless = `20000\r\n${'x'.repeat(0x20000)}\r\n`.repeat(40);
  const chunked = 'Transfer-Encoding: chunked';

  test.each(lines)('%s: a too large chunked body is rejected before its end', async (line) => {
    const [method, path] = line.split(' ');
    const target = `${method} /api/v1${path}`;
    const answer = await sendRaw(server.origin, target, [authorization, chunked], endless);
    expect(outcome(answer)).toBe('400 invalid_json');
  });

  test('a too large chunked form is rejected before its end', async () => {
    const target = 'POST /account/sign-in';
    expect((await sendRaw(server.origin, target, [...own, chunked], endless)).status).toBe(413);
  });

  test('a long path is unknown; a longer one, and long headers, are rejected', async () => {
    expect((await sendRaw(server.origin, `GET /${'a'.repeat(12_000)}`)).status).toBe(404);
    expect((await sendRaw(server.origin, `GET /${'a'.repeat(20_000)}`)).status).toBe(431);
    const header = `X: ${'a'.repeat(200_000)}`;
    expect((await sendRaw(server.origin, 'GET /healthz', [header])).status).toBe(431);
    const many = Array.from({ length: 1000 }, (_, index) => `X-${index}: y`);
    expect((await sendRaw(server.origin, 'GET /healthz', many)).status).toBe(431);
  });

  test('a hundred headers of one name, and a thousand ETags, are read', async () => {
    const same = Array.from({ length: 100 }, () => 'If-None-Match: "x"');
    const tags = `If-None-Match: ${'"x",'.repeat(1000)}*`;
    const path = `GET /api/v1/qrs/${code}.svg`;
    expect((await sendRaw(server.origin, path, [authorization, ...same])).status).toBe(200);
    expect((await sendRaw(server.origin, path, [authorization, tags])).status).toBe(304);
  });
});

describe('forms of the panel', () => {
  const site = 'Sec-Fetch-Site: same-origin';
  const multipart = 'Content-Type: multipart/form-data';
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';
  const packed = gzipSync('email=a%40example.org&password=x').toString('latin1');

  // Parsing a million fields would block the thread for half a second.
  test.each<[name: string, statuses: number[], body: string, lines: readonly string[]]>([
    ['a million empty fields', [413], 'a&'.repeat(1_000_000), own],
    ['a million escapes', [413], `email=${'%41'.repeat(1_000_000)}`, own],
    ['fifty thousand parts', [413], part.repeat(50_000), [site, `${multipart}; boundary=b`]],
    ['a compressed form', [400, 422], packed, [...own, 'Content-Encoding: gzip']],
    ['a form without a boundary', [400, 422], 'x', [site, multipart]],
    ['a form of no type', [400, 422], 'email=a', [site]],
    ['JSON', [400, 422], '{"email":"a"}', [site, 'Content-Type: application/json']],
  ])('without a session, %s: %j', async (_, statuses, body, lines) => {
    const head = [...lines, `Content-Length: ${body.length}`];
    const answer = await sendRaw(server.origin, 'POST /account/sign-in', head, body);
    expect(statuses).toContain(answer.status);
  });

  test('with a session, a large form that is not multipart is rejected', async () => {
    const holder = await signedIn(server, 'anna@example.org');
    const cookie = [...holder.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const csrf = await holder.csrf();
    const body = `csrf=${csrf}&url=${encodeURIComponent('https://example.org/')}&${'a&'.repeat(500_000)}`;
    const answer = await sendRaw(
      server.origin,
      'POST /account/codes',
      [...own, `Cookie: ${cookie}`, `Content-Length: ${body.length}`],
      body,
    );
    expect(answer.status).toBe(413);
  });
});

describe('an aborted body', () => {
  const head = (line: string, more: readonly string[]) =>
    `${line} HTTP/1.1\r\nHost: x.example\r\nConnection: close\r\n${more.join('\r\n')}\r\n\r\n`;

  test('creates nothing and is not logged', async () => {
    const { total } = await api.list();
    for (const [line, more] of [
      ['POST /api/v1/qrs', [authorization, 'Content-Length: 1000']],
      [`PATCH /api/v1/qrs/${code}`, [authorization, 'Transfer-Encoding: chunked']],
      ['POST /account/sign-in', [...own, 'Content-Length: 1000']],
    ] as const) {
      const begun = more.at(-1)?.startsWith('Transfer') ? '1e\r\n{"url":' : '{"url":';
      await sendBytes(server.origin, head(line, more) + begun, { end: true });
    }
    expect((await api.list()).total).toBe(total);
    expect(server.problems().filter((line) => !line.includes('sign-in failed'))).toEqual([]);
  });
});

test('afterwards the server works', async () => {
  const page = await createPanelClient(server.origin).get('/account/sign-in');
  expect(page.status).toBe(200);
  expect((await api.read(code)).code).toBe(code);
});
