import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownWork } from '../../src/core/fair-queue.ts';
import { createPool } from '../../src/render/worker/pool.ts';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

// Real threads; test/render/pool.test.ts tests the pool with fake ones.
const spawned: Worker[] = [];
const startRenderWorker = () => {
  const worker = new Worker(new URL('./rogue-worker.ts', import.meta.url).href);
  spawned.push(worker);
  return worker;
};
const queue = { slots: 1, slotsPerOwner: 1, maxWaiting: 10, maxWaitingPerOwner: 10 };
const createRealPool = (deadlineMs: number) =>
  createPool<string>({ startRenderWorker, queue, deadlineMs });

const threads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

describe('a worker that dies is replaced, and waiting jobs complete', () => {
  const pool = createRealPool(20_000);
  afterAll(() => pool.close());

  test.each(['throw', 'reject', 'exit', 'run out of memory', 'overflow the stack'])(
    'by %p',
    async (deed) => {
      const before = spawned.length;
      const killer = pool.run(deed, ownWork);
      const waiting = ['a', 'b', 'c'].map((job) => pool.run(job, ownWork));
      await expect(killer).rejects.toThrow('render worker died');
      expect(await Promise.all(waiting)).toEqual(['done: a', 'done: b', 'done: c']);
      expect(spawned.length).toBeGreaterThan(before);
    },
  );
});

describe('a worker without a result is ended at its deadline, and waiting jobs complete', () => {
  const pool = createRealPool(2000);
  afterAll(() => pool.close());

  test.each(['hang', 'say nothing'])('by %p', async (deed) => {
    expect(await pool.run('before', ownWork)).toBe('done: before');
    const usual = threads();
    const hanging = pool.run(deed, ownWork);
    const waiting = pool.run('after', ownWork);
    await expect(hanging).rejects.toThrow('exceeded its deadline');
    expect(await waiting).toBe('done: after');
    // The thread is gone, endless loop and all: one replaced the other.
    await until(() => threads() <= usual);
  });
});

test('a server that can start no worker answers 503, creates nothing, and redirects', async () => {
  const { newPath, launch } = createLaunches();
  const folder = newPath();
  const { key, codes } = await seed(folder, 1);
  const through = [process.execPath, join(import.meta.dir, 'workerless.ts')];
  const { listening, origin } = launch(folder, { through });
  expect(await listening).toBe(true);
  const code = codes[0]?.code ?? '';

  for (const [method, path, body] of [
    ['POST', '/qrs', '{"url":"https://example.org/"}'],
    ['GET', `/qrs/${code}.png`, null],
    ['GET', `/qrs/${code}.svg`, null],
  ] as const) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const answer = await fetch(`${origin}/api/v1${path}`, { method, body, headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } });
  }
  expect((await createApi(origin, key).list()).total).toBe(1);
  expect((await visit(`${origin}/${code}`)).status).toBe(302);
});
