import { Elysia, NotFoundError } from 'elysia';
import { memoize } from '../lib/memoize.ts';
import type { MetricsDeps } from '../redirect/metrics/metrics.ts';
import type { Addresses } from '../redirect/pages/layout.ts';
import { notFoundPage, rootPage, visitOf } from '../redirect/pages/scan-pages.ts';
import { readingsOf } from '../redirect/pass-on.ts';
import type { Api } from './api/api.ts';
import { createSwaggerUi, swaggerPage } from './docs/swagger-ui.ts';

/**
 * Creates the routes outside of the API and the account panel.
 * Root, metrics, the OpenAPI document and Swagger UI. The libraries behind metrics and document are loaded on first
 * use, which shortens the start.
 *
 * @param deps.drawCode returns the SVG of a QR code with a text
 * @param deps.isSignedIn returns whether a request has the cookie of a session, valid or not
 */
export function createPublicPages(deps: {
  readonly api: Pick<Api, 'routes'>;
  readonly metrics: MetricsDeps;
  readonly addresses: Addresses;
  readonly drawCode: (text: string) => Promise<string>;
  readonly isSignedIn: (request: Request) => boolean;
}) {
  const { api, metrics, addresses, drawCode, isSignedIn } = deps;
  const document = memoize(async () => {
    const { openApiDocument } = await import('./api/openapi.ts');
    return openApiDocument(api.routes, addresses.publicUrl);
  });
  const rootCode = memoize(() => drawCode(`${addresses.shortUrl}/`));
  const swaggerUi = createSwaggerUi();

  return new Elysia({ strictPath: true, normalize: false })
    .onError(({ error, request }) => {
      if (error instanceof NotFoundError) return notFoundPage(visitOf(addresses, request));
      throw error;
    })
    .get('/', async ({ request }) =>
      rootPage(visitOf(addresses, request), {
        isSignedIn: isSignedIn(request),
        code: await rootCode(),
      }),
    )
    .get('/metrics', async ({ request }) => {
      const { metricsPage } = await import('../redirect/metrics/metrics.ts');
      return metricsPage({ redirects: readingsOf(request), ...(await metrics.read()) });
    })
    .get('/docs', swaggerPage)
    .get('/docs/json', async () => respond(await document(), 'application/json'))
    .get('/docs/swagger-ui.js', ({ request }) => swaggerUi['/docs/swagger-ui.js'](request))
    .get('/docs/swagger-ui.css', ({ request }) => swaggerUi['/docs/swagger-ui.css'](request))
    .get('/docs/start.js', ({ request }) => swaggerUi['/docs/start.js'](request));
}

function respond(body: string, type: string): Response {
  return new Response(body, { headers: { 'Content-Type': `${type}; charset=utf-8` } });
}
