import { Elysia, NotFoundError } from 'elysia';
import { parseCode } from '../../core/codes/code.ts';
import type { Api } from '../api/routes.ts';
import { createDocs } from '../docs/swagger-ui.ts';
import type { AnswerCounts } from '../ops/metrics.ts';
import { createMetricsPage, type MetricsWorld } from '../ops/metrics-page.ts';
import { notFoundPage, rootPage } from './pages.ts';

/** The pages that belong neither to the API nor to the account panel. */
export function createPublicPages(world: {
  readonly api: Api;
  readonly answers: AnswerCounts;
  readonly metrics: MetricsWorld;
  readonly publicUrl: string;
}) {
  const { api, answers, metrics, publicUrl } = world;
  const pages = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error }) => {
      if (error instanceof NotFoundError) return notFoundPage();
      throw error;
    })
    .use(createMetricsPage(metrics, answers))
    .use(createDocs(api, publicUrl))
    .get('/', () => rootPage(publicUrl));
  refuseShadowed(pages.routes.map(({ path }) => path));
  return pages;
}

/** Short links are looked up before our own pages: none of these may be spelled like a code. */
export function refuseShadowed(paths: readonly string[]): void {
  for (const path of paths)
    if (parseCode(path.slice(1)) !== null)
      throw new Error(`The page ${path} could never be reached: its path is spelled like a code.`);
}
