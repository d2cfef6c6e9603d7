import { describe, expect, test } from 'bun:test';
import { sharedServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asStats } from '../support/wire.ts';

const server = await sharedServer();
const { api } = await server.account();
const destination = 'https://example.org/menu?table=7#top';
const { code, url } = await api.create(destination);

const scans = async () => asStats((await api.call(`GET /qrs/${code}/stats`)).json).scans;

describe('the short link redirects to the destination', () => {
  test.each(['GET', 'HEAD'] as const)('%s: 302 with its headers', async (method) => {
    const { status, to, headers, body } = await visit(url, {}, method);
    expect(status).toBe(302);
    expect(to).toBe(destination);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.has('set-cookie')).toBe(false);
    if (method === 'HEAD') expect(body).toBe('');
  });

  test('a query on the short link leaves the destination unchanged', async () => {
    for (const suffix of ['?utm_source=poster', '?', '?x=%0d%0aSet-Cookie:%20a=b'])
      expect((await visit(url + suffix)).to).toBe(destination);
  });

  test('without regard to case', async () => {
    const answer = await visit(url.replace(code, code.toUpperCase()));
    expect([answer.status, answer.to]).toEqual([302, destination]);
  });

  test('needs no key and ignores a wrong one', async () => {
    expect((await visit(url, { Authorization: 'Bearer nonsense' })).status).toBe(302);
  });

  test('an unknown code: a small 404 page', async () => {
    for (const path of ['zzzzzzzz', 'ZZZZZZZZ', 'nothing', 'il0o']) {
      const { status, headers, body } = await visit(`${server.origin}/${path}`);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toStartWith('text/html');
      expect(body.length).toBeGreaterThan(0);
      expect(body.length).toBeLessThan(10_000);
    }
  });
});

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
// test/redirect/agents.test.ts has the user agents.
describe('GET counts', () => {
  test.each([phone, 'curl/8.14.1', '', 'x'.repeat(4000)])('by %.40s', async (agent) => {
    const before = await scans();
    expect((await visit(url, { 'User-Agent': agent })).status).toBe(302);
    expect(await scans()).toBe(before + 1);
  });

  test('with a query, in capitals, and of a navigation', async () => {
    const before = await scans();
    await visit(`${url}?x=1`);
    await visit(url.replace(code, code.toUpperCase()));
    await visit(url, { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' });
    expect(await scans()).toBe(before + 3);
  });
});

describe('redirected but not counted', () => {
  test.each<[string, Record<string, string>, 'GET' | 'HEAD']>([
    ['HEAD', { 'User-Agent': phone }, 'HEAD'],
    ['a prefetch', { 'User-Agent': phone, 'Sec-Purpose': 'prefetch' }, 'GET'],
    ['an older prefetch', { 'User-Agent': phone, Purpose: 'prefetch' }, 'GET'],
    ['a previewer', { 'User-Agent': 'WhatsApp/2.25.1 A' }, 'GET'],
    ['a crawler', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }, 'GET'],
  ])('%s', async (_name, headers, method) => {
    const before = await scans();
    const answer = await visit(url, headers, method);
    expect([answer.status, answer.to]).toEqual([302, destination]);
    expect(await scans()).toBe(before);
  });

  test('an unknown code, the record and its images', async () => {
    const before = await scans();
    await visit(`${server.origin}/zzzzzzzz`);
    for (const path of [code, `${code}.png`, `${code}.svg`]) await api.call(`GET /qrs/${path}`);
    expect(await scans()).toBe(before);
  });
});

describe('the number of scans and the time of the last one', () => {
  test('appear at once in stats, record and list', async () => {
    const qr = await api.create();
    for (let scan = 1; scan <= 3; scan++) {
      const beforeMs = Date.now();
      await visit(qr.url);
      const record = await api.read(qr.code);
      expect(record.scans).toBe(scan);
      const lastMs = Date.parse(record.last_scan ?? '');
      // A timestamp may be cut to whole seconds.
      expect(lastMs).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1000) * 1000);
      expect(lastMs).toBeLessThanOrEqual(Date.now());
      const stats = asStats((await api.call(`GET /qrs/${qr.code}/stats`)).json);
      expect(stats).toEqual({ code: qr.code, scans: scan, last_scan: record.last_scan });
      expect((await api.list('?limit=1')).data[0]).toEqual(record);
    }
  });

  test('count 200 concurrent requests', async () => {
    const qr = await api.create();
    await Promise.all(Array.from({ length: 200 }, () => visit(qr.url)));
    expect((await api.read(qr.code)).scans).toBe(200);
  });

  test('belong to one QR and survive PATCH', async () => {
    const [one, other] = [await api.create(), await api.create()];
    await visit(one.url);
    await api.call(`PATCH /qrs/${one.code}`, { url: destination });
    expect((await api.read(one.code)).scans).toBe(1);
    expect((await api.read(other.code)).scans).toBe(0);
  });
});
