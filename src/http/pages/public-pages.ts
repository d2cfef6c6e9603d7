import { Elysia, NotFoundError } from 'elysia';
import { parseCode } from '../../core/codes/code.ts';
import { memoize } from '../../lib/memoize.ts';
import { createDocs } from '../docs/swagger-ui.ts';
import type { ResponseCounts } from '../ops/metrics.ts';
import type { MetricsDeps } from '../ops/metrics-page.ts';
import { notFoundPage, rootPage } from './pages.ts';

/** Creates the routes outside of the API and the account panel: root, API documentation, metrics. */
export function createPublicPages(deps: {
  readonly responses: ResponseCounts;
  readonly metrics: MetricsDeps;
  readonly publicUrl: string;
}) {
  const { responses, metrics, publicUrl } = deps;
  // Most servers have no Prometheus, and its client adds to their memory.
  const metricsPage = memoize(async () => {
    const { createMetricsPage } = await import('../ops/metrics-page.ts');
    return createMetricsPage(metrics, responses);
  });
  const pages = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error }) => {
      if (error instanceof NotFoundError) return notFoundPage();
      throw error;
    })
    .get('/metrics', async () => (await metricsPage())())
    .use(createDocs(publicUrl))
    .get('/', () => rootPage(publicUrl));
  rejectCodePaths(pages.routes.map(({ path }) => path));
  return pages;
}

/**
 * Checks that no page has the path of a short link, which is matched first.
 *
 * @throws Error that names the path
 */
export function rejectCodePaths(paths: readonly string[]): void {
  for (const path of paths)
    if (parseCode(path.slice(1)) !== null)
      throw new Error(`The page ${path} is unreachable: its path is a valid code.`);
}
