import type { Renderer } from '../core/ports.ts';
import { createLogoConverter } from './logo/process.ts';
import type { Timer } from './worker/allowance.ts';
import type { Job, Outcomes } from './worker/job.ts';
import { createPool, type PoolLoad, type PoolWorker } from './worker/pool.ts';
import type { RestPolicy } from './worker/rest-policy.ts';

export interface RendererOptions {
  /** Starts a worker on this folder's worker.ts. Only the program's entry point may do that. */
  readonly startRenderWorker: () => PoolWorker;
  /** Workers at most. One a processor keeps every one busy without taking turns. */
  readonly workers: number;
  /** Jobs that may wait. A worker does a hundred verdicts a second, so 64 wait under a second. */
  readonly queueLimit?: number;
  readonly waitMs?: number;
  readonly timer?: Timer;
  readonly restPolicy?: RestPolicy;
}

/** A client that waits longer than this has usually given up. */
const defaultWaitMs = 3000;

/** Far above the slowest honest job, a picture of 4096 pixels. */
const pictureMs = 10_000;

/** A renderer with workers of its own. */
export interface OwnRenderer extends Renderer {
  load(): PoolLoad;
  close(): Promise<void>;
}

/**
 * Renders and judges on worker threads, so that the thread that answers redirects never waits.
 *
 * @throws RendererBusy from every method, quickly, when there is too much to do, and when no worker starts
 */
export function createRenderer(options: RendererOptions): OwnRenderer {
  const pool = createPool<Job>({ queueLimit: 64, waitMs: defaultWaitMs, ...options });

  // The worker answers each kind of job with its own kind of outcome: `doJob` is the other end.
  const run = <Kind extends Job['kind']>(job: Job & { kind: Kind }, runMs: number) =>
    pool.run(job, runMs) as Promise<Outcomes[Kind]>;

  return {
    checkReadability: (shortLink, design) => run({ kind: 'judge', shortLink, design }, pictureMs),
    svg: (shortLink, design) => run({ kind: 'svg', shortLink, design }, pictureMs),
    png: (shortLink, design, widthPx) =>
      run({ kind: 'png', shortLink, design, widthPx }, pictureMs),
    normalizeLogo: createLogoConverter(),
    load: () => pool.load(),
    close: () => pool.close(),
  };
}
