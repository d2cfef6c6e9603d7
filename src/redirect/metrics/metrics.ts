import type { DatabaseSizes } from '../../core/health.ts';
import { type HealthReport, joinByName } from '../../core/health.ts';
import { hitKinds } from '../../core/scans/hit.ts';
import { version } from '../../lib/build/version.ts';
import { addHistograms, type ResponseReadings, type RouteClass, timedKinds } from '../responses.ts';
import { type Metric, metricsContentType, writeMetrics } from './exposition.ts';
import type { ProcessReadings } from './process.ts';

/** What one process of the server has counted. */
interface ProcessPart {
  readonly responses: ResponseReadings;
  readonly conditions: HealthReport['conditions'];
  readonly process: ProcessReadings;
}

/** Current values of the redirect server: plain data, which it sends to the app as JSON. */
export interface RedirectReadings extends ProcessPart {
  readonly scans: {
    /** Whether hits are written at all. */
    readonly areRecorded: boolean;
    /** Hits written since the start. */
    readonly committed: number;
    /** Hits that wait because they cannot be written. */
    readonly buffered: number;
    readonly problem: string | null;
  };
}

/** Current values of both processes. */
interface Readings {
  readonly redirects: RedirectReadings;
  /** Null while the server only redirects. */
  readonly app: (ProcessPart & { readonly work: Work }) | null;
  /** Null where they are unknown. */
  readonly sizes: DatabaseSizes | null;
  /** Time of these values, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** End of the last backup, in milliseconds since the Unix epoch; null if there is none. */
  readonly lastBackupMs: number | null;
}

interface Work {
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
}

/** Reads the values of the app; those of the redirect server come with the request. */
export interface MetricsDeps {
  readonly read: () => Promise<Omit<Readings, 'redirects'>>;
}

/** Help and value; null for a value that is unknown, which is not written. */
type Figure = readonly [help: string, value: number | null];

/** Returns the page `/metrics` (Prometheus text format). Public: no value names an account or a code. */
export function metricsPage(readings: Readings): Response {
  const { redirects, app } = readings;
  // With one process for both, its values are those of the redirect server.
  const parts =
    app === null || app.process.pid === redirects.process.pid ? [redirects] : [redirects, app];
  const counted = sumOf(redirects.responses, app?.responses ?? null);
  const metrics = [
    ...metricsOf('counter', countersOf(readings, counted, parts)),
    ...metricsOf('gauge', gaugesOf(readings, parts)),
    ...labelledMetrics(redirects, app, counted),
    ...processMetrics(redirects, parts.length > 1 ? app : null),
    ...(app === null ? [] : safetyMetrics(app.work)),
    durationMetric(counted),
  ];
  return new Response(writeMetrics(metrics), { headers: { 'Content-Type': metricsContentType } });
}

function metricsOf(type: 'counter' | 'gauge', figures: Readonly<Record<string, Figure>>): Metric[] {
  return Object.entries(figures).flatMap(([name, [help, value]]) =>
    value === null ? [] : [{ name, help, type, samples: [{ labels: {}, value }] }],
  );
}

/** Returns what is the same in both processes, by its labels. */
function labelledMetrics(
  redirects: RedirectReadings,
  app: ProcessPart | null,
  counted: ResponseReadings,
): Metric[] {
  const conditions = joinByName([...redirects.conditions, ...(app?.conditions ?? [])]);
  return [
    {
      name: 'waymark_build_info',
      help: 'Always 1; the labels name the versions.',
      type: 'gauge',
      samples: [{ labels: { version, bun: Bun.version }, value: 1 }],
    },
    {
      name: 'waymark_health',
      help: '1 while a condition of the health check holds, 0 otherwise. A problem makes /healthz 503; a warning does not.',
      type: 'gauge',
      samples: conditions.map(({ name, severity, holds }) => ({
        labels: { condition: name, severity },
        value: holds ? 1 : 0,
      })),
    },
    {
      name: 'waymark_http_requests_total',
      help: 'Responses by kind of path and HTTP status.',
      type: 'counter',
      samples: counted.responses.map(({ route, status, count }) => ({
        labels: { route, status: String(status) },
        value: count,
      })),
    },
    {
      name: 'waymark_hits_total',
      help: 'Hits on active codes by kind, and whether they count as scans.',
      type: 'counter',
      samples: hitKinds.map((kind) => {
        const isCounted = kind === 'scan' && redirects.scans.areRecorded;
        return { labels: { kind, counted: isCounted ? 'yes' : 'no' }, value: counted.hits[kind] };
      }),
    },
  ];
}

/** Adds what both processes have counted. */
function sumOf(a: ResponseReadings, b: ResponseReadings | null): ResponseReadings {
  if (b === null) return a;
  return {
    // A process answers paths of its own, but for a few errors: `writeMetrics` adds those with equal labels.
    responses: [...a.responses, ...b.responses],
    hits: a.hits,
    durations: {
      redirect: addHistograms(a.durations.redirect, b.durations.redirect),
      unknown_code: addHistograms(a.durations.unknown_code, b.durations.unknown_code),
      api: addHistograms(a.durations.api, b.durations.api),
    },
  };
}

function totalOf({ responses }: ResponseReadings, route: RouteClass, status: number): number {
  return responses
    .filter((one) => one.route === route && one.status === status)
    .reduce((sum, { count }) => sum + count, 0);
}

