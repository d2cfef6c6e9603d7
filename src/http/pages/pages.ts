/**
 * The small pages that a person with a phone may meet, and the one at the root. They stand alone: no
 * script, no picture, no request to anywhere.
 */

import { beginningOf } from '../../core/codes/destination.ts';
import { flaggedBy } from '../../core/safety/flag.ts';

// The colours of the account panel, so that the two are of one house.
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
const styleHash = new Bun.CryptoHasher('sha256').update(style).digest('base64');

/**
 * @param body HTML
 * @param alarm whether it has to be told from the calm pages at a glance
 */
function page(status: number, title: string, body: string, alarm = false): Response {
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
  return new Response(html, { status, headers: pageHeaders });
}

// Drawn in place: the page asks nobody for anything.
const warningSign = `<svg class="sign" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3 2 21h20zM12 10v5M12 18v.01"/></svg>
`;

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/**
 * 200: what someone finds who types the bare address.
 *
 * @param publicUrl where people reach the server, without a trailing slash
 */
export function rootPage(publicUrl: string): Response {
  return page(
    200,
    'Waymark',
    `<p>Printed codes whose destination can change.</p>
<nav aria-label="This server">
<a href="${publicUrl}/account">Account panel</a>
<a href="${publicUrl}/docs">API documentation</a>
</nav>`,
  );
}

/** 404: no QR has this code. */
export function unknownCodePage(): Response {
  return page(
    404,
    'This code leads nowhere',
    '<p>There is no QR with this address. If you typed it, check it against the print.</p>',
  );
}

/** 410: the QR exists and does not redirect at present. */
export function closedCodePage(status: 'paused' | 'blocked'): Response {
  return status === 'paused'
    ? page(
        410,
        'This code is paused',
        '<p>Its owner has switched it off for now. Try again later.</p>',
      )
    : page(410, 'This code is blocked', '<p>The operator of this service has switched it off.</p>');
}

/**
 * 200: the destination is on a list of dangerous addresses. The decision is left to the person, who
 * sees where the code would lead.
 */
export function warningPage(location: string, list: string): Response {
  const safe = Bun.escapeHTML(location);
  const beginning = beginningOf(location);
  const address = (html: string) => `<p class="address">${html}</p>`;
  const shown =
    beginning === null
      ? address(safe)
      : `${address(`${Bun.escapeHTML(beginning)}…`)}
<details><summary>The whole address</summary>${address(safe)}</details>`;
  return page(
    200,
    'This code may lead somewhere dangerous',
    `<p>${suspicionOf(list)}</p>
${shown}
<p><b>If you are not sure, close this page.</b></p>
<p><a href="${safe}" rel="noreferrer nofollow">Go there all the same</a></p>`,
    true,
  );
}

function suspicionOf(list: string): string {
  return {
    operator:
      'The operator of this service suspects the address behind it of deceiving or harming its visitors.',
    'built-in':
      'The address behind it is published for trying such warnings out. Nothing dangerous lies there.',
    'remote check':
      'A safe-browsing service suspects the address behind it of deceiving or harming its visitors. It may be wrong.',
    'imported list': `The address behind it is on the list “${Bun.escapeHTML(list)}” of sites suspected of deceiving or harming their visitors. The list may be wrong.`,
  }[flaggedBy(list)];
}

/** 404: nothing lives at this address. */
export function notFoundPage(): Response {
  return page(404, 'There is nothing here', '<p>This address does not belong to anything.</p>');
}

/** 500: our own fault, without a word about what it was, but with the name under which the log has it. */
export function brokenPage(requestId: string): Response {
  return page(
    500,
    'Something went wrong',
    `<p>This is not your fault. Please try again.</p>
<p class="address">Request ${Bun.escapeHTML(requestId)}</p>`,
  );
}
