import { Elysia } from 'elysia';

/** What kinds of addresses there are. Never a code, an account or a path: those have no end. */
export const routeClasses = ['short_link', 'api', 'account', 'page'] as const;
export type RouteClass = (typeof routeClasses)[number];

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

export type Metrics = ReturnType<typeof makeMetrics>;

/** Statuses are counted below this. */
export const statuses = 600;

/**
 * Counts answers, and says everything in the text format of Prometheus. Counting is one addition in
 * an array, because a phone waits; names and labels are put together when they are asked for.
 *
 * The library is loaded when it is first asked: a start would take a quarter longer.
 *
 * @param startMs wall clock at the start of the process
 */
export function makeMetrics(world: {
  readonly version: string;
  readonly startMs: number;
  readonly read: () => Readings;
}) {
  const answers = routeClasses.map(() => new Float64Array(statuses));
  const answered = (route: RouteClass, status: number) =>
    answers[routeClasses.indexOf(route)]?.[status] ?? 0;

  let registry: Promise<{ metrics(): Promise<string>; readonly contentType: string }> | undefined;

  return {
    count: (route: RouteClass, status: number): void => {
      const counts = answers[routeClasses.indexOf(route)];
      if (counts !== undefined && status < statuses) counts[status] = (counts[status] ?? 0) + 1;
    },
    /** The whole page, and its content type. */
    text: async () => {
      registry ??= import('./metrics-registry.ts').then(({ makeRegistry }) =>
        makeRegistry(world, answered),
      );
      const all = await registry;
      return { body: await all.metrics(), type: all.contentType };
    },
  };
}

/** `/metrics`, for anyone: it says nothing about an account or a code. */
export function makeMetricsPage(metrics: Metrics) {
  return new Elysia().get('/metrics', async () => {
    const { body, type } = await metrics.text();
    return new Response(body, { headers: { 'Content-Type': type, 'Cache-Control': 'no-store' } });
  });
}
