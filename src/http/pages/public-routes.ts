import { Elysia, NotFoundError } from 'elysia';
import uiStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// Embedded in the executable: nothing is loaded from a CDN.
import uiScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { readEmbedded } from '../../lib/build/embedded.ts';
import { memoize } from '../../lib/memoize.ts';
import type { Api } from '../api/api.ts';
import type { MetricsDeps } from '../ops/metrics.ts';
import type { ResponseCounts } from '../responses.ts';

import { notFoundPage, rootPage } from './scan-pages.ts';

/**
 * Creates the routes outside of the API and the account panel: root, metrics, the OpenAPI document and Swagger UI.
 * The libraries behind metrics and document are loaded on first use, which shortens the start.
 *
 * @param deps.publicUrl without a trailing slash
 */
export function createPublicPages(deps: {
  readonly api: Pick<Api, 'routes'>;
  readonly responses: ResponseCounts;
  readonly metrics: MetricsDeps;
  readonly publicUrl: string;
}) {
  const { api, responses, metrics, publicUrl } = deps;
  const document = memoize(async () => {
    const { openApiDocument } = await import('../api/openapi.ts');
    return openApiDocument(api.routes, publicUrl);
  });
  // As blobs, which all responses share: many slow clients take no memory.
  const script = memoize(async () => new Blob([await readEmbedded(uiScript)]));
  const style = memoize(async () => new Blob([await readEmbedded(uiStyle)]));

  return new Elysia({ strictPath: true, normalize: false })
    .onError(({ error }) => {
      if (error instanceof NotFoundError) return notFoundPage();
      throw error;
    })
    .get('/', () => rootPage(publicUrl))
    .get('/metrics', async () => {
      const { metricsPage } = await import('../ops/metrics.ts');
      return metricsPage(metrics, responses);
    })
    .get('/docs', () =>
      respond(swaggerPage, 'text/html', { 'Content-Security-Policy': pagePolicy }),
    )
    .get('/docs/json', async () => respond(await document(), 'application/json'))
    .get('/docs/swagger-ui.js', async () => respond(await script(), 'text/javascript', oneDay))
    .get('/docs/swagger-ui.css', async () => respond(await style(), 'text/css', oneDay))
    .get('/docs/start.js', () => respond(startScript, 'text/javascript'));
}

const oneDay = { 'Cache-Control': 'public, max-age=86400' };

// Swagger UI sets inline styles.
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const swaggerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
/* Dark text on a dark background in Swagger UI's own style. */
.dark-mode .swagger-ui table.headers td, .dark-mode .swagger-ui table.headers .header-example { color: #e4e6e6 }
.back { margin: 0; padding: .5rem 1.25rem; font: 1rem/1.5 sans-serif }
.back a { display: inline-block; padding: .625rem 0; color: #14684a }
.dark-mode .back a { color: #74d0a4 }
/* Safari's default button grey behind their text has too little contrast. */
.swagger-ui .json-schema-2020-12-accordion, .swagger-ui .json-schema-2020-12-expand-deep-button { background: none }
/* The "Links" column is always empty and too wide for phones. */
.swagger-ui .response-col_links { display: none }
</style>
<script src="docs/start.js"></script>
<script src="docs/swagger-ui.js" defer></script>
</head>
<body>
<p class="back"><a href="account">← Account panel</a></p>
<div id="swagger-ui"></div>
<noscript>
<h1>Waymark API</h1>
<p>This page needs JavaScript. Without it, read the <a href="docs/json">OpenAPI document</a>.</p>
</noscript>
</body>
</html>
`;

// Sets the colour scheme before the page is drawn. "Try it out" sends requests to the page's own origin: the browser
// blocks any other, and a server is often opened under another name than its public one, such as localhost.
const startScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

const here = new URL('.', location.href).href.replace(/\\/$/, '');
const documentUrl = new URL('docs/json', location.href).href;
const useThisServer = (response) => {
  if (response.url !== documentUrl) return response;
  const servers = [{ url: here, description: 'This server' }];
  response.text = JSON.stringify({ ...JSON.parse(response.text), servers });
  return response;
};
// Swagger UI shows SVG as text and keys in clear.
const pictures = (Original, { React }) => (props) =>
  /^image\\/svg/.test(props.contentType) && typeof props.content === 'string'
    ? React.createElement('img', {
        src: 'data:image/svg+xml,' + encodeURIComponent(props.content),
        alt: 'The QR code',
      })
    : React.createElement(Original, props);
const masked = (Original, { React }) => (props) =>
  React.createElement(
    Original,
    props.id === 'auth-bearer-value' ? { ...props, type: 'password', autoComplete: 'off' } : props,
  );
// The page of a new API key gives it to this page while both are open.
const keys = new BroadcastChannel('waymark-key');
keys.addEventListener('message', ({ data }) => {
  if (typeof data.key === 'string') window.ui.preauthorizeApiKey('apiKey', data.key);
});
// Swagger UI gives its selects no names.
const nameSelects = () => {
  for (const select of document.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', select.closest('.servers') ? 'Server' : 'Choose a value');
};
document.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(nameSelects).observe(document.body, { childList: true, subtree: true });
  window.ui = SwaggerUIBundle({
    url: 'docs/json',
    responseInterceptor: useThisServer,
    dom_id: '#swagger-ui',
    deepLinking: true,
    persistAuthorization: false,
    validatorUrl: null,
    onComplete: () => keys.postMessage('wanted'),
    plugins: [() => ({ wrapComponents: { responseBody: pictures, Input: masked } })],
  });
});
`;

function respond(
  body: string | Blob,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, { headers: { 'Content-Type': `${type}; charset=utf-8`, ...headers } });
}
