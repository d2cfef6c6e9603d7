import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { HealthReport } from '../../core/health.ts';
import type { DatabaseSizes } from '../../core/storage.ts';
import { version } from '../../lib/build/version.ts';
import { type ResponseCounts, timedKinds } from '../responses.ts';
import type { Histogram } from './histogram.ts';
import { readDescriptors } from './process.ts';

/** Current values of the rest of the server. */
interface Readings {
  readonly health: HealthReport;
  readonly scans: {
    /** Hits written since the start. */
    readonly committed: number;
    /** Hits buffered in memory because they cannot be written. */
    readonly buffered: number;
    readonly problem: string | null;
    readonly aggregationProblem: string | null;
  };
  readonly sizes: DatabaseSizes;
  /** Time of these values, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** End of the last backup, in milliseconds since the Unix epoch; null if there is none. */
  readonly lastBackupMs: number | null;
  /** Null in redirect-only mode. */
  readonly work: {
    /** Checked destinations since the start. */
    readonly safety: {
      readonly total: number;
      readonly flagged: number;
      readonly partly: number;
      readonly unavailable: number;
    };
    /** Threat lists, without their entries. */
    readonly lists: readonly { readonly source: string; readonly ageMs: number }[];
    readonly rendering: {
      readonly waiting: number;
      readonly running: number;
      /** The remaining counts are since the start. */
      readonly finished: number;
      readonly rejected: number;
      readonly workersLost: number;
    };
  } | null;
}

export interface MetricsDeps {
  readonly read: () => Promise<Readings>;
}

/** Help and value; null for a value that is unknown, of which no sample is written. */
type Metric = readonly [help: string, value: number | null];

/**
 * Returns the page `/metrics` (Prometheus text format). Public: no value names an account or a code.
 *
 * The default collectors of the library are left out, because most of them stay at zero under Bun.
 */
export async function metricsPage(
  { read }: MetricsDeps,
  responses: ResponseCounts,
): Promise<Response> {
  const registry = new Registry();
  const registers = [registry];
  const readings = await read();
  for (const [name, [help, value]] of Object.entries(countersOf(readings, responses)))
    if (value !== null) new Counter({ name, help, registers }).inc(value);
  for (const [name, [help, value]] of Object.entries(gaugesOf(readings)))
    if (value !== null) new Gauge({ name, help, registers }).set(value);

  new Gauge({
    name: 'waymark_build_info',
    help: 'Always 1; the labels name the versions.',
    labelNames: ['version', 'bun'],
    registers,
  }).set({ version, bun: Bun.version }, 1);
  const conditions = new Gauge({
    name: 'waymark_health',
    help: '1 while a condition of the health check holds, 0 otherwise. A problem makes /healthz 503; a warning does not.',
    labelNames: ['condition', 'severity'],
    registers,
  });
  for (const { name, severity, holds } of readings.health.conditions)
    conditions.set({ condition: name, severity }, holds ? 1 : 0);
  const requests = new Counter({
    name: 'waymark_http_requests_total',
    help: 'Responses by kind of path and HTTP status.',
    labelNames: ['route', 'status'],
    registers,
  });
  for (const { route, status, count } of responses.all()) requests.inc({ route, status }, count);
  const hits = new Counter({
    name: 'waymark_hits_total',
    help: 'Hits on active codes by kind, and whether they count as scans.',
    labelNames: ['kind', 'counted'],
    registers,
  });
  for (const { kind, isCounted, count } of responses.hits())
    hits.inc({ kind, counted: isCounted ? 'yes' : 'no' }, count);
  if (readings.work !== null) addSafety(registry, readings.work);

  const text = `${await registry.metrics()}${durationLines(responses)}`;
  return new Response(text, { headers: { 'Content-Type': registry.contentType } });
}

