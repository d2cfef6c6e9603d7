import { describe, expect, test } from 'bun:test';
import { RendererBusy } from '../../src/core/errors.ts';
import type { Timer } from '../../src/render/worker/allowance.ts';
import { ready } from '../../src/render/worker/messages.ts';
import { createPool, JobTimedOut, type PoolWorker } from '../../src/render/worker/pool.ts';

/** A worker whose every move the test makes. */
interface Puppet extends PoolWorker {
  readonly sent: { id: number; job: string }[];
  ended: boolean;
  start(): void;
  answer(value: string): void;
  fail(message: string): void;
  emit(type: 'error' | 'close'): void;
}

function puppet(startsAtOnce: boolean): Puppet {
  const listeners = new Map<string, (event: Event) => void>();
  const reply = (data: unknown) =>
    listeners.get('message')?.(new MessageEvent('message', { data }));
  const sent: Puppet['sent'] = [];
  return {
    sent,
    ended: false,
    // The pool under test sends nothing but its own requests.
    postMessage: (message) => sent.push(message as { id: number; job: string }),
    terminate() {
      this.ended = true;
    },
    addEventListener: (type, listener) => {
      listeners.set(type, listener);
      if (type === 'message' && startsAtOnce) reply(ready);
    },
    start: () => reply(ready),
    answer: (value) => reply({ id: sent.at(-1)?.id, ok: true, cpuMs: 10, value }),
    fail: (message) =>
      reply({ id: sent.at(-1)?.id, ok: false, cpuMs: 10, message, refused: false }),
    emit: (type) => listeners.get(type)?.(new Event(type)),
  };
}

/** A pool of puppets and a clock that only the test moves. */
function stage(workers: number, queueLimit: number, { restPerWork = 0, startsAtOnce = true } = {}) {
  const puppets: Puppet[] = [];
  const bells = new Set<{ atMs: number; ring: () => void }>();
  let nowMs = 0;
  const timer: Timer = (delayMs, ring) => {
    const bell = { atMs: nowMs + delayMs, ring };
    bells.add(bell);
    return () => bells.delete(bell);
  };
  const startRenderWorker = () => {
    const worker = puppet(startsAtOnce);
    puppets.push(worker);
    return worker;
  };
  const pool = createPool<string>({
    startRenderWorker,
    workers,
    queueLimit,
    waitMs: 100,
    timer,
    // As if nobody else wanted the processors; see allowance.test.ts.
    cpuMs: () => nowMs,
    restPolicy: () => (cpuMs) => cpuMs * restPerWork,
  });
  const advance = (ms: number) => {
    nowMs += ms;
    for (const bell of [...bells]) {
      if (bell.atMs > nowMs || !bells.delete(bell)) continue;
      bell.ring();
    }
  };
  const worker = (index: number): Puppet => {
    const found = puppets[index];
    if (found === undefined) throw new Error(`no worker ${index} was started`);
    return found;
  };
  return { pool, worker, puppets, bells, advance };
}

const runMs = 1000;

test('starts no worker before the first job and no more than it may', () => {
  const { pool, puppets } = stage(2, 9);
  expect(puppets).toHaveLength(0);
  void pool.run('a', runMs);
  expect(puppets).toHaveLength(1);
  void pool.run('b', runMs);
  void pool.run('c', runMs);
  expect(puppets).toHaveLength(2);
});

test('gives each worker one job at a time, in the order they came', async () => {
  const { pool, worker } = stage(1, 9);
  const [a, b] = [pool.run('a', runMs), pool.run('b', runMs)];
  expect(worker(0).sent.map((request) => request.job)).toEqual(['a']);
  worker(0).answer('A');
  expect(worker(0).sent.map((request) => request.job)).toEqual(['a', 'b']);
  worker(0).answer('B');
  expect(await Promise.all([a, b])).toEqual(['A', 'B']);
});

test('turns a job away at once when the queue is full', async () => {
  const { pool, worker } = stage(1, 1);
  const [running, waiting] = [pool.run('a', runMs), pool.run('b', runMs)];
  await expect(pool.run('c', runMs)).rejects.toThrow(RendererBusy);
  worker(0).answer('A');
  worker(0).answer('B');
  expect(await Promise.all([running, waiting])).toEqual(['A', 'B']);
});

