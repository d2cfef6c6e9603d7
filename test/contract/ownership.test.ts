import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { outcome } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const alice = await server.account('alice@example.org');
const mallory = await server.account('mallory@example.org');
const qr = await alice.api.create('https://example.org/hers');
const missing = qr.code === 'zzzzzzzz' ? 'yyyyyyyy' : 'zzzzzzzz';

describe('{code} does not exist or belongs to another account: 404 not_found (rule 6)', () => {
  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['GET', '/stats'],
    ['GET', '.png'],
    ['GET', '.png?size=300'],
    ['GET', '.svg'],
    ['HEAD', ''],
    ['HEAD', '.png'],
  ])('%s /qrs/{code}%s returns the same for both', async (method, suffix) => {
    const body = method === 'PATCH' ? { url: 'https://evil.example/' } : undefined;
    const foreign = await mallory.api.call(`${method} /qrs/${qr.code}${suffix}`, body);
    const absent = await mallory.api.call(`${method} /qrs/${missing}${suffix}`, body);
    expect(foreign.status).toBe(404);
    if (method !== 'HEAD') expect(outcome(foreign)).toBe('404 not_found');
    expect(foreign.text).toBe(absent.text);
    expect([...foreign.headers.keys()]).toEqual([...absent.headers.keys()]);
  });

  test('the QR is unchanged and in no other list', async () => {
    expect(await alice.api.read(qr.code)).toEqual(qr);
    expect(await mallory.api.list()).toMatchObject({ data: [], total: 0 });
  });

  test('also with the ETag of the image', async () => {
    const own = await alice.api.call(`GET /qrs/${qr.code}.png`);
    const headers = { 'If-None-Match': own.headers.get('etag') ?? '' };
    const foreign = await mallory.api.call(`GET /qrs/${qr.code}.png`, undefined, headers);
    expect(outcome(foreign)).toBe('404 not_found');
  });
});
