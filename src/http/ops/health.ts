import type { HealthReport } from '../../core/health.ts';

/**
 * Responds to `/healthz` and `/healthz/live`; returns null for any other path or method.
 *
 * `/healthz` is 200, or 503 with the problems. `/healthz/live` is 200 while the process responds at all: a
 * restart would not free a full disk, and would lose scans that are buffered in memory.
 */
export function healthResponse(
  { method }: Request,
  path: string,
  readHealth: () => Promise<HealthReport>,
): Promise<Response> | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/healthz/live') return Promise.resolve(Response.json({ status: 'ok' }));
  if (path !== '/healthz') return null;
  return readHealth().then(({ problems, warnings }) =>
    problems.length === 0
      ? Response.json({ status: 'ok', problems, warnings })
      : Response.json({ status: 'degraded', problems, warnings }, { status: 503 }),
  );
}
