import { RendererBusy } from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import { createAllowance, programCpuMs, realTimer, type Timer } from './allowance.ts';
import { type Reply, type Request, ready } from './messages.ts';
import type { RestPolicy } from './rest-policy.ts';

/** The part of a Worker that the pool uses. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface PoolOptions {
  readonly startRenderWorker: () => PoolWorker;
  /** Workers at most; each is started when it is first needed. */
  readonly workers: number;
  /** Jobs that may wait for a worker; the next one is turned away. */
  readonly queueLimit: number;
  /** How long a job may wait for a worker. */
  readonly waitMs: number;
  readonly timer?: Timer;
  /** Processor time that the program has used, in milliseconds. */
  readonly cpuMs?: () => number;
  /** How long a worker rests after a job; not at all by default. */
  readonly restPolicy?: RestPolicy;
}

// A start is code to load and compile, which beside other programs takes a worker that gives way seconds.
const longestStartMs = 20_000;

const noRest: RestPolicy = () => () => 0;

/** How busy a pool is, and has been. */
export interface PoolLoad {
  readonly waiting: number;
  readonly running: number;
  /** Jobs that a worker answered since the start, well or badly. */
  readonly answered: number;
  /** Jobs that were refused since the start because there was too much to do. */
  readonly turnedAway: number;
  /** Workers that died or took too long since the start. */
  readonly workersLost: number;
}

/** The job's own input is at fault, in words for the person who sent it. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused';
}

/** The worker took longer than the job was given, and was ended. */
export class JobTimedOut extends Error {
  override readonly name = 'JobTimedOut';
}

interface Task<Job> {
  readonly job: Job;
  readonly runMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  stopWaiting: () => void;
  retried: boolean;
}

/**
 * Runs jobs on a few workers, one at a time on each, first come first served. Never piles up: a full
 * queue and a wait too long are `RendererBusy`, and so is a worker that does not start. A worker that
 * dies, hangs or misbehaves is replaced, and nobody but its own job notices.
 */
