import uiStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
// Embedded in the executable: nothing is loaded from a CDN.
import uiScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import { bundleScript } from '../../lib/build/bundle-script.macro.ts' with { type: 'macro' };
import { readCompressed } from '../../lib/build/embedded.ts';
import { createStaticFile } from './static-file.ts';

const startScript = bundleScript('http/docs/client/start.ts');

/** Creates the files of Swagger UI, by their paths, each with a function that responds to a request. */
export function createSwaggerUi() {
  return {
    '/docs/swagger-ui.js': createStaticFile('text/javascript', dayLong, () =>
      readCompressed(uiScript),
    ),
    '/docs/swagger-ui.css': createStaticFile('text/css', dayLong, () => readCompressed(uiStyle)),
    '/docs/start.js': createStaticFile('text/javascript', 'public, max-age=0', async () =>
      Bun.gzipSync(startScript),
    ),
  } as const;
}

// An upgrade may change them.
const dayLong = 'public, max-age=86400';

/** Returns the page of Swagger UI. */
export function swaggerPage(): Response {
  return new Response(html, {
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy },
  });
}

// Beside those of Swagger UI.
const style = `
/* Dark text on a dark background in Swagger UI's own style. */
.dark-mode .swagger-ui table.headers td, .dark-mode .swagger-ui table.headers .header-example { color: #e4e6e6 }
.back { margin: 0; padding: .5rem 1.25rem; font: 1rem/1.5 sans-serif }
.back a { display: inline-block; padding: .625rem 0; color: #14684a }
.dark-mode .back a { color: #74d0a4 }
/* Safari's default button grey behind their text has too little contrast. */
.swagger-ui .json-schema-2020-12-accordion, .swagger-ui .json-schema-2020-12-expand-deep-button { background: none }
/* Headers that most responses have, and their summary. */
.swagger-ui .usual-headers summary { padding: .5rem 0; cursor: pointer }
.dark-mode .swagger-ui .usual-headers summary { color: #e4e6e6 }
/* The "Links" column is always empty and too wide for phones. */
.swagger-ui .response-col_links { display: none }
`;
const styleHash = new Bun.CryptoHasher('sha256').update(style).digest('base64');

const policy = `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${styleHash}'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${style}</style>
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
