import { Elysia } from 'elysia';

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
 */
export function makeHealth(check: HealthCheck) {
  return new Elysia().get('/healthz', () => {
    const { problems, warnings } = check();
    return Response.json(
      { status: problems.length === 0 ? 'ok' : 'degraded', problems, warnings },
      { status: problems.length === 0 ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
    );
  });
}
