import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sendBytes, sendRaw } from '../support/raw.ts';
import { type Server, startServer } from '../support/server.ts';
import { asEnvelope, asRecord } from '../support/wire.ts';

// Security check 10 (ASVS 4.1.3): links come from WAYMARK_PUBLIC_URL, never from the request.
const publicUrl = 'https://qr.example.com';

// Foreign and empty hosts. Short ones shift the index at which Elysia expects the path.
const hosts = [
  'evil.example',
  'evil.example:80',
  'h',
  'a.b',
  'a_b:1',
  'h:99999',
  ':80',
  '..',
  '[::1]:8080',
  '%00',
  '',
  'javascript:',
  'x'.repeat(4000),
];

// RFC 9112, 3.2 asks for 400.
const invalidHosts = [
  'qr.example.com@evil.example',
  'evil.example/x',
  'evil.example?x',
  'evil.example#x',
  'evil.example\\x',
  'qr.example.com, evil.example',
  'a b',
  'a\tb',
  '<evil.example>',
  '"evil.example"',
  '//evil.example',
  'h:80:80',
  'h:x',
  '[::1',
  '[::1]:x',
  '[evil.example]',
  '\xff\xfe',
];

const claims = [
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: http',
  'X-Forwarded-Port: 81',
  'X-Forwarded-Prefix: /evil.example',
  'X-Host: evil.example',
  'X-Original-URL: /evil.example',
  'X-Rewrite-URL: /evil.example',
  'Forwarded: host=evil.example;proto=http',
  'Origin: https://evil.example',
  'Referer: https://evil.example/',
];

let server: Server;
let key: string;
let code: string;
beforeAll(async () => {
  server = await startServer({ WAYMARK_PUBLIC_URL: publicUrl });
  const holder = await server.account('alice@example.org');
  key = holder.key;
  code = (await holder.api.create()).code;
});
afterAll(() => server.close());

const withHost = (host: string) => [`Host: ${host}`, `Authorization: Bearer ${key}`];

test.each(hosts)('with Host: %j every path works and no response names the host', async (host) => {
  const record = await sendRaw(server.origin, `GET /api/v1/qrs/${code}`, withHost(host));
  expect(asRecord(record.json)).toMatchObject({
    url: `${publicUrl}/${code}`,
    png: `${publicUrl}/api/v1/qrs/${code}.png`,
    svg: `${publicUrl}/api/v1/qrs/${code}.svg`,
  });
  for (const [target, status] of [
    [`/${code}`, 302],
    ['/zzzzzzzz', 404],
    [`/api/v1/qrs/${code}.svg`, 200],
    ['/docs', 200],
    ['/docs/json', 200],
    ['/healthz', 200],
    ['/metrics', 200],
    ['/account', 303],
    ['/account/sign-in', 200],
    ['/nothing', 404],
  ] as const) {
    const head = `GET ${target} HTTP/1.1\r\nConnection: close\r\n${withHost(host).join('\r\n')}`;
    const { raw, answers } = await sendBytes(server.origin, `${head}\r\n\r\n`);
    expect(`${target} ${answers[0]?.status}`).toBe(`${target} ${status}`);
    expect(raw).not.toContain('evil.example');
  }
});

describe('links do not come from', () => {
  test('headers of proxies', async () => {
    const body = '{"url":"https://example.org/"}';
    const created = await sendRaw(
      server.origin,
      'POST /api/v1/qrs',
      [...withHost('evil.example'), ...claims, `Content-Length: ${body.length}`],
      body,
    );
    expect(asRecord(created.json).url).toStartWith(`${publicUrl}/`);
    for (const target of ['/account', '/docs', '/nothing', `/${code}`]) {
      const answer = await sendRaw(server.origin, `GET ${target}`, claims);
      expect(answer.text + [...answer.headers.values()].join()).not.toContain('evil.example');
    }
  });

  test.each(['http://evil.example', 'https://evil.example:81', 'http://a@b'])(
    'a target in absolute form: %s',
    async (origin) => {
      const target = `${origin}/api/v1/qrs/${code}`;
      const record = await sendRaw(server.origin, `GET ${target}`, withHost('evil.example'));
      expect(asRecord(record.json).url).toBe(`${publicUrl}/${code}`);
      const link = await sendRaw(server.origin, `GET ${origin}/${code}`);
      expect(link.headers.get('location')).toBe('https://example.org/');
    },
  );
});

describe('an invalid Host header is 400 on every path, and its connection is closed', () => {
  const rejected = async (lines: readonly string[]) => {
    const { scans } = await server.api(key).read(code);
    for (const line of [
      `GET /${code}`,
      `POST /${code}`,
      'GET /api/v1/qrs',
      'GET /healthz',
      'GET /account',
    ]) {
      const head = [`${line} HTTP/1.1`, ...lines].join('\r\n');
      const { raw, answers } = await sendBytes(server.origin, `${head}\r\n\r\n`);
      expect(`${line} ${answers.map(({ status }) => status)}`).toBe(`${line} 400`);
      if (line.includes('/api/')) {
        const [answer] = answers;
        if (answer === undefined) throw new Error(raw);
        expect(asEnvelope(answer).code).toBe('invalid_request');
      }
      expect(raw).not.toContain('evil.example');
    }
    expect((await server.api(key).read(code)).scans).toBe(scans);
  };

  test.each(invalidHosts)('%j', (host) => rejected([`Host: ${host}`]));

  test.each([
    [['Host: qr.example.com', 'Host: evil.example']],
    [['Host: qr.example.com', 'Host: qr.example.com']],
    [['Host: qr.example.com', 'X: y', 'host: qr.example.com']],
    [['Host: qr.example.com', 'Host:']],
  ])('twice: %j', (lines) => rejected(lines));
});

test('a short host does not shift the path, so paths that a proxy blocks stay blocked', async () => {
  for (const target of ['/x/metrics', '//x/metrics', '/1/healthz', '//evil.example/healthz'])
    for (const host of ['h', 'ab', 'a.b', 'abcd']) {
      const answer = await sendRaw(server.origin, `GET ${target}`, [`Host: ${host}`]);
      expect(answer.status).toBe(404);
    }
});

test('nothing is logged', () => {
  expect(server.problems()).toEqual([]);
});
