/** How the server is. */
export interface Health {
  /** Promises that it cannot keep now. */
  readonly problems: readonly string[];
  /** What an operator should look at, while every promise is kept. */
  readonly warnings: readonly string[];
}

/** Tells how the server is, at once. */
export type HealthCheck = () => Health;

/**
 * `/healthz`: 200 while the server does all it promises, 503 with the reasons while it does not.
 * Redirects go on either way.
 *
 * `/healthz/live`: 200 as long as anything is answered at all, for whatever restarts a process that
 * hangs. A restart mends no full disk, and would lose the scans that wait in memory for space.
 *
 * @returns null for any other path, and for what does not ask
 */
export function healthAnswer(
  { method }: Pick<Request, 'method'>,
  path: string,
  check: HealthCheck,
): Response | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/healthz/live') return answer(200, { status: 'ok' });
  if (path !== '/healthz') return null;
  const { problems, warnings } = check();
  const ready = problems.length === 0;
  return answer(ready ? 200 : 503, { status: ready ? 'ok' : 'degraded', problems, warnings });
}

function answer(status: 200 | 503, body: Readonly<Record<string, unknown>>): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}