function countersOf(
  { scans, work }: Readings,
  responses: ResponseCounts,
): Readonly<Record<string, Metric>> {
  const cpu = process.cpuUsage();
  return {
    waymark_redirects_total: ['Redirects of short links.', responses.total('short_link', 302)],
    waymark_unknown_codes_total: [
      'Requests for codes that do not exist.',
      responses.total('short_link', 404),
    ],
    waymark_rate_limited_total: [
      'API requests rejected by the rate limit.',
      responses.total('api', 429),
    ],
    waymark_scans_committed_total: [
      'Hits on short links written to disk, including those not counted as scans.',
      scans.committed,
    ],
    waymark_render_jobs_total: [
      'Finished render jobs, failed ones included.',
      work?.rendering.finished ?? null,
    ],
    waymark_render_jobs_refused_total: [
      'Render jobs rejected because too many were waiting.',
      work?.rendering.rejected ?? null,
    ],
    waymark_render_workers_lost_total: [
      'Render workers that crashed or timed out and were replaced.',
      work?.rendering.workersLost ?? null,
    ],
    process_cpu_seconds_total: [
      'Total user and system CPU time in seconds.',
      (cpu.user + cpu.system) / 1e6,
    ],
  };
}

function gaugesOf({
  scans,
  sizes,
  nowMs,
  lastBackupMs,
  work,
}: Readings): Readonly<Record<string, Metric>> {
  const descriptors = readDescriptors();
  return {
    waymark_scans_waiting: [
      'Hits on short links buffered in memory because the database cannot be written.',
      scans.buffered,
    ],
    waymark_database_writable: [
      '1 while scans can be written and counted, 0 otherwise.',
      scans.problem === null && scans.aggregationProblem === null ? 1 : 0,
    ],
    waymark_database_bytes: ['Size of the database.', sizes.databaseBytes],
    waymark_database_log_bytes: ['Size of the write-ahead log of the database.', sizes.walBytes],
    waymark_disk_free_bytes: [
      'Free space on the file system of the data folder.',
      sizes.freeDiskBytes,
    ],
    waymark_last_backup_age_seconds: [
      'Time since the last "waymark backup" succeeded.',
      // One of the future is from a wrong clock.
      lastBackupMs === null || lastBackupMs > nowMs ? null : (nowMs - lastBackupMs) / 1000,
    ],
    waymark_render_jobs_waiting: ['Render jobs in the queue.', work?.rendering.waiting ?? null],
    waymark_render_jobs_running: ['Render jobs in progress.', work?.rendering.running ?? null],
    process_start_time_seconds: [
      'Start time of the process since the Unix epoch in seconds.',
      performance.timeOrigin / 1000,
    ],
    process_resident_memory_bytes: ['Resident memory size in bytes.', process.memoryUsage.rss()],
    process_open_fds: ['Number of open file descriptors.', descriptors.open],
    process_max_fds: ['Maximum number of open file descriptors.', descriptors.limit],
  };
}

function addSafety(
  registry: Registry,
  { safety, lists }: Pick<NonNullable<Readings['work']>, 'safety' | 'lists'>,
): void {
  const { total, flagged, partly, unavailable } = safety;
  const destinations = new Counter({
    name: 'waymark_safe_browsing_answers_total',
    help: 'Checked destinations: clean, flagged, partly (accepted without every check), unavailable (rejected because a check failed).',
    labelNames: ['answer'],
    registers: [registry],
  });
  const clean = Math.max(0, total - flagged - partly - unavailable);
  for (const [answer, count] of Object.entries({ clean, flagged, partly, unavailable }))
    destinations.inc({ answer }, count);
  const listAge = new Gauge({
    name: 'waymark_threat_list_age_seconds',
    help: 'Time since a threat list was imported or updated.',
    labelNames: ['list'],
    registers: [registry],
  });
  for (const { source, ageMs } of lists) listAge.set({ list: source }, ageMs / 1000);
}

const durationName = 'waymark_request_duration_seconds';

/** Writes the durations as histograms, whose counts the library's own histogram cannot take over. */
function durationLines(responses: ResponseCounts): string {
  const lines = timedKinds.flatMap((kind) => histogramLines(kind, responses.durations(kind)));
  return [
    `# HELP ${durationName} Time from the arrival of a request to its response, by kind of request.`,
    `# TYPE ${durationName} histogram`,
    ...lines,
    '',
  ].join('\n');
}

function histogramLines(kind: string, { buckets, sum, count }: ReturnType<Histogram['read']>) {
  return [
    ...buckets.map(
      (bucket) => `${durationName}_bucket{kind="${kind}",le="${bucket.upTo}"} ${bucket.count}`,
    ),
    `${durationName}_bucket{kind="${kind}",le="+Inf"} ${count}`,
    `${durationName}_sum{kind="${kind}"} ${sum}`,
    `${durationName}_count{kind="${kind}"} ${count}`,
  ];
}
