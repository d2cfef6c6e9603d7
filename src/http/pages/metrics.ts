import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { ResponseCounts } from '../responses.ts';

/** Current values of the rest of the server. */
interface Readings {
  readonly scans: {
    /** Hits written since the start. */
    readonly committed: number;
    /** Hits buffered in memory because they cannot be written. */
    readonly buffered: number;
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
    readonly finished: number;
    readonly rejected: number;
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

/**
 * Returns the page `/metrics` (Prometheus text format). Public: no value names an account or a code.
 *
 * The default collectors of the library are left out, because most of them stay at zero under Bun.
 */
export async function metricsPage(
  { read, version, startMs }: MetricsDeps,
  responses: ResponseCounts,
): Promise<Response> {
  const registry = new Registry();
  const registers = [registry];
  const { scans, safety, rendering, databaseBytes, logBytes } = read();
  const cpu = process.cpuUsage();

  const counters: Record<string, [help: string, value: number]> = {
    waymark_redirects_total: ['Redirects of short links.', responses.total('short_link', 302)],
    waymark_rate_limited_total: [
      'API requests rejected by the rate limit.',
      responses.total('api', 429),
    ],
    waymark_scans_committed_total: [
      'Hits on short links written to disk, including those not counted as scans.',
      scans.committed,
    ],
    waymark_render_jobs_total: ['Finished render jobs, failed ones included.', rendering.finished],
    waymark_render_jobs_refused_total: [
      'Render jobs rejected because the queue was full.',
      rendering.rejected,
    ],
    waymark_render_workers_lost_total: [
      'Render workers that crashed or timed out and were replaced.',
      rendering.workersLost,
    ],
    process_cpu_seconds_total: [
      'Total user and system CPU time in seconds.',
      (cpu.user + cpu.system) / 1e6,
    ],
  };
  for (const [name, [help, value]] of Object.entries(counters))
    new Counter({ name, help, registers }).inc(value);

  const gauges: Record<string, [help: string, value: number]> = {
    waymark_scans_waiting: [
      'Hits on short links buffered in memory because the database cannot be written.',
      scans.buffered,
    ],
    waymark_database_writable: [
      '1 while scans can be written, 0 otherwise.',
      scans.problem === null ? 1 : 0,
    ],
    waymark_database_bytes: ['Size of the database.', databaseBytes],
    waymark_database_log_bytes: ['Size of the write-ahead log of the database.', logBytes],
    waymark_render_jobs_waiting: ['Render jobs in the queue.', rendering.waiting],
    waymark_render_jobs_running: ['Render jobs in progress.', rendering.running],
    process_start_time_seconds: [
      'Start time of the process since the Unix epoch in seconds.',
      startMs / 1000,
    ],
    process_resident_memory_bytes: ['Resident memory size in bytes.', process.memoryUsage.rss()],
  };
  for (const [name, [help, value]] of Object.entries(gauges))
    new Gauge({ name, help, registers }).set(value);

  new Gauge({
    name: 'waymark_build_info',
    help: 'Always 1; the labels name the versions.',
    labelNames: ['version', 'bun'],
    registers,
  }).set({ version, bun: Bun.version }, 1);
  const requests = new Counter({
    name: 'waymark_http_requests_total',
    help: 'Responses by kind of path and HTTP status.',
    labelNames: ['route', 'status'],
    registers,
  });
  for (const { route, status, count } of responses.all()) requests.inc({ route, status }, count);
  const destinations = new Counter({
    name: 'waymark_safe_browsing_answers_total',
    help: 'Checked destinations: clean, flagged, partly (accepted without every check), unavailable (rejected because a check failed).',
    labelNames: ['answer'],
    registers,
  });
  const { total, flagged, partly, unavailable } = safety;
  const clean = Math.max(0, total - flagged - partly - unavailable);
  for (const [answer, count] of Object.entries({ clean, flagged, partly, unavailable }))
    destinations.inc({ answer }, count);

  return new Response(await registry.metrics(), {
    headers: { 'Content-Type': registry.contentType },
  });
}
