import { ApiError } from '../core/errors.ts';
import { type MetricsDeps, metricsPage } from './ops/metrics.ts';
import { redirectOnlyPage } from './pages/scan-pages.ts';
import { errorResponse, type ResponseCounts, retryAfterOperator } from './responses.ts';
import type { App } from './site.ts';

/**
 * Creates everything except short links and health for a server that only redirects: metrics, and 503 for
 * the rest.
 */
export function createRedirectOnlyApp(deps: {
  readonly metrics: MetricsDeps;
  readonly responses: ResponseCounts;
}): App {
  const { metrics, responses } = deps;
  const error = new ApiError(
    'unavailable',
    'This server only redirects at the moment. Nothing was changed. Printed codes continue to redirect.',
    retryAfterOperator,
  );
  return {
    api: { fetch: async () => errorResponse(error) },
    panel: async () => redirectOnlyPage(),
    pages: (request) =>
      new URL(request.url).pathname === '/metrics' &&
      (request.method === 'GET' || request.method === 'HEAD')
        ? metricsPage(metrics, responses)
        : redirectOnlyPage(),
  };
}
