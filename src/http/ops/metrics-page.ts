import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { type ResponseCounts, routeClasses, statusLimit } from './metrics.ts';

/** Current values of the rest of the server. */
export interface Readings {
  readonly scans: {
    /** Hits written since the start. */
    readonly committed: number;
    /** Hits buffered in memory because they cannot be written. */
    readonly waiting: number;
    readonly problem: string | null;
  };
  /** Checked destinations since the start. */
  readonly safety: {
    readonly total: number;
    readonly flagged: number;
    readonly partly: number;
    readonly unavailable: number;
  };
  readonly rendering: {
    readonly waiting: number;
    readonly running: number;
    /** The remaining counts are since the start. */
    readonly answered: number;
    readonly turnedAway: number;
    readonly workersLost: number;
  };
  readonly databaseBytes: number;
  /** Size of the write-ahead log. */
  readonly logBytes: number;
}

export interface MetricsDeps {
  readonly version: string;
  /** Wall clock at the start of the process. */
  readonly startMs: number;
  readonly read: () => Readings;
}

/** One value, or one per combination of labels. */
type Values = number | readonly (readonly [labels: Record<string, string | number>, number])[];

/**
 * Creates the handler of `/metrics` (Prometheus text format). Public: no value names an account or a code.
 *
 * The default collectors of the library are left out, because most of them stay at zero under Bun.
 */
export function createMetricsPage(deps: MetricsDeps, responses: ResponseCounts) {
  const registry = new Registry();
  const counter = (name: string, help: string, read: () => Values, labelNames: string[] = []) =>
    new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        const values = read();
        if (typeof values === 'number') this.inc(values);
        else for (const [labels, value] of values) this.inc(labels, value);
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  const { read, version, startMs } = deps;

  counter(
    'waymark_http_requests_total',
    'Responses by kind of path and HTTP status.',
    () => responseValues(responses),
    ['route', 'status'],
  );
  counter('waymark_redirects_total', 'Redirects of short links.', () =>
    responses.total('short_link', 302),
  );
  counter('waymark_rate_limited_total', 'API requests rejected by the rate limit.', () =>
    responses.total('api', 429),
  );
  counter(
    'waymark_scans_committed_total',
    'Hits on short links written to disk, including those not counted as scans.',
    () => read().scans.committed,
  );
  gauge(
    'waymark_scans_waiting',
    'Hits on short links buffered in memory because the database cannot be written.',
    () => read().scans.waiting,
  );
  gauge('waymark_database_writable', '1 while scans can be written, 0 otherwise.', () =>
    read().scans.problem === null ? 1 : 0,
  );
  gauge('waymark_database_bytes', 'Size of the database.', () => read().databaseBytes);
  gauge(
    'waymark_database_log_bytes',
    'Size of the write-ahead log of the database.',
    () => read().logBytes,
  );
  counter(
    'waymark_safe_browsing_answers_total',
    'Checked destinations: clean, flagged, partly (accepted without every check), unavailable (rejected because a check failed).',
    () => safetyValues(read().safety),
    ['answer'],
  );
  gauge('waymark_render_jobs_waiting', 'Render jobs in the queue.', () => read().rendering.waiting);
  gauge('waymark_render_jobs_running', 'Render jobs in progress.', () => read().rendering.running);
  counter(
    'waymark_render_jobs_total',
    'Finished render jobs, failed ones included.',
    () => read().rendering.answered,
  );
  counter(
    'waymark_render_jobs_refused_total',
    'Render jobs rejected because the queue was full.',
    () => read().rendering.turnedAway,
  );
  counter(
    'waymark_render_workers_lost_total',
    'Render workers that crashed or timed out and were replaced.',
    () => read().rendering.workersLost,
  );
  new Gauge({
    name: 'waymark_build_info',
    help: 'Always 1; the labels name the versions.',
    labelNames: ['version', 'bun'],
    registers: [registry],
  }).set({ version, bun: Bun.version }, 1);
  // These three have the names that every Prometheus client uses.
  gauge(
    'process_start_time_seconds',
    'Start time of the process since the Unix epoch in seconds.',
    () => startMs / 1000,
  );
  gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', () =>
    process.memoryUsage.rss(),
  );
  counter('process_cpu_seconds_total', 'Total user and system CPU time in seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });

  return async (): Promise<Response> =>
    new Response(await registry.metrics(), {
      headers: { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' },
    });
}

function responseValues(responses: ResponseCounts): Values {
  return routeClasses.flatMap((route) =>
    Array.from({ length: statusLimit }, (_, status) => status)
      .filter((status) => responses.total(route, status) > 0)
      .map((status) => [{ route, status }, responses.total(route, status)] as const),
  );
}

function safetyValues({ total, flagged, partly, unavailable }: Readings['safety']): Values {
  const clean = Math.max(0, total - flagged - partly - unavailable);
  return Object.entries({ clean, flagged, partly, unavailable }).map(
    ([answer, count]) => [{ answer }, count] as const,
  );
}
