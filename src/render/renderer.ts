import type { SheetPrinter } from '../core/codes/ports.ts';
import type { Renderer } from '../core/designs/ports.ts';
import { memoize } from '../lib/memoize.ts';
import { digestRenderer } from './identity.macro.ts' with { type: 'macro' };
import type { Job, Outcomes } from './worker/job.ts';
import { createLogoConverter } from './worker/logo-process.ts';
import { createPool, type PoolLoad, type PoolWorker } from './worker/pool.ts';
import type { JobThrottle } from './worker/throttle.ts';

/** Identifies the drawing code: server versions of equal identity draw equal images. */
export const rendererIdentity: string = digestRenderer();

export interface RendererOptions {
  /** Starts a worker on worker/worker.ts. Only the program's entry point can do that. */
  readonly startRenderWorker: () => PoolWorker;
  /** Maximum number of workers. */
  readonly workers: number;
  readonly throttle?: JobThrottle;
}

/** Clients may spend their rate limit of a minute at once: the last job then waits some seconds. */
const queueLimit = 512;

/** The largest picture takes 0.3 s, ten times that on a busy machine. */
const deadlineMs = 20_000;

/** A renderer with its own workers. */
export interface WorkerRenderer extends Renderer {
  /** Loads the printer of sheets and its font on first use. */
  sheetPrinter(): Promise<SheetPrinter>;
  load(): PoolLoad;
  close(): Promise<void>;
}

/**
 * Creates a renderer that draws and checks pictures on worker threads, so that redirects never wait for it.
 *
 * @throws RendererBusy from every method when the queue is full or a worker fails
 */
export function createRenderer(options: RendererOptions): WorkerRenderer {
  const pool = createPool<Job>({ queueLimit, deadlineMs, ...options });

  // The cast is safe: doJob returns the outcome of the job's kind.
  const run = <Kind extends Job['kind']>(job: Job & { kind: Kind }) =>
    pool.run(job) as Promise<Outcomes[Kind]>;

  return {
    checkReadability: (shortLink, design) => run({ kind: 'checkReadability', shortLink, design }),
    checkImage: (shortLink, design) => run({ kind: 'checkImage', shortLink, design }),
    svg: (shortLink, design) => run({ kind: 'svg', shortLink, design }),
    png: (shortLink, design, widthPx) => run({ kind: 'png', shortLink, design, widthPx }),
    normalizeLogo: createLogoConverter(),
    sheetPrinter: memoize(async () => {
      const { createSheetPrinter } = await import('./sheet/sheet.ts');
      return createSheetPrinter({
        page: (page) => run({ kind: 'page', page }),
        logo: (logo) => run({ kind: 'logoImages', logo }),
      });
    }),
    load: () => pool.load(),
    close: () => pool.close(),
  };
}
