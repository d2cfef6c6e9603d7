import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asList, asRecord, asStats } from '../support/wire.ts';

const server = await sharedServer();
const { api } = await server.account();
const destination = 'https://example.org/menu?table=7#top';

describe('POST /api/v1/qrs: creates a dynamic QR (rule 1)', () => {
  test('answers 201 with the twelve fields of a new QR', async () => {
    const beforeMs = Date.now();
    const answer = await api.call('POST /qrs', { url: destination });
    expect(answer.status).toBe(201);
    const qr = asRecord(answer.json);
    expect(qr).toEqual({
      code: qr.code,
      url: `${server.origin}/${qr.code}`,
      destination,
      status: 'active',
      scans: 0,
      last_scan: null,
      created_at: qr.created_at,
      kind: 'qr',
      mode: 'dynamic',
      has_design: true,
      png: `${server.origin}/api/v1/qrs/${qr.code}.png`,
      svg: `${server.origin}/api/v1/qrs/${qr.code}.svg`,
    });
    const createdMs = Date.parse(qr.created_at);
    expect(createdMs).toBeGreaterThanOrEqual(beforeMs - 1000);
    expect(createdMs).toBeLessThanOrEqual(Date.now());
  });

  test('gives every QR a code of its own, also for one destination', async () => {
    const qrs = await Promise.all(Array.from({ length: 5 }, () => api.create(destination)));
    expect(new Set(qrs.map(({ code }) => code)).size).toBe(5);
  });
});

describe('PATCH /api/v1/qrs/{code} replaces the destination', () => {
  test('at once: the short link redirects to the new one', async () => {
    const qr = await api.create();
    for (const url of [destination, qr.destination, destination]) {
      await api.call(`PATCH /qrs/${qr.code}`, { url });
      expect((await visit(qr.url)).to).toBe(url);
    }
  });

  test('and returns the whole record, in which nothing else differs (rule 8)', async () => {
    const qr = await api.create();
    await visit(qr.url);
    const before = await api.read(qr.code);
    for (const url of [destination, destination]) {
      const { status, json } = await api.call(`PATCH /qrs/${qr.code}`, { url });
      expect([status, asRecord(json)]).toEqual([200, { ...before, destination }]);
    }
    expect(await api.read(qr.code)).toEqual({ ...before, destination });
    expect((await api.list()).data[0]).toEqual({ ...before, destination });
  });
});

test.each([
  ['', 'application/json', asList],
  ['/{code}', 'application/json', asRecord],
  ['/{code}/stats', 'application/json', asStats],
  ['/{code}.png', 'image/png', undefined],
  ['/{code}.svg', 'image/svg+xml', undefined],
])('GET /qrs%s answers %s (rule 10)', async (path, type, parse) => {
  const { code } = await api.create();
  const { status, headers, json } = await api.call(`GET /qrs${path.replace('{code}', code)}`);
  expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
  parse?.(json);
});

describe('X-Request-Id', () => {
  const idOf = async (address: string, headers: Record<string, string> = {}) =>
    (await visit(address, headers)).headers.get('x-request-id');

  test('every response of the API, the panel and the pages has a unique one', async () => {
    const paths = ['/api/v1/qrs', '/account', '/account/no-such', '/docs', '/healthz', '/nowhere'];
    const addresses = [...paths, ...paths].map((path) => server.origin + path);
    const ids = await Promise.all(addresses.map((address) => idOf(address)));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('one from the client is ignored', async () => {
    const headers = { 'X-Request-Id': 'chosen-by-a-stranger' };
    expect(await idOf(`${server.origin}/api/v1/qrs`, headers)).toMatch(/^[0-9a-f]{16}$/);
  });

  test('a redirect has none, since it is not logged', async () => {
    expect(await idOf((await api.create()).url)).toBeNull();
  });
});
