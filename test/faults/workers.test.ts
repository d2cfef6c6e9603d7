import { afterAll, describe, expect, spyOn, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownWork } from '../../src/core/fair-queue.ts';
import { createFileReaders } from '../../src/workers/file-readers.ts';
import { createPool, type PoolOptions } from '../../src/workers/pool.ts';
import { createApi } from '../support/api.ts';
import { until } from '../support/until.ts';
import { visit } from '../support/visit.ts';
import { createLaunches } from './launch.ts';
import { seed } from './seeded.ts';

const spawned: Worker[] = [];
const startRenderWorker = () => {
  const worker = new Worker(new URL('./rogue-worker.ts', import.meta.url).href);
  spawned.push(worker);
  return worker;
};
const queue = { slots: 1, slotsPerOwner: 1, maxWaiting: 10, maxWaitingPerOwner: 10 };
const limits = { cpuMs: 60_000, wallMs: 600_000 };
const createRogues = (options: Partial<PoolOptions> = {}) =>
  createPool<string>({ startRenderWorker, queue, limits, ...options });

const threads = () => (process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0);

describe('a worker that dies is replaced, and waiting jobs complete', () => {
  const pool = createRogues();
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

  test('also while it has no job', async () => {
    const { workersLost } = pool.load();
    expect(await pool.run('exit afterwards', ownWork)).toBe('done: exit afterwards');
    await until(() => pool.load().workersLost > workersLost);
    expect(await pool.run('next', ownWork)).toBe('done: next');
  });
});

describe('a worker without a result is ended at a limit, and waiting jobs complete', () => {
  test.each([
    ['hang', { cpuMs: 1000 }, 'exceeded its CPU time'],
    ['say nothing', { wallMs: 1000 }, 'did not respond'],
  ] as const)('by %p', async (deed, limit, message) => {
    const pool = createRogues({ limits: { ...limits, ...limit } });
    expect(await pool.run('before', ownWork)).toBe('done: before');
    const usual = threads();
    const hanging = pool.run(deed, ownWork);
    const waiting = pool.run('after', ownWork);
    await expect(hanging).rejects.toThrow(message);
    expect(await waiting).toBe('done: after');
    // The thread is gone, endless loop and all: one replaced the other.
    await until(() => threads() <= usual);
    await pool.close();
  });
});

test('the load is known, and at close all jobs are rejected', async () => {
  const pool = createRogues({ queue: { ...queue, maxWaiting: 1 } });
  const jobs = ['hang', 'waiting', 'too many'].map((job) => pool.run(job, ownWork));
  const load = { waiting: 1, running: 1, finished: 0, rejected: 1, workersLost: 0 };
  expect(pool.load()).toEqual(load);
  const results = Promise.allSettled([...jobs, pool.close().then(() => pool.run('new', ownWork))]);
  for (const result of await results)
    expect(result).toMatchObject({ status: 'rejected', reason: { name: 'ServerBusy' } });
});

test('a logo is refused as busy work when no process can be started', async () => {
  const spawn = spyOn(Bun, 'spawn').mockImplementation(() => {
    throw new Error('EAGAIN: resource temporarily unavailable, posix_spawn');
  });
  const upload = createFileReaders().convertLogo(new Uint8Array(1), ownWork);
  await expect(upload).rejects.toMatchObject({ name: 'ServerBusy' });
  spawn.mockRestore();
});

test('a server that can start no worker answers 503, creates nothing, and redirects', async () => {
  const { newPath, serve } = createLaunches();
  const folder = newPath();
  const { key, codes } = await seed(folder, 1);
  const through = [process.execPath, join(import.meta.dir, 'workerless.ts')];
  // The app of a process of its own would have workers.
  const { origin } = await serve(folder, { through, env: { ONE_PROCESS_FOR_TESTS: '1' } });
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