/** Adds a value of all processes; null where that of one is unknown. */
function sumBy(
  parts: readonly ProcessPart[],
  value: (process: ProcessReadings) => number | null,
): number | null {
  return parts.reduce<number | null>((sum, part) => {
    const one = value(part.process);
    return sum === null || one === null ? null : sum + one;
  }, 0);
}

function countersOf(
  { redirects, app }: Readings,
  counted: ResponseReadings,
  parts: readonly ProcessPart[],
): Readonly<Record<string, Figure>> {
  const { scans } = redirects;
  const work = app?.work;
  return {
    waymark_redirects_total: ['Redirects of short links.', totalOf(counted, 'short_link', 302)],
    waymark_unknown_codes_total: [
      'Requests for codes that do not exist.',
      totalOf(counted, 'short_link', 404),
    ],
    waymark_rate_limited_total: [
      'API requests rejected by the rate limit.',
      totalOf(counted, 'api', 429),
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
      'Total user and system CPU time of both processes in seconds.',
      sumBy(parts, ({ cpuSeconds }) => cpuSeconds),
    ],
  };
}

function gaugesOf(
  { redirects, app, sizes, nowMs, lastBackupMs }: Readings,
  parts: readonly ProcessPart[],
): Readonly<Record<string, Figure>> {
  const { scans, process } = redirects;
  const work = app?.work;
  return {
    waymark_scans_waiting: [
      'Hits on short links that wait because the database cannot be written.',
      scans.buffered,
    ],
    waymark_database_writable: [
      '1 while scans can be written and counted, 0 otherwise.',
      scans.problem === null && !holds(app, 'scans_not_aggregated') ? 1 : 0,
    ],
    waymark_database_bytes: ['Size of the database.', sizes?.databaseBytes ?? null],
    waymark_database_log_bytes: [
      'Size of the write-ahead log of the database.',
      sizes?.walBytes ?? null,
    ],
    waymark_disk_free_bytes: [
      'Free space on the file system of the data folder.',
      sizes?.freeDiskBytes ?? null,
    ],
    waymark_last_backup_age_seconds: [
      'Time since the last "waymark backup" succeeded.',
      // One of the future is from a wrong clock.
      lastBackupMs === null || lastBackupMs > nowMs ? null : (nowMs - lastBackupMs) / 1000,
    ],
    waymark_render_jobs_waiting: ['Render jobs in the queue.', work?.rendering.waiting ?? null],
    waymark_render_jobs_running: ['Render jobs in progress.', work?.rendering.running ?? null],
    process_start_time_seconds: [
      'Start time of the redirect server since the Unix epoch in seconds.',
      process.startSeconds,
    ],
    process_resident_memory_bytes: [
      'Resident memory size of both processes in bytes.',
      sumBy(parts, ({ residentBytes }) => residentBytes),
    ],
    process_open_fds: [
      'Number of open file descriptors of the redirect server.',
      process.descriptors.open,
    ],
    process_max_fds: [
      'Maximum number of open file descriptors of the redirect server.',
      process.descriptors.limit,
    ],
  };
}

/** Returns what each process takes, by its name. */
function processMetrics(redirects: ProcessPart, app: ProcessPart | null): Metric[] {
  const named = [
    { process: 'redirect', readings: redirects.process },
    ...(app === null ? [] : [{ process: 'app', readings: app.process }]),
  ];
  return [
    {
      name: 'waymark_process_cpu_seconds_total',
      help: 'User and system CPU time of a process in seconds: redirect (short links) or app (API, panel, background work).',
      type: 'counter',
      samples: named.map(({ process, readings }) => ({
        labels: { process },
        value: readings.cpuSeconds,
      })),
    },
    {
      name: 'waymark_process_resident_memory_bytes',
      help: 'Resident memory size of a process in bytes.',
      type: 'gauge',
      samples: named.flatMap(({ process, readings: { residentBytes } }) =>
        residentBytes === null ? [] : [{ labels: { process }, value: residentBytes }],
      ),
    },
  ];
}

/** Returns whether a condition of the app holds. */
function holds(app: ProcessPart | null, name: string): boolean {
  return app?.conditions.some((one) => one.name === name && one.holds) === true;
}

function safetyMetrics({ safety, lists }: Work): Metric[] {
  const { total, flagged, partly, unavailable } = safety;
  const clean = Math.max(0, total - flagged - partly - unavailable);
  return [
    {
      name: 'waymark_safe_browsing_answers_total',
      help: 'Checked destinations: clean, flagged, partly (accepted without every check), unavailable (rejected because a check failed).',
      type: 'counter',
      samples: Object.entries({ clean, flagged, partly, unavailable }).map(([answer, value]) => ({
        labels: { answer },
        value,
      })),
    },
    {
      name: 'waymark_threat_list_age_seconds',
      help: 'Time since a threat list was imported or updated.',
      type: 'gauge',
      samples: lists.map(({ source, ageMs }) => ({
        labels: { list: source },
        value: ageMs / 1000,
      })),
    },
  ];
}

function durationMetric({ durations }: ResponseReadings): Metric {
  return {
    name: 'waymark_request_duration_seconds',
    help: 'Time from the arrival of a request to its response, by kind of request.',
    type: 'histogram',
    samples: timedKinds.map((kind) => ({ labels: { kind }, value: durations[kind] })),
  };
}
