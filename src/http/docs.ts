import { swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import uiStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// The assets of Swagger UI travel inside the executable; nothing is fetched from a CDN.
import uiScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { version } from '../../package.json';
import type { Api } from './api.ts';
import { outerPath } from './image-paths.ts';

const description = `Dynamic QR codes: the printed mark stays, where it leads can change.

Every request carries an API key: \`Authorization: Bearer <API_KEY>\`. The account holder generates it
in the account panel; it is shown once. Requests are counted per key in a sliding window of one
minute, and every answer says what is left of it.

Bodies are JSON in UTF-8, uncompressed, at most 64 KiB.

Every error has the form \`{"error": {"code", "message"}}\`. Clients should expect further fields and
further values of \`status\` in later versions.`;

/**
 * The OpenAPI document at `/docs/json` and Swagger UI at `/docs`.
 *
 * @param api whose routes are documented
 * @param publicUrl where clients reach the server, without a trailing slash
 */
export function makeDocs(api: Api, publicUrl: string) {
  const documenter = new Elysia().use(api.routes).use(
    swagger({
      path: '/ui',
      specPath: '/document',
      excludeStaticFile: false,
      documentation: {
        // The plugin writes 3.0.3; the schemas use what only 3.1 has (null, const, examples).
        ...{ openapi: '3.1.0' },
        info: {
          title: 'Waymark API',
          version,
          description,
          license: { name: 'MIT', ...{ identifier: 'MIT' } },
        },
        servers: [{ url: publicUrl, description: 'This server' }],
        tags: [{ name: 'QRs', description: 'Create, edit, list and download dynamic QRs.' }],
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              bearerFormat: '<prefix>_<40 hex>',
              description: 'The API key of the account, generated in the account panel.',
            },
          },
        },
      },
    }),
  );
  let document: Promise<object> | undefined;

  return new Elysia()
    .get('/docs', () => html(swaggerPage))
    .get('/docs/json', async () => {
      document ??= documentOf(documenter);
      return Response.json(await document, { headers: { 'X-Content-Type-Options': 'nosniff' } });
    })
    .get('/docs/swagger-ui.js', () => asset(uiScript, 'text/javascript; charset=utf-8'))
    .get('/docs/swagger-ui.css', () => asset(uiStyle, 'text/css; charset=utf-8'))
    .get('/docs/start.js', () => script(startScript));
}

/** The plugin's document with the paths that clients use and without the plugin's own. */
async function documentOf(documenter: { handle(request: Request): Promise<Response> }) {
  const response = await documenter.handle(new Request('http://localhost/document'));
  // The plugin leaves TypeBox's names of schemas as they are; OpenAPI refers to them by their place.
  const document = JSON.parse(await response.text(), (key, value) => {
    if (key === '$id') return undefined;
    return key === '$ref' && !value.includes('/') ? `#/components/schemas/${value}` : value;
  }) as { paths: Record<string, object> }; // OpenAPI's own shape
  const paths = Object.entries(document.paths)
    .map(([path, item]) => [outerPath(path), item] as const)
    .filter(([path]) => path.startsWith('/api/v1/'));
  return { ...document, paths: Object.fromEntries(paths) };
}

const swaggerPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const startScript = `window.ui = SwaggerUIBundle({
  url: 'docs/json',
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
