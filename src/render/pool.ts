import { RendererBusy } from '../core/ports.ts';
import { makeAllowance, programCpuMs, realTimer, type Timer } from './allowance.ts';
import type { Courtesy } from './courtesy.ts';
import { type Reply, type Request, ready } from './messages.ts';

/** The part of a Worker that the pool uses. */
export interface PoolWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

export interface PoolOptions {
  readonly spawn: () => PoolWorker;
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
  readonly courtesy?: Courtesy;
}

// A start is code to load and compile, which beside other programs takes a worker that gives way seconds.
const longestStartMs = 20_000;

const noRest: Courtesy = () => () => 0;

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
 * queue and a wait too long are `RendererBusy`. A worker that dies, hangs or misbehaves is replaced,
 * and nobody but its own job notices.
 */
export function makePool<Job>(options: PoolOptions) {
  const { spawn, workers, queueLimit, waitMs } = options;
  const { timer = realTimer, cpuMs = programCpuMs, courtesy = noRest } = options;
  const allowance = makeAllowance(timer, cpuMs);
  const queue: Task<Job>[] = [];
  const idle: Hand[] = [];
  const all = new Set<Hand>();
  let nextId = 1;
  const count = { answered: 0, turnedAway: 0, workersLost: 0 };
  let closed = false;

  /** One worker and what it is doing. */
  interface Hand {
    readonly worker: PoolWorker;
    isReady: boolean;
    id: number;
    task: Task<Job> | null;
    restMs: (cpuMs: number) => number;
    /** Of the time that the job is given, or of the rest after it. */
    stopClock: () => void;
  }

  const hire = (): Hand => {
    const [restMs, stopClock] = [() => 0, () => {}];
    const hand: Hand = { worker: spawn(), isReady: false, id: 0, task: null, restMs, stopClock };
    all.add(hand);
    hand.worker.addEventListener('message', (event) => {
      // The worker's entry point posts nothing else.
      const { data } = event as MessageEvent<typeof ready | Reply>;
      if (data === ready) started(hand);
      else answered(hand, data);
    });
    // An uncaught error posts no message: it shows as `error`, then `close`; a crash as `close`.
    hand.worker.addEventListener('error', (event) => {
      event.preventDefault?.();
      lost(hand);
    });
    hand.worker.addEventListener('close', () => lost(hand));
    return hand;
  };

  const start = (hand: Hand, task: Task<Job>) => {
    task.stopWaiting();
    hand.task = task;
    hand.id = nextId++;
    hand.restMs = courtesy();
    giveTime(hand, task);
    try {
      hand.worker.postMessage({ id: hand.id, job: task.job } satisfies Request<Job>);
    } catch (error) {
      release(hand, 0);
      task.reject(error instanceof Error ? error : new Error(String(error)));
    }
  };

  /** The time of a job begins when its worker can work on it. */
  const giveTime = (hand: Hand, task: Task<Job>) => {
    hand.stopClock = hand.isReady
      ? allowance(task.runMs, (afterMs) =>
          overdue(hand, task, new JobTimedOut(`render worker gave no answer in ${afterMs} ms`)),
        )
      : timer(longestStartMs, () =>
          overdue(hand, task, new Error(`render worker did not start in ${longestStartMs} ms`)),
        );
  };

  const overdue = (hand: Hand, task: Task<Job>, reason: Error) => {
    dismiss(hand);
    task.reject(reason);
    pump();
  };

  const started = (hand: Hand) => {
    hand.isReady = true;
    if (hand.task === null) return;
    hand.stopClock();
    giveTime(hand, hand.task);
  };

  const release = (hand: Hand, cpuMs: number) => {
    hand.stopClock();
    hand.task = null;
    const restMs = hand.restMs(cpuMs);
    if (restMs > 0) hand.stopClock = timer(restMs, () => rested(hand));
    else idle.push(hand);
  };

  const rested = (hand: Hand) => {
    idle.push(hand);
    pump();
  };

  const answered = (hand: Hand, reply: Reply) => {
    const { task } = hand;
    if (task === null || reply.id !== hand.id) return;
    release(hand, reply.cpuMs);
    count.answered++;
    if (reply.ok) task.resolve(reply.value);
    else task.reject(new (reply.refused ? JobRefused : Error)(reply.message));
    pump();
  };

  const dismiss = (hand: Hand) => {
    all.delete(hand);
    if (!closed) count.workersLost++;
    const place = idle.indexOf(hand);
    if (place >= 0) idle.splice(place, 1);
    hand.stopClock();
    hand.task = null;
    hand.worker.terminate();
  };

  const lost = (hand: Hand) => {
    if (!all.has(hand)) return;
    const { task } = hand;
    dismiss(hand);
    if (task === null) return pump();
    if (task.retried || closed) {
      task.reject(new Error('render worker died'));
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
        start(idle.pop() ?? hire(), task);
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
     * @throws RendererBusy when the queue is full, the wait was too long or the pool is closed
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
      for (const hand of [...all]) {
        if (hand.task !== null) open.push(hand.task);
        dismiss(hand);
      }
      for (const task of open) {
        task.stopWaiting();
        task.reject(new RendererBusy('the renderer is shutting down'));
      }
    },
  };
}
