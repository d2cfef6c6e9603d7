/** State of the server. */
export interface Health {
  /** What the server cannot do now. */
  readonly problems: readonly string[];
  /** What an operator should look at while everything works. */
  readonly warnings: readonly string[];
}

/** Returns the state of the server without waiting. */
export type HealthCheck = () => Health;

/**
 * Responds to `/healthz` and `/healthz/live`; returns null for any other path or method.
 *
 * `/healthz` is 200, or 503 with the problems. `/healthz/live` is 200 while the process responds at all: a
 * restart would not free a full disk, and would lose the scans buffered in memory.
 */
export function healthResponse(
  { method }: Pick<Request, 'method'>,
  path: string,
  check: HealthCheck,
): Response | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/healthz/live') return uncached(200, { status: 'ok' });
  if (path !== '/healthz') return null;
  const { problems, warnings } = check();
  const healthy = problems.length === 0;
  return uncached(healthy ? 200 : 503, {
    status: healthy ? 'ok' : 'degraded',
    problems,
    warnings,
  });
}

function uncached(status: 200 | 503, body: Readonly<Record<string, unknown>>): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}
