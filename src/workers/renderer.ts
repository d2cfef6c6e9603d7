import type { FileReaders } from '../core/batches/ports.ts';
import type { SheetPrinter } from '../core/codes/ports.ts';
import type { Renderer, RendererFor } from '../core/designs/ports.ts';
import { ownWork, type Requester } from '../core/fair-queue.ts';
import { createFileReaders } from './file-readers.ts';
import type { Job, Jobs } from './job.ts';
import { createPool, type PoolLoad, type PoolOptions } from './pool.ts';

export interface RendererOptions extends Pick<PoolOptions, 'startRenderWorker'> {
  /** Files and folders with fonts for captions on sheets; none means those of the system. */
  readonly fonts?: readonly string[];
  /** Maximum number of workers, and of those that work for one owner at the same time; by default all. */
  readonly workers: number;
  readonly workersPerOwner?: number;
}

/** Clients may spend their rate limit of a minute at once: the last job then waits some seconds. */
const maxWaitingPerOwner = 512;
const maxWaiting = 1024;

/**
 * The largest picture takes 0.3 s, and so does the start of a worker.
 * A busy main thread uses up to ten times as much meanwhile, and so does each of the workers.
 */
const cpuMsPerThread = 20_000;
const wallMs = 300_000;

/** A renderer with its own workers. Its methods do the server's own work. */
export interface WorkerRenderer extends Renderer {
  readonly for: RendererFor;
  /** Loads the printer of sheets and its font on first use. */
  sheetPrinterFor(requester: Requester): Promise<SheetPrinter>;
  /** Read files of users in processes of their own. */
  readonly files: FileReaders;
  load(): PoolLoad;
  close(): Promise<void>;
}

/**
 * Creates a renderer that draws and checks pictures on worker threads.
 * Other requests never wait for it.
 *
 * @throws ServerBusy from every method when too many jobs wait or a worker fails
 */
export function createRenderer(options: RendererOptions): WorkerRenderer {
  const { workers, workersPerOwner = workers } = options;
  const pool = createPool<Job>({
    ...options,
    limits: { cpuMs: (workers + 1) * cpuMsPerThread, wallMs },
    queue: { slots: workers, slotsPerOwner: workersPerOwner, maxWaiting, maxWaitingPerOwner },
  });
  const files = createFileReaders();

  /** Returns a function that has a worker do a job. */
  const job =
    <Name extends keyof Jobs>(name: Name, requester: Requester) =>
    (...args: Parameters<Jobs[Name]>) =>
      // The casts are safe: the arguments and the result are those of the job of this name.
      pool.run({ name, args } as Job, requester) as ReturnType<Jobs[Name]>;

  const rendererFor: RendererFor = (requester) => ({
    checkReadability: job('checkReadability', requester),
    checkImage: job('checkImage', requester),
    svg: job('svg', requester),
    png: job('png', requester),
    printImage: job('printImage', requester),
    screenImage: job('screenImage', requester),
    logoThumbnail: job('logoThumbnail', requester),
    normalizeLogo: (bytes) => files.convertLogo(bytes, requester),
  });

  return {
    ...rendererFor(ownWork),
    for: rendererFor,
    files,
    sheetPrinterFor: async (requester) => {
      const { createSheetPrinter } = await import('../render/sheet/sheet.ts');
      const workers = { page: job('page', requester), logo: job('logo', requester) };
      return createSheetPrinter(workers, options.fonts ?? []);
    },
    load: () => pool.load(),
    close: () => pool.close(),
  };
}