export function createPool<Job>(options: PoolOptions) {
  const { startRenderWorker, workers, queueLimit, waitMs } = options;
  const { timer = realTimer, cpuMs = programCpuMs, restPolicy = noRest } = options;
  const allowance = createAllowance(timer, cpuMs);
  const queue: Task<Job>[] = [];
  const idle: Slot[] = [];
  const all = new Set<Slot>();
  let nextId = 1;
  const count = { answered: 0, turnedAway: 0, workersLost: 0 };
  let closed = false;

  /** A worker and what it is doing. */
  interface Slot {
    readonly worker: PoolWorker;
    isReady: boolean;
    id: number;
    task: Task<Job> | null;
    restMs: (cpuMs: number) => number;
    /** Of the time that the job is given, or of the rest after it. */
    stopClock: () => void;
  }

  const startWorker = (): Slot => {
    const [restMs, stopClock] = [() => 0, () => {}];
    const slot: Slot = { worker: spawnOne(), isReady: false, id: 0, task: null, restMs, stopClock };
    all.add(slot);
    slot.worker.addEventListener('message', (event) => {
      // The worker's entry point posts nothing else.
      const { data } = event as MessageEvent<typeof ready | Reply>;
      if (data === ready) started(slot);
      else answered(slot, data);
    });
    // An uncaught error posts no message: it shows as `error`, then `close`; a crash as `close`.
    slot.worker.addEventListener('error', (event) => {
      event.preventDefault?.();
      lost(slot);
    });
    slot.worker.addEventListener('close', () => lost(slot));
    return slot;
  };

  const spawnOne = () => {
    try {
      return startRenderWorker();
    } catch (error) {
      throw new RendererBusy(`render worker cannot be started: ${errorMessage(error)}`);
    }
  };

  const start = (slot: Slot, task: Task<Job>) => {
    task.stopWaiting();
    slot.task = task;
    slot.id = nextId++;
    slot.restMs = restPolicy();
    giveTime(slot, task);
    try {
      slot.worker.postMessage({ id: slot.id, job: task.job } satisfies Request<Job>);
    } catch (error) {
      release(slot, 0);
      task.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };

  /** The time of a job begins when its worker can work on it. */
  const giveTime = (slot: Slot, task: Task<Job>) => {
    slot.stopClock = slot.isReady
      ? allowance(task.runMs, (afterMs) =>
          overdue(slot, task, new JobTimedOut(`render worker gave no answer in ${afterMs} ms`)),
        )
      : timer(longestStartMs, () =>
          overdue(
            slot,
            task,
            new RendererBusy(`render worker did not start in ${longestStartMs} ms`),
          ),
        );
  };

  const overdue = (slot: Slot, task: Task<Job>, reason: Error) => {
    retire(slot);
    task.reject(reason);
    pump();
  };

  const started = (slot: Slot) => {
    slot.isReady = true;
    if (slot.task === null) return;
    slot.stopClock();
    giveTime(slot, slot.task);
  };

  const release = (slot: Slot, cpuMs: number) => {
    slot.stopClock();
    slot.task = null;
    const restMs = slot.restMs(cpuMs);
    if (restMs > 0) slot.stopClock = timer(restMs, () => rested(slot));
    else idle.push(slot);
  };

  const rested = (slot: Slot) => {
    idle.push(slot);
    pump();
  };

  const answered = (slot: Slot, reply: Reply) => {
    const { task } = slot;
    if (task === null || reply.id !== slot.id) return;
    release(slot, reply.cpuMs);
    count.answered++;
    if (reply.ok) task.resolve(reply.value);
    else task.reject(new (reply.refused ? JobRefused : Error)(reply.message));
    pump();
  };

  const retire = (slot: Slot) => {
    all.delete(slot);
    if (!closed) count.workersLost++;
    const place = idle.indexOf(slot);
    if (place >= 0) idle.splice(place, 1);
    slot.stopClock();
    slot.task = null;
    slot.worker.terminate();
  };

  const lost = (slot: Slot) => {
    if (!all.has(slot)) return;
    const { task } = slot;
    retire(slot);
    if (task === null) return pump();
    if (task.retried || closed) {
      task.reject(
        slot.isReady
          ? new Error('render worker died')
          : new RendererBusy('render worker died before it had started'),
      );
    } else {
      // A job that only had bad luck gets a fresh worker; one that kills two workers is to blame.
      task.retried = true;
      queue.unshift(task);
    }
    pump();
  };

  const pump = () => {
    while (queue.length > 0 && (idle.length > 0 || all.size < workers)) {
      const task = queue.shift();
      if (task === undefined) return;
      try {
        start(idle.pop() ?? startWorker(), task);
      } catch (error) {
        task.stopWaiting();
        task.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };

  return {
    /**
     * Runs one job.
     *
     * @param runMs time the worker gets for it once it has started; more where other programs keep the processors
     * @throws RendererBusy when the queue is full, the wait was too long, no worker starts or the pool is closed
     * @throws JobRefused, JobTimedOut, or Error when the worker died over it
     */
    run(job: Job, runMs: number): Promise<unknown> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const free = idle.length > 0 || all.size < workers;
      if (closed) return Promise.reject(new RendererBusy('the renderer is shutting down'));
      if (!free && queue.length >= queueLimit) {
        count.turnedAway++;
        return Promise.reject(new RendererBusy('too many pictures are waiting to be drawn'));
      }
      const task: Task<Job> = {
        job,
        runMs,
        resolve,
        reject,
        retried: false,
        stopWaiting: () => {},
      };
      task.stopWaiting = timer(waitMs, () => {
        const place = queue.indexOf(task);
        if (place < 0) return;
        queue.splice(place, 1);
        count.turnedAway++;
        reject(new RendererBusy(`no renderer was free within ${waitMs} ms`));
      });
      queue.push(task);
      pump();
      return promise;
    },

    load: (): PoolLoad => ({
      waiting: queue.length,
      running: [...all].filter(({ task }) => task !== null).length,
      ...count,
    }),

    /** Ends every worker. Jobs that wait or run are turned away. */
    async close(): Promise<void> {
      closed = true;
      const open = queue.splice(0);
      for (const slot of [...all]) {
        if (slot.task !== null) open.push(slot.task);
        retire(slot);
      }
      for (const task of open) {
        task.stopWaiting();
        task.reject(new RendererBusy('the renderer is shutting down'));
      }
    },
  };
}
