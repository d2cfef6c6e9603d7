import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPool, JobTimedOut } from '../../src/render/worker/pool.ts';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

setDefaultTimeout(120_000);

// Real threads. The pool's every turn is tested with puppets in test/render/pool.test.ts.
const spawned: Worker[] = [];
const startRenderWorker = () => {
  const worker = new Worker(new URL('./rogue-worker.ts', import.meta.url).href);
  spawned.push(worker);
  return worker;
};
const pool = createPool<string>({ startRenderWorker, workers: 1, queueLimit: 10, waitMs: 20_000 });
afterAll(() => pool.close());

const threads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

describe('a worker that dies is replaced, its job is tried once more, and who waits is answered', () => {
  test.each(['throw', 'reject', 'exit', 'run out of memory', 'overflow the stack'])(
    'by %p',
    async (deed) => {
      const before = spawned.length;
      const killer = pool.run(deed, 10_000);
      const waiting = ['a', 'b', 'c'].map((job) => pool.run(job, 10_000));
      await expect(killer).rejects.toThrow('render worker died');
      expect(await Promise.all(waiting)).toEqual(['done: a', 'done: b', 'done: c']);
      // Two that died over the job, and one for those that waited; the last is kept.
      expect(spawned.length - before).toBeGreaterThanOrEqual(2);
      expect(await pool.run('d', 10_000)).toBe('done: d');
    },
  );
});

describe('a worker that gives no answer is ended at its deadline, and who waits is answered', () => {
  test.each(['hang', 'say nothing'])('by %p', async (deed) => {
    expect(await pool.run('before', 10_000)).toBe('done: before');
    const usual = threads();
    const hanging = pool.run(deed, 300);
    const waiting = pool.run('after', 10_000);
    await expect(hanging).rejects.toThrow(JobTimedOut);
    expect(await waiting).toBe('done: after');
    // The thread is gone, endless loop and all: one replaced the other.
    await until(() => threads() <= usual);
  });
});

test('a server that can start no worker asks for patience, creates nothing, and redirects', async () => {
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
