import { Elysia } from 'elysia';
import { memoize } from '../../lib/memoize.ts';
import type { AnswerCounts } from './metrics.ts';

/** What the rest of the server knows of itself, looked up when `/metrics` is asked for. */
export interface Readings {
  readonly scans: {
    /** Hits written since the start. */
    readonly committed: number;
    /** Hits in memory that could not be written yet. */
    readonly waiting: number;
    readonly problem: string | null;
  };
  readonly safety: {
    readonly total: number;
    readonly flagged: number;
    readonly partly: number;
    readonly unavailable: number;
  };
  readonly rendering: {
    readonly waiting: number;
    readonly running: number;
    /** The rest counts from the start. */
    readonly answered: number;
    readonly turnedAway: number;
    readonly workersLost: number;
  };
  readonly databaseBytes: number;
  /** Of the write-ahead log. */
  readonly logBytes: number;
}

/** What `/metrics` says beside the counts of answers. */
export interface MetricsWorld {
  readonly version: string;
  /** Wall clock at the start of the process. */
  readonly startMs: number;
  readonly read: () => Readings;
}

/**
 * `/metrics` in the text format of Prometheus, for anyone: it says nothing about an account or a code.
 * Names and labels are put together when they are asked for, by a library that is loaded then.
 */
export function createMetricsPage(world: MetricsWorld, answers: AnswerCounts) {
  const registry = memoize(async () => {
    const { createRegistry } = await import('./metrics-registry.ts');
    return createRegistry(world, answers.answered);
  });

  return new Elysia().get('/metrics', async () => {
    const all = await registry();
    return new Response(await all.metrics(), {
      headers: { 'Content-Type': all.contentType, 'Cache-Control': 'no-store' },
    });
  });
}
