import { Elysia } from 'elysia';

/** What stands in the way of serving well; nothing when all is well. */
export type HealthCheck = () => readonly string[];

/**
 * `/healthz`: 200 while the server does all it promises, 503 with the reasons while it does not.
 * Redirects go on either way.
 */
export function makeHealth(check: HealthCheck) {
  return new Elysia().get('/healthz', () => {
    const problems = check();
    return Response.json(
      { status: problems.length === 0 ? 'ok' : 'degraded', problems },
      { status: problems.length === 0 ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
    );
  });
}
