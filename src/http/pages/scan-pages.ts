import { flagSource, type QrStatus, stoppedCodeTitle } from '../../core/codes/qr.ts';
import { truncateUrl } from '../../core/codes/urls/destination.ts';
import { retryAfterOperator } from '../responses.ts';

// The pages that a scan can end on, and the root page. Each is one response without scripts, images or further
// requests. The colours are those of the account panel.
const style = `
:root { color-scheme: light dark; --paper: #faf9f6; --ink: #1d211f; --soft: #59605b; --line: #dcdad2; --accent: #14684a; --bad: #a3231f; --bad-paper: #fdf1f0; }
@media (prefers-color-scheme: dark) { :root { --paper: #151816; --ink: #ecefec; --soft: #a7b0aa; --line: #3a413d; --accent: #74d0a4; --bad: #ffaaa4; --bad-paper: #241817; } }
body { margin: 0; min-height: 100svh; display: grid; place-content: center; padding: 2rem 1.5rem; box-sizing: border-box; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; text-align: center; }
main { display: grid; justify-items: center; gap: .75rem; max-width: 26rem; }
h1, p { margin: 0; text-wrap: balance; }
h1 { font: 600 1.625rem/1.2 Charter, "Bitstream Charter", "Sitka Text", Cambria, "Noto Serif", serif; letter-spacing: -.01em; }
p { color: var(--soft); }
.address { box-sizing: border-box; width: 100%; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .625rem; color: var(--ink); overflow-wrap: anywhere; text-wrap: wrap; font: .9375rem/1.5 ui-monospace, "Cascadia Code", Menlo, Consolas, monospace; }
a { color: var(--accent); text-underline-offset: .18em; }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
.alarm { --paper: var(--bad-paper); border-top: .5rem solid var(--bad); }
.alarm h1, .sign { color: var(--bad); }
.alarm .address { border-color: var(--bad); }
.sign { width: 3.5rem; height: 3.5rem; }
b { color: var(--ink); }
details { width: 100%; }
summary { padding: .25rem; cursor: pointer; color: var(--accent); }
details .address { margin-top: .5rem; }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem 1.5rem; margin-top: .5rem; }
`;
const styleHash = Bun.CryptoHasher.hash('sha256', style, 'base64');

/**
 * @param body HTML
 * @param options.alarm whether to use the red warning style
 * @param options.headers beside those of all pages
 */
function page(
  status: number,
  title: string,
  body: string,
  {
    alarm = false,
    headers = {},
  }: { alarm?: boolean; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body${alarm ? ' class="alarm"' : ''}>
<main>
${alarm ? warningSign : ''}<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return new Response(html, { status, headers: { ...pageHeaders, ...headers } });
}

const warningSign = `<svg class="sign" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3 2 21h20zM12 10v5M12 18v.01"/></svg>
`;

// A server is back within seconds of its database.
const retryAfterDatabase = { 'Retry-After': '5' };

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Robots-Tag': 'noindex',
};

/**
 * Returns the page at `/`.
 *
 * @param publicUrl without a trailing slash
 */
export function rootPage(publicUrl: string): Response {
  return page(
    200,
    'Waymark',
    `<p>Printed QR codes with destinations you can change.</p>
<nav aria-label="This server">
<a href="${publicUrl}/account">Account panel</a>
<a href="${publicUrl}/docs">API documentation</a>
</nav>`,
  );
}

/** Returns the 404 page of a short link whose code does not exist. */
export function unknownCodePage(): Response {
  return page(
    404,
    'Code not found',
    '<p>There is no QR code with this address. If you typed it, check it against the print.</p>',
  );
}

/** Returns the 503 page of a code that cannot be looked up now. A browser may try again soon. */
export function unavailablePage(): Response {
  return page(
    503,
    'Please try again in a moment',
    '<p>This QR code cannot be looked up right now. The code itself is fine: reload this page or scan it again shortly.</p>',
    { headers: retryAfterDatabase },
  );
}

/** Returns the 503 page of everything else while the server only redirects. */
export function redirectOnlyPage(): Response {
  return page(
    503,
    'This server only redirects',
    `<p>Printed QR codes work. The account panel and the API are off until the operator of this server has acted:
its log and <b>/healthz</b> say why.</p>`,
    { headers: retryAfterOperator },
  );
}

/** Returns the page in place of one of the app, which is starting or was lost during the request. */
export function appAwayPage(
  absence: 'starting' | 'interrupted',
  headers: Readonly<Record<string, string>>,
): Response {
  return absence === 'starting'
    ? page(
        503,
        'One moment, please',
        '<p>The server is starting. Nothing was changed. Reload this page in a few seconds.</p>',
        { headers },
      )
    : page(
        503,
        'The server was interrupted',
        '<p>What you sent may have been done, or not. Go back, reload the page, and look before you send it again.</p>',
        { headers },
      );
}

/** Returns the 410 page of a code that does not redirect. */
export function closedCodePage(status: Exclude<QrStatus, 'active'>): Response {
  const [title, text] = closedCodeTexts[status];
  return page(410, title, `<p>${text}</p>`);
}

const closedCodeTexts = {
  paused: ['This code is paused', 'Its owner has turned it off for now. Try again later.'],
  blocked: ['This code is blocked', 'The operator of this service has turned it off.'],
  stopped: [stoppedCodeTitle, 'The code leads nowhere any more.'],
} as const;

/**
 * Returns the warning about a flagged destination, with status 200: the person can still go there.
 *
 * @param list name of the list or check that flagged it
 */
export function warningPage(location: string, list: string): Response {
  const safe = Bun.escapeHTML(location);
  const beginning = truncateUrl(location);
  const address = (html: string) => `<p class="address">${html}</p>`;
  const shown =
    beginning === null
      ? address(safe)
      : `${address(`${Bun.escapeHTML(beginning)}…`)}
<details><summary>The whole address</summary>${address(safe)}</details>`;
  return page(
    200,
    'This site may be dangerous',
    `<p>${warningReason(list)}</p>
${shown}
<p><b>If you are not sure, close this page.</b></p>
<p><a href="${safe}" rel="noreferrer nofollow">Continue anyway</a></p>`,
    { alarm: true },
  );
}

function warningReason(list: string): string {
  return {
    operator: 'The operator of this service has flagged this address as deceptive or harmful.',
    'built-in': 'This is a harmless test address for warnings like this one.',
    'remote check':
      'A safe-browsing service has flagged this address as deceptive or harmful. It may be wrong.',
    'imported list': `This address is on the list “${Bun.escapeHTML(list)}” of deceptive or harmful sites. The list may be wrong.`,
  }[flagSource(list)];
}

/** Returns the 404 page of any other path. */
export function notFoundPage(): Response {
  return page(404, 'Page not found', '<p>There is no page at this address.</p>');
}

/** Returns the 500 page. The request id is the only detail of the error. */
export function errorPage(requestId: string): Response {
  return page(
    500,
    'Something went wrong',
    `<p>This is not your fault. Please try again.</p>
<p class="address">Request ${Bun.escapeHTML(requestId)}</p>`,
  );
}
