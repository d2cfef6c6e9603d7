import { RendererBusy } from '../../core/errors.ts';
import { errorMessage } from '../../lib/errors.ts';
import type { Reply } from './job.ts';
import type { JobThrottle } from './throttle.ts';

/** The part of a Worker that the pool uses. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface PoolOptions {
  readonly startRenderWorker: () => PoolWorker;
  /** Maximum number of workers. They are started on demand. */
  readonly workers: number;
  /** Maximum number of jobs that wait for a worker. */
  readonly queueLimit: number;
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
  /** Jobs rejected because the queue was full. */
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
  /** Computes the pause after the current job. */
  pauseMs: (cpuMs: number) => number;
  /** Deadline of the current job, or end of the pause after it. */
  timeout: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Creates a pool of workers. Each runs one job at a time, in order of arrival. A worker that dies, hangs or
 * does not start is replaced; its job is rejected and others are not affected.
 */
export function createPool<Job>(options: PoolOptions) {
  const { startRenderWorker, workers, queueLimit, deadlineMs, throttle = () => () => 0 } = options;
  const queue: Task<Job>[] = [];
  const slots = new Set<Slot<Job>>();
  const idle: Slot<Job>[] = [];
  const counts = { finished: 0, rejected: 0, workersLost: 0 };
  let isClosed = false;

  const startSlot = (): Slot<Job> => {
    const worker = startRenderWorker();
    const slot: Slot<Job> = { worker, task: null, pauseMs: () => 0, timeout: undefined };
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

  const hasFreeWorker = () => idle.length > 0 || slots.size < workers;

  const startJobs = () => {
    while (hasFreeWorker()) {
      const task = queue.shift();
      if (task === undefined) return;
      try {
        assign(idle.pop() ?? startSlot(), task);
      } catch (error) {
        task.reject(new RendererBusy(`render worker cannot be started: ${errorMessage(error)}`));
      }
    }
  };

  const assign = (slot: Slot<Job>, task: Task<Job>) => {
    slot.task = task;
    slot.pauseMs = throttle();
    slot.timeout = setTimeout(() => replace(slot, 'exceeded its deadline'), deadlineMs);
    slot.worker.postMessage(task.job);
  };

  const complete = (slot: Slot<Job>, reply: Reply) => {
    const { task } = slot;
    if (task === null) return;
    clearTimeout(slot.timeout);
    slot.task = null;
    counts.finished++;
    if (reply.ok) task.resolve(reply.value);
    else task.reject(new Error(reply.message));
    const pauseMs = slot.pauseMs(reply.cpuMs);
    if (pauseMs > 0) slot.timeout = setTimeout(() => release(slot), pauseMs);
    else release(slot);
  };

  const release = (slot: Slot<Job>) => {
    idle.push(slot);
    startJobs();
  };

  /** Ends a worker; the next job starts another one. */
  const replace = (slot: Slot<Job>, problem: string) => {
    if (!slots.has(slot)) return;
    counts.workersLost++;
    end(slot, `render worker ${problem}`);
    startJobs();
  };

  const end = (slot: Slot<Job>, reason: string) => {
    slots.delete(slot);
    const index = idle.indexOf(slot);
    if (index >= 0) idle.splice(index, 1);
    clearTimeout(slot.timeout);
    slot.worker.terminate();
    slot.task?.reject(new RendererBusy(reason));
    slot.task = null;
  };

  return {
    /**
     * Runs one job.
     *
     * @throws RendererBusy when the queue is full, no worker starts, its worker died or exceeded the deadline,
     *   or the pool is closed
     * @throws Error when the job failed
     */
    run(job: Job): Promise<unknown> {
      if (isClosed) return Promise.reject(new RendererBusy('the renderer is shutting down'));
      if (!hasFreeWorker() && queue.length >= queueLimit) {
        counts.rejected++;
        return Promise.reject(new RendererBusy('too many pictures are waiting to be drawn'));
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queue.push({ job, resolve, reject });
      startJobs();
      return promise;
    },

    load: (): PoolLoad => ({
      waiting: queue.length,
      running: [...slots].filter(({ task }) => task !== null).length,
      ...counts,
    }),

    /** Ends all workers and rejects waiting and running jobs. */
    async close(): Promise<void> {
      isClosed = true;
      const reason = 'the renderer is shutting down';
      for (const { reject } of queue.splice(0)) reject(new RendererBusy(reason));
      for (const slot of [...slots]) end(slot, reason);
    },
  };
}
