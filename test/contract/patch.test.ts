import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { visit } from '../support/visit.ts';
import { asRecord } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
const old = 'https://example.org/old';
const next = 'https://example.org/new?x=1';

describe('PATCH replaces destination and leaves code, url and the images unchanged', () => {
  test('the short link redirects to the new destination at once', async () => {
    const qr = await api.create(old);
    for (const url of [next, old, next, old, next]) {
      await api.call(`PATCH /qrs/${qr.code}`, { url });
      expect((await visit(qr.url)).to).toBe(url);
    }
  });

  test('returns the whole record, in which only the destination differs', async () => {
    const qr = await api.create(old);
    await visit(qr.url);
    const before = await api.read(qr.code);
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: next });
    expect(answer.status).toBe(200);
    expect(asRecord(answer.json)).toEqual({ ...before, destination: next });
    expect(await api.read(qr.code)).toEqual({ ...before, destination: next });
    expect((await api.list()).data[0]).toEqual({ ...before, destination: next });
  });

  test('both images are the same to the byte, and so are their ETags', async () => {
    const { code } = await api.create(old);
    for (const image of [`${code}.png`, `${code}.svg`, `${code}.png?size=300`]) {
      const before = await api.call(`GET /qrs/${image}`);
      await api.call(`PATCH /qrs/${code}`, { url: `${next}&image=${image}` });
      const after = await api.call(`GET /qrs/${image}`);
      expect(after.bytes).toEqual(before.bytes);
      expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    }
  });

  test('the same destination again changes nothing', async () => {
    const qr = await api.create(old);
    const answer = await api.call(`PATCH /qrs/${qr.code}`, { url: old });
    expect(answer.status).toBe(200);
    expect(asRecord(answer.json)).toEqual(qr);
  });

  test('ignores all other fields of the body', async () => {
    const qr = await api.create(old);
    const answer = await api.call(`PATCH /qrs/${qr.code}`, {
      ...qr,
      url: next,
      code: 'zzzzzzzz',
      destination: 'https://example.org/other',
      scans: 99,
      status: 'blocked',
      created_at: '2001-01-01T00:00:00Z',
    });
    expect(asRecord(answer.json)).toEqual({ ...qr, destination: next });
  });
});
