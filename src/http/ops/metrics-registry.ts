import { Counter, Gauge, Registry } from '@prometheus-io/client';
import { type RouteClass, routeClasses, statuses } from './metrics.ts';
import type { MetricsWorld, Readings } from './metrics-page.ts';

/**
 * Everything that `/metrics` says, under its names.
 *
 * The default collectors of the library are left out: under Bun most of them stay at zero.
 *
 * @param answered how many answers of a kind had a status
 */
export function createRegistry(
  world: MetricsWorld,
  answered: (route: RouteClass, status: number) => number,
): Registry {
  const registry = new Registry();
  addHttpCounters(registry, answered);
  addReadings(registry, world.read);
  addRendering(registry, () => world.read().rendering);
  addProcess(registry, world);
  return registry;
}

function addHttpCounters(
  registry: Registry,
  answered: (route: RouteClass, status: number) => number,
): void {
  const seen = () =>
    routeClasses.flatMap((route) =>
      Array.from({ length: statuses }, (_, status) => ({
        route,
        status,
        count: answered(route, status),
      })).filter(({ count }) => count > 0),
    );
  new Counter({
    name: 'waymark_http_requests_total',
    help: 'Answered requests by kind of address and HTTP status.',
    labelNames: ['route', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { route, status, count } of seen()) this.inc({ route, status }, count);
    },
  });
  addCounter(registry, 'waymark_redirects_total', 'Short links that were followed.', () =>
    answered('short_link', 302),
  );
  addCounter(
    registry,
    'waymark_rate_limited_total',
    'Requests to the API that were refused because their key had used up its minute.',
    () => answered('api', 429),
  );
}

function addReadings(registry: Registry, read: () => Readings): void {
  addCounter(
    registry,
    'waymark_scans_committed_total',
    'Hits on short links written to disk, those that count as scans and those that do not.',
    () => read().scans.committed,
  );
  addGauge(
    registry,
    'waymark_scans_waiting',
    'Hits on short links that wait in memory because the database cannot be written.',
    () => read().scans.waiting,
  );
  addGauge(
    registry,
    'waymark_database_writable',
    '1 while scans can be written, 0 while they cannot.',
    () => (read().scans.problem === null ? 1 : 0),
  );
  addGauge(registry, 'waymark_database_bytes', 'Size of the database.', () => read().databaseBytes);
  addGauge(
    registry,
    'waymark_database_log_bytes',
    'Size of the write-ahead log beside the database.',
    () => read().logBytes,
  );
  new Counter({
    name: 'waymark_safe_browsing_answers_total',
    help: 'Checked destinations: clean, flagged, partly (allowed, not everything could be asked), unavailable (refused for that).',
    labelNames: ['answer'],
    registers: [registry],
    collect() {
      const { total, flagged, partly, unavailable } = read().safety;
      this.reset();
      this.inc({ answer: 'clean' }, Math.max(0, total - flagged - partly - unavailable));
      this.inc({ answer: 'flagged' }, flagged);
      this.inc({ answer: 'partly' }, partly);
      this.inc({ answer: 'unavailable' }, unavailable);
    },
  });
}

function addRendering(registry: Registry, read: () => Readings['rendering']): void {
  addGauge(
    registry,
    'waymark_render_jobs_waiting',
    'Pictures that wait to be drawn or read back.',
    () => read().waiting,
  );
  addGauge(
    registry,
    'waymark_render_jobs_running',
    'Pictures that are being drawn or read back.',
    () => read().running,
  );
  addCounter(
    registry,
    'waymark_render_jobs_total',
    'Pictures that were drawn or read back, well or badly.',
    () => read().answered,
  );
  addCounter(
    registry,
    'waymark_render_jobs_refused_total',
    'Pictures that were not drawn because too many waited.',
    () => read().turnedAway,
  );
  addCounter(
    registry,
    'waymark_render_workers_lost_total',
    'Render workers that died or took too long, and were replaced.',
    () => read().workersLost,
  );
}

/** Under the names that every Prometheus client gives them. */
function addProcess(
  registry: Registry,
  { version, startMs }: { version: string; startMs: number },
): void {
  new Gauge({
    name: 'waymark_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'bun'],
    registers: [registry],
  }).set({ version, bun: Bun.version }, 1);
  addGauge(
    registry,
    'process_start_time_seconds',
    'Start of the process, in seconds since the epoch.',
    () => startMs / 1000,
  );
  addGauge(registry, 'process_resident_memory_bytes', 'Memory in use.', () =>
    process.memoryUsage.rss(),
  );
  addCounter(registry, 'process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
}

function addCounter(registry: Registry, name: string, help: string, value: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(value());
    },
  });
}

function addGauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value());
    },
  });
}
