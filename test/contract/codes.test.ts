import { afterAll, describe, expect, test } from 'bun:test';
import { sendRaw } from '../support/raw.ts';
import { startServer } from '../support/server.ts';
import { asStats, outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api, key } = await server.account('alice@example.org');
const qr = await api.create();
const authorization = `Authorization: Bearer ${key}`;

describe('an invalid {code} is 404 not_found', () => {
  test.each([
    'a%2Fb',
    `${qr.code}%2F`,
    `${qr.code}%2Fstats`,
    '%2e%2e%2fqrs',
    `${qr.code}%00`,
    `${qr.code}%00.png`,
    '%',
    '%zz',
    '%ff',
    `${qr.code}%20`,
    `${qr.code}%0D%0AX-Injected:%20yes`,
    `${qr.code.slice(1)}`,
    `${qr.code}0`,
    'ilouilou',
    'ünïcödé',
    "'%20OR%201=1--",
    '{code}',
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
      // With its suffix, a segment may be a path that allows other methods only.
      expect([404, 405]).toContain(answer.status);
      if (method === 'GET') expect(answer.status).toBe(404);
      expect(answer.headers.has('x-injected')).toBe(false);
      expect(JSON.parse(answer.text)).toEqual({
        error: { code: expect.any(String), message: expect.any(String) },
      });
    }
  });

  test('and a 404 page as a short link', async () => {
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
    expect((await sendRaw(server.origin, `GET /${upper}`)).status).toBe(302);
  });
});

describe('unreserved characters may be percent-encoded (RFC 3986, 6.2.2.2)', () => {
  test.each([
    [`/${qr.code}%2Epng`, `/${qr.code}.png`],
    [`/${qr.code}%2esv%67`, `/${qr.code}.svg`],
    [`/%${qr.code.charCodeAt(0).toString(16)}${qr.code.slice(1)}.pn%67`, `/${qr.code}.png`],
    [`/${qr.code}/st%61ts`, `/${qr.code}/stats`],
  ])('%s is the same as %s', async (encoded, plain) => {
    for (const method of ['GET', 'HEAD', 'DELETE']) {
      const [one, other] = await Promise.all(
        [encoded, plain].map((path) =>
          sendRaw(server.origin, `${method} /api/v1/qrs${path}`, [authorization]),
        ),
      );
      expect(one?.status).toBe(method === 'DELETE' ? 405 : 200);
      expect(one?.text).toBe(other?.text ?? '');
      for (const name of ['etag', 'content-type', 'allow'])
        expect(one?.headers.get(name)).toBe(other?.headers.get(name) ?? null);
    }
  });

  test('an encoded percent sign is not decoded twice', async () => {
    const path = `/api/v1/qrs/${qr.code}%252Epng`;
    expect((await sendRaw(server.origin, `GET ${path}`, [authorization])).status).toBe(404);
  });
});

test('codes are 8 characters of Crockford base32 in lower case', () => {
  expect(qr.code).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
});
