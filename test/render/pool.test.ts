import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { ServerBusy } from '../../src/core/errors.ts';
import { ownWork } from '../../src/core/fair-queue.ts';
import { createJobThrottle } from '../../src/core/scans/job-throttle.ts';
import { createPool, type PoolOptions, type PoolWorker } from '../../src/render/worker/pool.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A worker that the test controls. */
interface FakeWorker extends PoolWorker {
  readonly jobs: string[];
  isTerminated: boolean;
  succeed(value: string): void;
  fail(message: string): void;
  emit(type: 'error' | 'close'): void;
}

function fakeWorker(): FakeWorker {
  const listeners = new Map<string, (event: Event) => void>();
  const reply = (data: unknown) =>
    listeners.get('message')?.(new MessageEvent('message', { data }));
  return {
    jobs: [],
    isTerminated: false,
    postMessage(message) {
      this.jobs.push(String(message));
    },
    terminate() {
      this.isTerminated = true;
    },
    addEventListener: (type, listener) => void listeners.set(type, listener),
    succeed: (value) => reply({ ok: true, cpuMs: 10, value }),
    fail: (message) => reply({ ok: false, cpuMs: 10, message, isRejected: false }),
    emit: (type) => listeners.get(type)?.(new Event(type)),
  };
}

const deadlineMs = 1000;

/** Waits until a freed worker has the next job. */
async function nextJob(): Promise<void> {
  for (let step = 0; step < 10; step++) await Promise.resolve();
}

interface FakeOptions extends Partial<PoolOptions> {
  readonly workers?: number;
  readonly maxWaiting?: number;
}

function createFakePool({ workers = 1, maxWaiting = 9, ...options }: FakeOptions = {}) {
  const started: FakeWorker[] = [];
  const startRenderWorker = () => {
    const worker = fakeWorker();
    started.push(worker);
    return worker;
  };
  const pool = createPool<string>({
    startRenderWorker,
    queue: { slots: workers, slotsPerOwner: workers, maxWaiting, maxWaitingPerOwner: maxWaiting },
    deadlineMs,
    ...options,
  });
  const worker = (index: number): FakeWorker => {
    const found = started[index];
    if (found === undefined) throw new Error(`worker ${index} was not started`);
    return found;
  };
  return { pool, worker, started };
}

test('starts workers on demand, up to the limit', () => {
  const { pool, started } = createFakePool({ workers: 2 });
  expect(started).toHaveLength(0);
  for (const [job, workers] of [
    ['a', 1],
    ['b', 2],
    ['c', 2],
  ] as const) {
    void pool.run(job, ownWork);
    expect(started).toHaveLength(workers);
  }
});

test('a worker gets one job at a time, in order of arrival', async () => {
  const { pool, worker } = createFakePool();
  const jobs = [pool.run('a', ownWork), pool.run('b', ownWork)];
  expect(worker(0).jobs).toEqual(['a']);
  worker(0).succeed('A');
  await nextJob();
  expect(worker(0).jobs).toEqual(['a', 'b']);
  worker(0).succeed('B');
  expect(await Promise.all(jobs)).toEqual(['A', 'B']);
});

test('rejects a job when the queue is full', async () => {
  const { pool, worker } = createFakePool({ maxWaiting: 1 });
  const jobs = [pool.run('a', ownWork), pool.run('b', ownWork)];
  await expect(pool.run('c', ownWork)).rejects.toThrow(ServerBusy);
  worker(0).succeed('A');
  await nextJob();
  worker(0).succeed('B');
  expect(await Promise.all(jobs)).toEqual(['A', 'B']);
});

describe('a lost worker is replaced, and its job is rejected', () => {
  test.each([
    ['hangs', () => void jest.advanceTimersByTime(deadlineMs), 'exceeded its deadline'],
    ['reports an uncaught error', (worker: FakeWorker) => worker.emit('error'), 'died'],
    ['closes', (worker: FakeWorker) => worker.emit('close'), 'died'],
  ])('when it %s', async (_, lose, message) => {
    const { pool, worker } = createFakePool();
    const [job, next] = [pool.run('a', ownWork), pool.run('b', ownWork)];
    lose(worker(0));
    await expect(job).rejects.toThrow(ServerBusy);
    await expect(job).rejects.toThrow(message);
    expect(worker(0).isTerminated).toBe(true);
    // A late reply, and the `close` after an `error`, change nothing.
    worker(0).succeed('late');
    worker(0).emit('close');
    await nextJob();
    worker(1).succeed('B');
    expect(await next).toBe('B');
    expect(pool.load().workersLost).toBe(1);
  });

  test('when it dies idle, at the next job', async () => {
    const { pool, worker, started } = createFakePool();
    const first = pool.run('a', ownWork);
    worker(0).succeed('A');
    await first;
    worker(0).emit('close');
    expect(started).toHaveLength(1);
    await nextJob();
    const second = pool.run('b', ownWork);
    worker(1).succeed('B');
    expect(await second).toBe('B');
  });
});

