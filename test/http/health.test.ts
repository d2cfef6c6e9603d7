import { expect, test } from 'bun:test';
import { type Health, healthResponse } from '../../src/http/ops/health.ts';

async function get(path: string, health: Health) {
  const response = healthResponse({ method: 'GET' }, path, () => health);
  if (response === null) throw new Error(`no response for ${path}`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { status: response.status, body: await response.json() };
}

const healthy: Health = { problems: [], warnings: [] };
const warned: Health = { problems: [], warnings: ['the list "a" is old'] };
const degraded: Health = { problems: ['12 scans cannot be written: disk full'], warnings: [] };

test('/healthz is 200 without problems, and 503 with them', async () => {
  for (const health of [healthy, warned])
    expect(await get('/healthz', health)).toEqual({
      status: 200,
      body: { status: 'ok', ...health },
    });
  expect(await get('/healthz', degraded)).toEqual({
    status: 503,
    body: { status: 'degraded', ...degraded },
  });
});

test('/healthz/live is 200 in any state', async () => {
  for (const health of [healthy, warned, degraded])
    expect(await get('/healthz/live', health)).toEqual({ status: 200, body: { status: 'ok' } });
});
