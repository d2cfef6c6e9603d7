import { Elysia } from 'elysia';
import uiStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// The assets of Swagger UI travel inside the executable; nothing is fetched from a CDN.
import uiScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { memoize } from '../../lib/memoize.ts';
import type { Api } from '../api/routes.ts';

/**
 * The OpenAPI document at `/docs/json` and Swagger UI at `/docs`. What writes the document is loaded when
 * it is first asked for: a start would take a fifth longer.
 *
 * @param api whose routes are documented
 * @param publicUrl where clients reach the server, without a trailing slash
 */
export function createDocs(api: Api, publicUrl: string) {
  const document = memoize(async () => {
    const { openApiDocument } = await import('./openapi-document.ts');
    return openApiDocument(api, publicUrl);
  });

  return new Elysia()
    .get('/docs', () => html(swaggerPage))
    .get('/docs/json', async () =>
      Response.json(await document(), { headers: { 'X-Content-Type-Options': 'nosniff' } }),
    )
    .get('/docs/swagger-ui.js', () => asset(uiScript, 'text/javascript; charset=utf-8'))
    .get('/docs/swagger-ui.css', () => asset(uiStyle, 'text/css; charset=utf-8'))
    .get('/docs/scheme.js', () => script(schemeScript))
    .get('/docs/start.js', () => script(startScript));
}

const swaggerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>
/* Swagger UI leaves these as dark as on a light page. */
.dark-mode .swagger-ui table.headers td, .dark-mode .swagger-ui table.headers .header-example { color: #e4e6e6 }
.back { margin: 0; padding: .5rem 1.25rem; font: 1rem/1.5 sans-serif }
.back a { display: inline-block; padding: .625rem 0; color: #14684a }
.dark-mode .back a { color: #74d0a4 }
/* It leaves these the grey of buttons, on which Safari makes them hard to read. */
.swagger-ui .json-schema-2020-12-accordion, .swagger-ui .json-schema-2020-12-expand-deep-button { background: none }
/* No answer of ours has links, and the column that says so is too much for a phone. */
.swagger-ui .response-col_links { display: none }
</style>
</head>
<body>
<script src="docs/scheme.js"></script>
<p class="back"><a href="account">← Account panel</a></p>
<div id="swagger-ui"></div>
<noscript>
<h1>Waymark API</h1>
<p>This page needs JavaScript. Without it, read the <a href="docs/json">OpenAPI document</a>.</p>
</noscript>
<script src="docs/swagger-ui.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Before the rest of the page, so that nobody is dazzled while it loads.
const schemeScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
`;

// "Try it out" asks where the page came from: the browser would not let it ask elsewhere, and a server
// is often opened by another name than its public one, such as localhost.
const startScript = `const here = new URL('.', location.href).href.replace(/\\/$/, '');
const documentUrl = new URL('docs/json', location.href).href;
window.ui = SwaggerUIBundle({
  url: 'docs/json',
  responseInterceptor: (response) => {
    if (response.url !== documentUrl) return response;
    const document = JSON.parse(response.text);
    document.servers = [{ url: here, description: 'This server' }];
    response.text = JSON.stringify(document);
    return response;
  },
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

function html(text: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      // Swagger UI styles its elements in place; scripts come from this server alone.
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function script(text: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function asset(path: string, type: string): Response {
  return new Response(Bun.file(path), {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
