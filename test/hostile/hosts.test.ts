import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Server, startServer } from '../support/server.ts';
import { asRecord } from '../support/wire.ts';
import { ask, talk } from './talk.ts';

const publicUrl = 'https://qr.example.com';
const body = '{"url":"https://example.org/"}';

// What a client may write where the host belongs: another's, none, and what is none at all. Single
// letters move the place where Elysia would look for the path.
const hosts = [
  'evil.example',
  'evil.example:80',
  'qr.example.com@evil.example',
  'evil.example:80:90',
  'evil.example/x',
  'evil.example#x',
  'evil.example?x',
  'evil.example\\x',
  'qr.example.com, evil.example',
  'a b',
  'h',
  'a.b',
  'h:99999',
  'h:',
  ':80',
  '..',
  '//evil.example',
  '[::1',
  '[::1]',
  '[::1]:x',
  '%00',
  '\xe9',
  '\xff\xfe',
  '',
  'javascript:',
  'localhost',
  '127.0.0.1:1/..',
  'x'.repeat(4000),
];

describe('security check 10 (ASVS 4.1.3): links come from WAYMARK_PUBLIC_URL alone', () => {
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

  const lines = (host: string) => [`Host: ${host}`, `Authorization: Bearer ${key}`];

  describe.each(hosts.map((host) => [host]))('with Host: %j', (host) => {
    test('a QR has the links that it has for everyone', async () => {
      const answer = await ask(server.origin, `GET /api/v1/qrs/${code} HTTP/1.1`, lines(host));
      expect(answer.status).toBe(200);
      expect(asRecord(answer.json)).toMatchObject({
        url: `${publicUrl}/${code}`,
        png: `${publicUrl}/api/v1/qrs/${code}.png`,
        svg: `${publicUrl}/api/v1/qrs/${code}.svg`,
      });
    });

    test('every kind of address is found, and nothing names the host', async () => {
      for (const [target, status] of [
        [`/${code}`, 302],
        ['/zzzzzzzz', 404],
        ['/api/v1/qrs?limit=1', 200],
        [`/api/v1/qrs/${code}.svg`, 200],
        ['/docs', 200],
        ['/docs/json', 200],
        ['/healthz', 200],
        ['/metrics', 200],
        ['/account', 303],
        ['/account/sign-in', 200],
        ['/nothing', 404],
      ] as const) {
        const { raw, answers } = await talk(
          server.origin,
          `GET ${target} HTTP/1.1\r\nConnection: close\r\n${lines(host).join('\r\n')}\r\n\r\n`,
        );
        expect(`${target} ${answers[0]?.status}`).toBe(`${target} ${status}`);
        expect(raw).not.toContain('evil.example');
      }
    });
  });

  test('nor do headers by which a proxy tells of the host', async () => {
    const claims = [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: http',
      'X-Forwarded-Port: 81',
      'X-Forwarded-Prefix: /evil.example',
      'X-Forwarded-Server: evil.example',
      'X-Host: evil.example',
      'X-Original-URL: /evil.example',
      'X-Rewrite-URL: /evil.example',
      'X-HTTP-Host-Override: evil.example',
      'Forwarded: host=evil.example;proto=http',
      'Origin: https://evil.example',
      'Referer: https://evil.example/',
    ];
    const created = await ask(
      server.origin,
      'POST /api/v1/qrs HTTP/1.1',
      [...lines('evil.example'), ...claims, `Content-Length: ${body.length}`],
      body,
    );
    expect(asRecord(created.json).url).toStartWith(`${publicUrl}/`);
    for (const target of ['/account', '/docs', '/nothing', `/${code}`]) {
      const answer = await ask(server.origin, `GET ${target} HTTP/1.1`, claims);
      expect(answer.text + [...answer.headers.values()].join()).not.toContain('evil.example');
    }
  });

  test.each([
    'http://evil.example',
    'https://evil.example:81',
    'HTTP://EVIL.EXAMPLE',
    'http://a@b',
  ])('nor does a whole address as the target: GET %s/…', async (elsewhere) => {
    const target = `${elsewhere}/api/v1/qrs/${code}`;
    const answer = await ask(server.origin, `GET ${target} HTTP/1.1`, lines('qr.example.com'));
    expect(asRecord(answer.json).url).toBe(`${publicUrl}/${code}`);
    const link = await ask(server.origin, `GET ${elsewhere}/${code} HTTP/1.1`);
    expect(link.headers.get('location')).toBe('https://example.org/');
  });

  test('a short host does not move the path: what a proxy keeps shut stays shut', async () => {
    for (const target of ['/x/metrics', '//x/metrics', '/1/healthz', '//evil.example/healthz'])
      for (const host of ['h', 'ab', 'a.b', 'abcd'])
        expect((await ask(server.origin, `GET ${target} HTTP/1.1`, [`Host: ${host}`])).status).toBe(
          404,
        );
  });

  test('HTTP/1.1 without a Host is refused, HTTP/1.0 is answered', async () => {
    const without = await talk(server.origin, 'GET /healthz HTTP/1.1\r\n\r\n');
    expect(without.answers.map(({ status }) => status)).toEqual([400]);
    const old = await talk(server.origin, 'GET /healthz HTTP/1.0\r\n\r\n');
    expect(old.answers.map(({ status }) => status)).toEqual([200]);
  });

  test('two hosts are one wrong host', async () => {
    const answer = await ask(server.origin, `GET /api/v1/qrs/${code} HTTP/1.1`, [
      ...lines('qr.example.com'),
      'Host: evil.example',
    ]);
    expect(asRecord(answer.json).url).toBe(`${publicUrl}/${code}`);
  });

  test('and none of it is a fault of ours', () => {
    expect(server.log()).not.toMatch(/ (warn|error) /);
  });
});
