import { afterAll, describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { asStats, outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const qr = await api.create();
const authorization = `Authorization: Bearer ${key}`;

describe('a {code} that cannot be one is 404 not_found', () => {
  test.each([
    'a%2Fb',
    `${qr.code}%2F`,
    `%2F${qr.code}`,
    `${qr.code}%2Fstats`,
    '%2e%2e%2fqrs',
    '%2E',
    '%2e%2e%5c',
    'x.',
    '.x',
    `${qr.code}.`,
    `${qr.code}..png`,
    `${qr.code}%00`,
    `${qr.code}%00.png`,
    '%00',
    '%',
    '%%',
    '%2',
    '%zz',
    '%ff',
    '%E0%A4%A',
    `${qr.code}%`,
    `${qr.code}%20`,
    `%20${qr.code}`,
    `${qr.code}%0a`,
    `${qr.code}%0D%0AX-Injected:%20yes`,
    `${qr.code};x=1`,
    `${qr.code},${qr.code}`,
    `${qr.code.slice(1)}`,
    `${qr.code}0`,
    'ilouilou',
    '%D9%A1%D9%A1',
    'ünïcödé',
    "'%20OR%201=1--",
    '__proto__',
    'constructor',
    'null',
    'undefined',
    '-1',
    '0',
    '*',
    '{code}',
    ':code',
    'a'.repeat(7000),
  ])('%s', async (segment) => {
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/stats'],
      ['GET', '.png'],
      ['GET', '.svg'],
      ['PATCH', ''],
    ]) {
      const body = method === 'PATCH' ? '{"url":"https://example.org/"}' : '';
      const lines = [authorization, `Content-Length: ${body.length}`];
      const target = `/api/v1/qrs/${segment}${suffix}`;
      const answer = await sendRaw(server.origin, `${method} ${target}`, lines, body);
      // Two suffixes make another path of some segments, and that one may know another method only.
      expect([404, 405]).toContain(answer.status);
      if (method === 'GET') expect(answer.status).toBe(404);
      expect(answer.headers.has('x-injected')).toBe(false);
      expect(JSON.parse(answer.body)).toEqual({
        error: { code: expect.any(String), message: expect.any(String) },
      });
    }
  });

  test('and as a short link a small 404 page', async () => {
    for (const segment of ['%00', '%', '%zz', '%ff', `${qr.code}%2F`, `${qr.code}.`, 'ünï'])
      expect((await sendRaw(server.origin, `GET /${segment}`)).status).toBe(404);
  });
});

describe('codes are looked up without regard to case', () => {
  const upper = qr.code.toUpperCase();

  test('on every operation', async () => {
    expect(await api.read(upper)).toEqual(qr);
    expect(asStats((await api.call(`GET /qrs/${upper}/stats`)).json).code).toBe(qr.code);
    for (const image of ['png', 'svg']) {
      const lower = await api.call(`GET /qrs/${qr.code}.${image}`);
      expect((await api.call(`GET /qrs/${upper}.${image}`)).bytes).toEqual(lower.bytes);
    }
    const patched = await api.call(`PATCH /qrs/${upper}`, { url: 'https://example.org/upper' });
    expect(outcome(patched)).toBe('200');
    expect((await api.read(qr.code)).destination).toBe('https://example.org/upper');
  });

  test('and on the short link', async () => {
    const answer = await sendRaw(server.origin, `GET /${upper}`);
    expect(answer.status).toBe(302);
  });
});

describe('what means the same with percent signs and without (RFC 3986, 6.2.2.2)', () => {
  test.each([
    [`/${qr.code}%2Epng`, `/${qr.code}.png`],
    [`/${qr.code}%2esv%67`, `/${qr.code}.svg`],
    [`/%${qr.code.charCodeAt(0).toString(16)}${qr.code.slice(1)}.pn%67`, `/${qr.code}.png`],
    [`/${qr.code}/st%61ts`, `/${qr.code}/stats`],
  ])('%s is answered as %s', async (encoded, plain) => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const [one, other] = await Promise.all(
        [encoded, plain].map((path) =>
          sendRaw(server.origin, `${method} /api/v1/qrs${path}`, [authorization]),
        ),
      );
      expect(one?.status).toBe(method === 'DELETE' ? 405 : 200);
      expect(one?.body).toBe(other?.body ?? '');
      for (const name of ['etag', 'content-type', 'allow'])
        expect(one?.headers.get(name)).toBe(other?.headers.get(name) ?? null);
    }
  });

  test('a percent sign that stands for itself is not taken for another', async () => {
    const path = `/api/v1/qrs/${qr.code}%252Epng`;
    expect((await sendRaw(server.origin, `GET ${path}`, [authorization])).status).toBe(404);
  });
});

describe('codes are 8 characters of Crockford base32 in lower case', () => {
  test('and 40 of them have no two alike and use the whole alphabet’s breadth', async () => {
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => (await api.create()).code),
    );
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
    expect(new Set(codes).size).toBe(40);
    // 320 random characters out of 32: fewer than 24 kinds would be a broken source.
    expect(new Set(codes.join('')).size).toBeGreaterThan(24);
  });
});