test('a worker that cannot be started fails its own job only', async () => {
  let hasThreads = false;
  const worker = fakeWorker();
  const startRenderWorker = () => {
    if (!hasThreads) throw new Error('no threads left');
    return worker;
  };
  const { pool } = createFakePool({ startRenderWorker });
  const failed = pool.run('a', ownWork);
  await expect(failed).rejects.toThrow(ServerBusy);
  await expect(failed).rejects.toThrow('no threads left');
  hasThreads = true;
  await nextJob();
  const next = pool.run('b', ownWork);
  worker.succeed('B');
  expect(await next).toBe('B');
});

test('a job that fails keeps its worker', async () => {
  const { pool, worker, started } = createFakePool();
  const failing = pool.run('a', ownWork);
  worker(0).fail('broken picture');
  await expect(failing).rejects.toThrow('broken picture');
  void pool.run('b', ownWork);
  await nextJob();
  expect(started).toHaveLength(1);
});

test('close ends the workers and rejects waiting, running and new jobs', async () => {
  const { pool, worker } = createFakePool();
  const jobs = [pool.run('a', ownWork), pool.run('b', ownWork)];
  await pool.close();
  for (const result of await Promise.allSettled([...jobs, pool.run('c', ownWork)]))
    expect(result).toMatchObject({ status: 'rejected', reason: { name: 'ServerBusy' } });
  expect(worker(0).isTerminated).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});

test('reports its load', async () => {
  const { pool, worker } = createFakePool({ maxWaiting: 1 });
  const none = { waiting: 0, running: 0, finished: 0, rejected: 0, workersLost: 0 };
  expect(pool.load()).toEqual(none);
  const jobs = ['a', 'b', 'c'].map((job) => pool.run(job, ownWork).catch(() => 'rejected'));
  expect(pool.load()).toEqual({ ...none, waiting: 1, running: 1, rejected: 1 });
  worker(0).succeed('A');
  await nextJob();
  expect(pool.load()).toEqual({ ...none, running: 1, finished: 1, rejected: 1 });
  jest.advanceTimersByTime(deadlineMs);
  expect(await Promise.all(jobs)).toEqual(['A', 'rejected', 'rejected']);
  expect(pool.load()).toEqual({ ...none, finished: 1, rejected: 1, workersLost: 1 });
});

describe('throttling', () => {
  const throttle = () => (cpuMs: number) => cpuMs * 5;

  test('a worker takes the next job when its pause is over', async () => {
    const { pool, worker, started } = createFakePool({ throttle });
    const [a, b] = [pool.run('a', ownWork), pool.run('b', ownWork)];
    worker(0).succeed('A');
    expect(await a).toBe('A');
    jest.advanceTimersByTime(49);
    expect(worker(0).jobs).toEqual(['a']);
    expect(pool.load()).toMatchObject({ waiting: 1, running: 0 });
    jest.advanceTimersByTime(1);
    await nextJob();
    expect(worker(0).jobs).toEqual(['a', 'b']);
    worker(0).succeed('B');
    expect(await b).toBe('B');
    expect(started).toHaveLength(1);
  });

  test.each([
    [0, 10, 10, 0],
    [200, 100, 10, 0],
    [201, 100, 10, 120],
    [400, 10, 10, 120],
    [900_000, 9000, 9000, 300],
  ])(
    '%i redirects in %i ms and %i ms of CPU time: a pause of %i ms',
    (made, ms, cpuMs, pauseMs) => {
      let [nowMs, redirects] = [5000, 70_000];
      const startJob = createJobThrottle(
        () => redirects,
        () => nowMs,
      );
      const endJob = startJob();
      nowMs += ms;
      redirects += made;
      expect(endJob(cpuMs)).toBe(pauseMs);
    },
  );
});
