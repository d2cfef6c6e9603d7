import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';
import { asList, asRecord, asStats } from '../support/wire.ts';

const server = await startServer();
afterAll(server.close);
const { api } = await server.account('alice@example.org');
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

  test('takes links from the configuration, never from the Host header', async () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    const answer = await api.call('POST /qrs', { url: destination }, headers);
    expect(answer.text).not.toContain('evil.example');
  });
});

describe('the other endpoints', () => {
  test('GET /qrs answers the records with total, limit and offset', async () => {
    const created = await api.create();
    const list = asList((await api.call('GET /qrs')).json);
    expect(list).toMatchObject({ limit: 50, offset: 0, total: list.data.length });
    expect(list.data[0]).toEqual(created);
  });

  test('GET /qrs/{code} answers the record, and PATCH the changed one (rule 8)', async () => {
    const created = await api.create();
    const read = await api.call(`GET /qrs/${created.code}`);
    expect([read.status, asRecord(read.json)]).toEqual([200, created]);
    const patched = await api.call(`PATCH /qrs/${created.code}`, { url: destination });
    expect([patched.status, asRecord(patched.json)]).toEqual([200, { ...created, destination }]);
  });

  test('GET /qrs/{code}/stats answers code, scans and last_scan', async () => {
    const { code } = await api.create();
    const { status, json } = await api.call(`GET /qrs/${code}/stats`);
    expect([status, asStats(json)]).toEqual([200, { code, scans: 0, last_scan: null }]);
  });
});

describe('GET /api/v1/qrs/{code}.png and .svg: the images (rule 10)', () => {
  test('answer at the addresses that the record names, as image/png and image/svg+xml', async () => {
    const qr = await api.create();
    for (const [address, type] of [
      [qr.png, 'image/png'],
      [qr.svg, 'image/svg+xml'],
    ] as const) {
      const path = address.replace(`${server.origin}/api/v1`, '');
      const answer = await api.call(`GET ${path}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type);
      expect(answer.bytes.length).toBeGreaterThan(100);
    }
  });
});

describe('all responses are JSON except the images', () => {
  test('with application/json as their content type', async () => {
    const { code } = await api.create();
    for (const line of ['GET /qrs', `GET /qrs/${code}`, `GET /qrs/${code}/stats`]) {
      const answer = await api.call(line);
      expect(answer.headers.get('content-type')).toStartWith('application/json');
    }
  });
});