test('turns a job away that has waited too long, and never starts it', async () => {
  const { pool, worker, advance } = stage(1, 9);
  const running = pool.run('a', runMs);
  const waiting = pool.run('b', runMs);
  advance(100);
  await expect(waiting).rejects.toThrow(RendererBusy);
  worker(0).answer('A');
  expect(await running).toBe('A');
  expect(worker(0).sent).toHaveLength(1);
});

test('ends a worker that hangs, and the next job gets a new one', async () => {
  const { pool, worker, advance } = stage(1, 9);
  const hanging = pool.run('a', runMs);
  advance(runMs);
  await expect(hanging).rejects.toThrow(JobTimedOut);
  expect(worker(0).ended).toBe(true);
  const next = pool.run('b', runMs);
  worker(1).answer('B');
  expect(await next).toBe('B');
});

test('a late answer of an ended worker reaches nobody', async () => {
  const { pool, worker, advance } = stage(1, 9);
  pool.run('a', runMs).catch(() => {});
  advance(runMs);
  const next = pool.run('b', runMs);
  worker(0).answer('late');
  worker(1).answer('B');
  expect(await next).toBe('B');
});

test.each(['error', 'close'] as const)(
  'tries a job again when its worker died by %s',
  async (how) => {
    const { pool, worker } = stage(1, 9);
    const job = pool.run('a', runMs);
    worker(0).emit(how);
    expect(worker(1).sent.map((request) => request.job)).toEqual(['a']);
    worker(1).answer('A');
    expect(await job).toBe('A');
  },
);

test('gives up on a job that kills two workers; the one behind it is served', async () => {
  const { pool, worker } = stage(1, 9);
  const [killer, next] = [pool.run('a', runMs), pool.run('b', runMs)];
  worker(0).emit('close');
  worker(1).emit('close');
  await expect(killer).rejects.toThrow('render worker died');
  worker(2).answer('B');
  expect(await next).toBe('B');
});

test('error followed by close counts as one death', async () => {
  const { pool, worker, puppets } = stage(1, 9);
  const job = pool.run('a', runMs);
  worker(0).emit('error');
  worker(0).emit('close');
  expect(puppets).toHaveLength(2);
  worker(1).answer('A');
  expect(await job).toBe('A');
});

test('a worker that dies idle is replaced when it is needed', async () => {
  const { pool, worker } = stage(1, 9);
  const first = pool.run('a', runMs);
  worker(0).answer('A');
  await first;
  worker(0).emit('close');
  const second = pool.run('b', runMs);
  worker(1).answer('B');
  expect(await second).toBe('B');
});

test('a job that fails with an error keeps its worker', async () => {
  const { pool, worker, puppets } = stage(1, 9);
  const failing = pool.run('a', runMs);
  worker(0).fail('broken picture');
  await expect(failing).rejects.toThrow('broken picture');
  void pool.run('b', runMs);
  expect(puppets).toHaveLength(1);
});

test('a worker that cannot be started fails its own job only', async () => {
  let tries = 0;
  const startRenderWorker = () => {
    tries++;
    if (tries === 1) throw new Error('no threads left');
    const worker = puppet(true);
    queueMicrotask(() => worker.answer('B'));
    return worker;
  };
  const pool = createPool<string>({ startRenderWorker, workers: 1, queueLimit: 9, waitMs: 100 });
  const failed = pool.run('a', runMs);
  await expect(failed).rejects.toThrow(RendererBusy);
  await expect(failed).rejects.toThrow('no threads left');
  expect(await pool.run('b', runMs)).toBe('B');
  await pool.close();
});

test('close ends the workers, turns everybody away and leaves no timer', async () => {
  const { pool, worker, bells } = stage(1, 9);
  const [running, waiting] = [pool.run('a', runMs), pool.run('b', runMs)];
  await pool.close();
  await expect(running).rejects.toThrow(RendererBusy);
  await expect(waiting).rejects.toThrow(RendererBusy);
  await expect(pool.run('c', runMs)).rejects.toThrow(RendererBusy);
  expect(worker(0).ended).toBe(true);
  expect(bells.size).toBe(0);
});

