import { ServerBusy } from '../../core/errors.ts';
import { createFairQueue, type FairQueueOptions, type Requester } from '../../core/fair-queue.ts';
import type { JobThrottle } from '../../core/scans/job-throttle.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Reply } from './job.ts';

/** The part of a Worker that the pool uses. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface PoolOptions {
  readonly startRenderWorker: () => PoolWorker;
  /** Jobs that wait for a worker. Each slot is a worker, which is started on demand. */
  readonly queue: FairQueueOptions;
  /** Wall time of one job, the start of its worker included. */
  readonly deadlineMs: number;
  readonly throttle?: JobThrottle;
}

/** Load of a pool. */
export interface PoolLoad {
  readonly waiting: number;
  readonly running: number;
  /** The remaining counts are since the creation of the pool. Jobs with a result or an error. */
  readonly finished: number;
  /** Jobs rejected because too many were waiting. */
  readonly rejected: number;
  /** Workers that died or exceeded the deadline. */
  readonly workersLost: number;
}

interface Task<Job> {
  readonly job: Job;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A worker and its current job. */
interface Slot<Job> {
  readonly worker: PoolWorker;
  task: Task<Job> | null;
  /** Called when the worker can take the next job, or has ended. */
  free: () => void;
  /** Computes the pause after the current job. */
  pauseMs: (cpuMs: number) => number;
  /** Deadline of the current job, or end of the pause after it. */
  timeout: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Creates a pool of workers. Each runs one job at a time; owners of jobs take turns. A worker that dies, hangs or
 * does not start is replaced; its job is rejected and others are not affected.
 */
export function createPool<Job>(options: PoolOptions) {
  const { startRenderWorker, deadlineMs, throttle = () => () => 0 } = options;
  const queue = createFairQueue(options.queue);
  const slots = new Set<Slot<Job>>();
  const idle: Slot<Job>[] = [];
  const counts = { finished: 0, workersLost: 0 };
  let isClosed = false;

  const startSlot = (): Slot<Job> => {
    const worker = startRenderWorker();
    const slot: Slot<Job> = {
      worker,
      task: null,
      free: () => {},
      pauseMs: () => 0,
      timeout: undefined,
    };
    slots.add(slot);
    // The entry point of the workers posts replies only.
    worker.addEventListener('message', (event) =>
      complete(slot, (event as MessageEvent<Reply>).data),
    );
    // An uncaught error arrives as `error`, then `close`; a crash as `close` alone.
    worker.addEventListener('error', (event) => {
      event.preventDefault?.();
      replace(slot, 'died');
    });
    worker.addEventListener('close', () => replace(slot, 'died'));
    return slot;
  };

  /** Gives a job to a worker. Resolves when the worker can take the next one, or has ended. */
  const assign = (task: Task<Job>): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    try {
      const slot = idle.pop() ?? startSlot();
      slot.task = task;
      slot.free = resolve;
      slot.pauseMs = throttle();
      slot.timeout = setTimeout(() => replace(slot, 'exceeded its deadline'), deadlineMs);
      slot.worker.postMessage(task.job);
    } catch (error) {
      task.reject(new ServerBusy(`render worker cannot be started: ${errorMessage(error)}`));
      resolve();
    }
    return promise;
  };

  const complete = (slot: Slot<Job>, reply: Reply) => {
    const { task } = slot;
    if (task === null) return;
    clearTimeout(slot.timeout);
    slot.task = null;
    counts.finished++;
    if (reply.ok) task.resolve(reply.value);
    else task.reject(new Error(reply.message));
    // The more workers are busy, the longer each of them pauses.
    const busy = slots.size - idle.length;
    const pauseMs = slot.pauseMs(reply.cpuMs * busy);
    if (pauseMs > 0) slot.timeout = setTimeout(() => release(slot), pauseMs);
    else release(slot);
  };

  const release = (slot: Slot<Job>) => {
    idle.push(slot);
    slot.free();
  };

  /** Ends a worker; the next job starts another one. */
  const replace = (slot: Slot<Job>, problem: string) => {
    if (!slots.has(slot)) return;
    counts.workersLost++;
    end(slot, `render worker ${problem}`);
  };

  const end = (slot: Slot<Job>, reason: string) => {
    slots.delete(slot);
    const index = idle.indexOf(slot);
    if (index >= 0) idle.splice(index, 1);
    clearTimeout(slot.timeout);
    slot.worker.terminate();
    slot.task?.reject(new ServerBusy(reason));
    slot.task = null;
    slot.free();
  };

  return {
    /**
     * Runs one job in the requester's turn.
     *
     * @throws ServerBusy when too many jobs wait, no worker starts, its worker died or exceeded the deadline, or
     *   the pool is closed
     * @throws Error when the job failed
     */
    run(job: Job, requester: Requester): Promise<unknown> {
      if (isClosed) return Promise.reject(new ServerBusy('the renderer is shutting down'));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queue.run(requester, () => assign({ job, resolve, reject })).catch(reject);
      return promise;
    },

    load: (): PoolLoad => {
      const { waiting, refused } = queue.load();
      const running = [...slots].filter(({ task }) => task !== null).length;
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
