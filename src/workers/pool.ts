import { ServerBusy } from '../core/errors.ts';
import { createFairQueue, type FairQueueOptions, type Requester } from '../core/fair-queue.ts';
import { errorMessage } from '../lib/errors.ts';
import { every } from '../lib/event-loop.ts';
import type { Reply } from './job.ts';

/** The part of a Worker that the pool uses. */
interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface PoolOptions {
  /** Starts a worker on worker/worker.ts. Only the program's entry point can do that. */
  readonly startRenderWorker: () => PoolWorker;
  /** Jobs that wait for a worker. Each slot is a worker, which is started on demand. */
  readonly queue: FairQueueOptions;
  /** Limits of one job, the start of its worker included. */
  readonly limits: JobLimits;
}

/** When a job has failed. On a busy machine, wall time passes without any work being done. */
interface JobLimits {
  /** CPU time of the whole process: that of a thread cannot be read from another one. */
  readonly cpuMs: number;
  /** For a worker that never answers. */
  readonly wallMs: number;
}

/** Load of a pool. */
export interface PoolLoad {
  readonly waiting: number;
  readonly running: number;
  /** The remaining counts are since the creation of the pool. Jobs with a result or an error. */
  readonly finished: number;
  /** Jobs rejected because too many were waiting. */
  readonly rejected: number;
  /** Workers that died or exceeded a limit. */
  readonly workersLost: number;
}

const checkEveryMs = 250;

/** A worker, and how its current job ends. */
interface Slot {
  readonly worker: PoolWorker;
  job: PromiseWithResolvers<Reply> | null;
}

/**
 * Creates a pool of workers.
 * Each runs one job at a time; owners of jobs take turns. A worker that dies, hangs or does not start is replaced; its
 * job is rejected and others are not affected.
 */
export function createPool<Job>(options: PoolOptions) {
  const { startRenderWorker, limits } = options;
  const queue = createFairQueue(options.queue);
  const slots = new Set<Slot>();
  const idle: Slot[] = [];
  const counts = { finished: 0, workersLost: 0 };
  let isClosed = false;

  const startSlot = (): Slot => {
    const slot: Slot = { worker: startRenderWorker(), job: null };
    const { worker } = slot;
    slots.add(slot);
    // The entry point of the workers posts replies only.
    worker.addEventListener('message', (event) =>
      slot.job?.resolve((event as MessageEvent<Reply>).data),
    );
    // An uncaught error arrives as `error`, then `close`; a crash as `close` alone.
    worker.addEventListener('error', (event) => {
      event.preventDefault?.();
      lose(slot, 'died');
    });
    worker.addEventListener('close', () => lose(slot, 'died'));
    return slot;
  };

  /** Has a worker do a job. @throws ServerBusy when there is no reply */
  const ask = async (job: Job): Promise<Reply> => {
    let slot: Slot;
    try {
      slot = idle.pop() ?? startSlot();
    } catch (error) {
      throw new ServerBusy(`render worker cannot be started: ${errorMessage(error)}`);
    }
    slot.job = Promise.withResolvers();
    const endWatch = watch(slot);
    try {
      slot.worker.postMessage(job);
      return await slot.job.promise;
    } finally {
      endWatch();
      slot.job = null;
      if (slots.has(slot)) idle.push(slot);
    }
  };

  /** Ends a worker when its job exceeds a limit. @returns ends the watch */
  const watch = (slot: Slot): (() => void) => {
    const before = process.cpuUsage();
    let wallMs = 0;
    return every(checkEveryMs, () => {
      // A pause of the whole process counts as one step.
      wallMs += checkEveryMs;
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 > limits.cpuMs) lose(slot, 'exceeded its CPU time');
      else if (wallMs > limits.wallMs) lose(slot, 'did not respond');
    });
  };

  /** Ends a worker; the next job starts another one. */
  const lose = (slot: Slot, problem: string) => {
    if (!slots.has(slot)) return;
    counts.workersLost++;
    end(slot, `render worker ${problem}`);
  };

  const end = (slot: Slot, reason: string) => {
    slots.delete(slot);
    if (idle.includes(slot)) idle.splice(idle.indexOf(slot), 1);
    slot.worker.terminate();
    slot.job?.reject(new ServerBusy(reason));
  };

  /** Runs a job. */
  const runJob = async (
    job: Job,
    { resolve, reject }: PromiseWithResolvers<unknown>,
  ): Promise<void> => {
    try {
      const reply = await ask(job);
      counts.finished++;
      if (reply.ok) resolve(reply.value);
      else reject(new Error(reply.message));
    } catch (error) {
      reject(error);
    }
  };

  return {
    /**
     * Runs one job in the requester's turn.
     *
     * @throws ServerBusy when too many jobs wait, no worker starts, its worker died or exceeded a limit, or the
     *   pool is closed
     * @throws Error when the job failed
     */
    run(job: Job, requester: Requester): Promise<unknown> {
      if (isClosed) return Promise.reject(new ServerBusy('the renderer is shutting down'));
      const result = Promise.withResolvers<unknown>();
      queue.run(requester, () => runJob(job, result)).catch(result.reject);
      return result.promise;
    },

    load: (): PoolLoad => {
      const { waiting, refused } = queue.load();
      const running = [...slots].filter(({ job }) => job !== null).length;
      return { waiting, running, rejected: refused, ...counts };
    },

    /** Ends all workers and rejects waiting and running jobs. */
    async close(): Promise<void> {
      isClosed = true;
      const reason = 'the renderer is shutting down';
      queue.rejectAll(reason);
      for (const slot of [...slots]) end(slot, reason);
    },
  };
}
