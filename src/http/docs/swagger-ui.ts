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

// Beside those of Swagger UI. The tokens are the panel's (panel.css).
const style = `
:root { color-scheme: light; --paper: #f7f7f5; --card: #ffffff; --sunk: #f1f1ee; --ink: #161a17; --soft: #5b635d; --line: #e6e6e1; --edge: #858b86; --accent: #14684a; --accent-strong: #0e5139; --on-accent: #ffffff; --bad: #a3231f }
:root.dark-mode { color-scheme: dark; --paper: #101211; --card: #181b19; --sunk: #212623; --ink: #f0f2f0; --soft: #a3ada6; --line: #2a2f2c; --edge: #78827c; --accent: #74d0a4; --accent-strong: #90dcb7; --on-accent: #0c2318; --bad: #ffaaa4 }
body, .dark-mode body, .dark-mode #swagger-ui { margin: 0; background: var(--paper); color: var(--ink); font: .875rem/1.25rem Inter, system-ui, sans-serif }
#swagger-ui, #swagger-ui :is(h1, h2, h3, h4, h5, p, li, label, th, td, select, input, textarea, button, .btn, .title, .base-url, .opblock-tag, .opblock-summary-description, .opblock-summary-method, .parameter__name, .parameter__type, .parameter__in, .response-col_status, .tab li, .model, .model-title) { font-family: Inter, system-ui, sans-serif }
#swagger-ui, #swagger-ui :is(h1, h2, h3, h4, h5, p, li, label, th, td, summary, .title, .opblock-tag, .opblock-summary-path, .parameter__name, .response-col_status, .tab li, .model, .model-title, .btn) { color: var(--ink) }
#swagger-ui :is(.opblock-tag small, .opblock-summary-description, .parameter__type, .parameter__in, .base-url) { color: var(--soft) }
#swagger-ui :is(.info a, .opblock-description-wrapper a, .markdown a, .renderedMarkdown a) { color: var(--accent) }
#swagger-ui :is(.swagger-ui, .scheme-container) { border: 0; background: none; box-shadow: none }
#swagger-ui .opblock-tag { border-color: var(--line) }
#swagger-ui :is(.opblock, section.models) { border: 1px solid var(--line); border-radius: .875rem; background: var(--card); box-shadow: none }
#swagger-ui :is(.opblock .opblock-summary, section.models.is-open h4) { border-color: var(--line) }
#swagger-ui .opblock .opblock-section-header { background: var(--sunk); box-shadow: none }
#swagger-ui :is(.opblock-tag svg, .opblock-summary svg, .model-toggle) { color: var(--ink); fill: currentcolor }
#swagger-ui .info .title small, #swagger-ui .info .title small pre { background: var(--sunk); color: var(--soft) }
#swagger-ui .opblock-summary .copy-to-clipboard { background: none; filter: invert(.5) }
#swagger-ui :is(.markdown code, .renderedMarkdown code) { background: var(--sunk); color: var(--ink) }
#swagger-ui .opblock .opblock-summary-method { border-radius: .5rem; background: var(--accent); color: var(--on-accent); text-shadow: none }
#swagger-ui .opblock .tab-header .tab-item.active h4 span::after { background: var(--accent) }
#swagger-ui .btn { border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); box-shadow: none; font-size: .875rem; font-weight: 550 }
#swagger-ui .btn:hover { background: var(--sunk); box-shadow: none }
#swagger-ui .btn:is(.execute, .authorize) { border-color: transparent; background: var(--accent); color: var(--on-accent) }
#swagger-ui .btn:is(.execute, .authorize):hover { background: var(--accent-strong) }
#swagger-ui .btn.authorize :is(span, svg) { color: inherit; fill: currentcolor }
#swagger-ui .btn.cancel { border-color: var(--bad); color: var(--bad) }
#swagger-ui :is(input[type=text], input[type=password], select, textarea) { border: 1px solid var(--edge); border-radius: .5rem; background-color: var(--card); color: var(--ink); box-shadow: none }
#swagger-ui .dialog-ux .modal-ux { border: 0; border-radius: 1rem; background: var(--card) }
#swagger-ui .dialog-ux .modal-ux-header { border-color: var(--line) }
/* Dark text on a dark background in Swagger UI's own style. */
.dark-mode .swagger-ui table.headers td, .dark-mode .swagger-ui table.headers .header-example { color: #e4e6e6 }
.back { margin: 0; padding: .5rem 1.25rem }
.back a { display: inline-block; padding: .625rem 0; color: var(--accent) }
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
