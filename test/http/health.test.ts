import { expect, test } from 'bun:test';
import { type Health, healthAnswer } from '../../src/http/ops/health.ts';

async function ask(path: string, health: Health) {
  const response = healthAnswer({ method: 'GET' }, path, () => health);
  if (response === null) throw new Error(`nothing answers ${path}`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { status: response.status, body: await response.json() };
}

const well: Health = { problems: [], warnings: [] };
const worrying: Health = { problems: [], warnings: ['the list "a" is old'] };
const ill: Health = { problems: ['12 scans wait to be written: disk full'], warnings: [] };

test('200 while every promise is kept, whatever there is to look at', async () => {
  expect(await ask('/healthz', well)).toEqual({ status: 200, body: { status: 'ok', ...well } });
  expect(await ask('/healthz', worrying)).toEqual({
    status: 200,
    body: { status: 'ok', ...worrying },
  });
});

test('503 with the reasons while one is not', async () => {
  expect(await ask('/healthz', ill)).toEqual({ status: 503, body: { status: 'degraded', ...ill } });
});

test('alive either way: a restart would lose what waits in memory', async () => {
  for (const health of [well, worrying, ill])
    expect(await ask('/healthz/live', health)).toEqual({ status: 200, body: { status: 'ok' } });
});
