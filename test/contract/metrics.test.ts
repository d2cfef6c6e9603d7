import { afterAll, describe, expect, test } from 'bun:test';
import { startServer } from '../support/server.ts';

const server = await startServer({ WAYMARK_RATE_LIMIT: '20' });
afterAll(server.close);
const { api, email, key } = await server.account('alice@example.org');
const qr = await api.create('https://example.org/secret-destination');

async function metrics() {
  const response = await fetch(`${server.origin}/metrics`);
  const text = await response.text();
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    // The text format: a name, labels in braces, a number.
    const [, name = '', value] =
      /^([a-z_]+(?:\{[a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*\})?) (-?[\d.e+-]+)$/.exec(line) ??
      [];
    expect([line, value]).not.toEqual([line, undefined]);
    samples.set(name, Number(value));
  }
  return { response, text, get: (name: string) => samples.get(name) ?? 0 };
}

const visit = (code: string, method = 'GET') =>
  fetch(`${server.origin}/${code}`, { method, redirect: 'manual' });

describe('/metrics', () => {
  test('counts responses', async () => {
    const before = await metrics();
    for (let turn = 0; turn < 3; turn++) await visit(qr.code);
    await visit(qr.code, 'HEAD');
    await visit('00000000');
    await api.read(qr.code);
    await fetch(`${server.origin}/api/v1/qrs`);
    await fetch(`${server.origin}/nowhere/at/all`);
    const after = await metrics();
    const grown = (name: string) => after.get(name) - before.get(name);
    expect(grown('waymark_redirects_total')).toBe(4);
    expect(grown('waymark_scans_committed_total')).toBe(4);
    expect(grown('waymark_http_requests_total{route="short_link",status="302"}')).toBe(4);
    expect(grown('waymark_http_requests_total{route="short_link",status="404"}')).toBe(1);
    expect(grown('waymark_http_requests_total{route="api",status="200"}')).toBe(1);
    expect(grown('waymark_http_requests_total{route="api",status="401"}')).toBe(1);
    expect(grown('waymark_http_requests_total{route="page",status="404"}')).toBe(1);
    // The request for the metrics before.
    expect(grown('waymark_http_requests_total{route="page",status="200"}')).toBe(1);
  });

  test('counts checked destinations and rate-limited requests', async () => {
    const before = await metrics();
    await api.create('https://example.org/clean');
    await api.call('POST /qrs', { url: 'http://testsafebrowsing.appspot.com/s/malware.html' });
    expect((await metrics()).get('waymark_render_jobs_waiting')).toBe(0);
    for (let turn = 0; turn < 25; turn++) await api.call('GET /qrs');
    const after = await metrics();
    const grown = (name: string) => after.get(name) - before.get(name);
    expect(grown('waymark_safe_browsing_answers_total{answer="clean"}')).toBe(1);
    expect(grown('waymark_safe_browsing_answers_total{answer="flagged"}')).toBe(1);
    // The flagged one was refused before it was drawn.
    expect(grown('waymark_render_jobs_total')).toBe(1);
    expect(after.get('waymark_render_workers_lost_total')).toBe(0);
    expect(grown('waymark_rate_limited_total')).toBeGreaterThan(0);
    expect(grown('waymark_rate_limited_total')).toBe(
      grown('waymark_http_requests_total{route="api",status="429"}'),
    );
  });

  test('has gauges of the process and the database, each with its type', async () => {
    const { get, response, text } = await metrics();
    expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(get('waymark_database_writable')).toBe(1);
    expect(get('waymark_scans_waiting')).toBe(0);
    expect(get('waymark_database_bytes')).toBeGreaterThan(1000);
    expect(get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(text).toMatch(/^waymark_build_info\{version="\d+\.\d+\.\d+",bun="[\d.]+"\} 1$/m);
    for (const [, name] of text.matchAll(/^([a-z_]+?)(?:_(?:bucket|sum|count))?[ {]/gm))
      expect(text).toContain(`# TYPE ${name} `);
  });

  test('contains no account, key or code', async () => {
    const { text } = await metrics();
    for (const secret of [email, key.slice(4), qr.code, 'secret-destination'])
      expect(text).not.toContain(secret);
  });
});