test('a finished job leaves no timer', async () => {
  const { pool, worker, bells } = stage(1, 9);
  const job = pool.run('a', runMs);
  worker(0).answer('A');
  await job;
  expect(bells.size).toBe(0);
});

test('tells how busy it is, and what became of the jobs before', async () => {
  const { pool, worker, advance } = stage(1, 1);
  const none = { waiting: 0, running: 0, answered: 0, turnedAway: 0, workersLost: 0 };
  expect(pool.load()).toEqual(none);
  const jobs = ['a', 'b', 'c'].map((job) => pool.run(job, runMs).catch(() => 'refused'));
  expect(pool.load()).toEqual({ ...none, waiting: 1, running: 1, turnedAway: 1 });
  worker(0).answer('A');
  expect(pool.load()).toEqual({ ...none, running: 1, answered: 1, turnedAway: 1 });
  advance(runMs);
  expect(await Promise.all(jobs)).toEqual(['A', 'refused', 'refused']);
  expect(pool.load()).toEqual({ ...none, answered: 1, turnedAway: 1, workersLost: 1 });
  await pool.close();
  expect(pool.load().workersLost).toBe(1);
});

describe('a worker that is slow to start', () => {
  const slow = () => stage(1, 9, { startsAtOnce: false });

  test('has the whole time of its job once it has started', async () => {
    const { pool, worker, advance } = slow();
    const job = pool.run('a', runMs);
    advance(15_000);
    worker(0).start();
    advance(runMs - 1);
    worker(0).answer('A');
    expect(await job).toBe('A');
    // From then on the time of a job begins with it.
    const next = pool.run('b', runMs);
    advance(runMs);
    await expect(next).rejects.toThrow(JobTimedOut);
  });

  test('has no more than that', async () => {
    const { pool, worker, advance } = slow();
    const job = pool.run('a', runMs);
    advance(15_000);
    worker(0).start();
    advance(runMs);
    await expect(job).rejects.toThrow(JobTimedOut);
    expect(worker(0).ended).toBe(true);
  });

  test('is ended when it never starts', async () => {
    const { pool, worker, advance } = slow();
    const job = pool.run('a', runMs);
    advance(20_000);
    // Which is no fault of its job.
    await expect(job).rejects.toThrow(RendererBusy);
    await expect(job).rejects.toThrow('render worker did not start in 20000 ms');
    expect(worker(0).ended).toBe(true);
  });

  test('and dies before that, twice, is no fault of its job', async () => {
    const { pool, worker } = slow();
    const job = pool.run('a', runMs);
    worker(0).emit('close');
    worker(1).emit('error');
    await expect(job).rejects.toThrow(RendererBusy);
  });
});

describe('a worker that rests after a job', () => {
  test('takes the next one when the rest is over, and counts as free for nobody', async () => {
    const { pool, worker, puppets, advance } = stage(1, 9, { restPerWork: 5 });
    const [a, b] = [pool.run('a', runMs), pool.run('b', runMs)];
    worker(0).answer('A');
    expect(await a).toBe('A');
    expect(pool.load()).toMatchObject({ waiting: 1, running: 0 });
    advance(49);
    expect(worker(0).sent).toHaveLength(1);
    advance(1);
    expect(worker(0).sent.map(({ job }) => job)).toEqual(['a', 'b']);
    expect(pool.load()).toMatchObject({ waiting: 0, running: 1 });
    worker(0).answer('B');
    expect(await b).toBe('B');
    expect(puppets).toHaveLength(1);
  });

  test('is replaced at once for those who wait when it dies', () => {
    const { pool, worker, puppets } = stage(1, 9, { restPerWork: 5 });
    void pool.run('a', runMs);
    void pool.run('b', runMs);
    worker(0).answer('A');
    worker(0).emit('close');
    expect(puppets).toHaveLength(2);
    expect(worker(1).sent.map(({ job }) => job)).toEqual(['b']);
  });

  test('is ended with the others, and leaves no timer', async () => {
    const { pool, worker, bells } = stage(1, 9, { restPerWork: 5 });
    void pool.run('a', runMs);
    worker(0).answer('A');
    await pool.close();
    expect([worker(0).ended, bells.size]).toEqual([true, 0]);
  });
});
