/**
 * The small pages that a person with a phone may meet. They stand alone: no script, no image, no
 * request to anywhere.
 */
function page(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100svh; display: grid; place-content: center; padding: 2rem; box-sizing: border-box; font: 1.0625rem/1.5 system-ui, sans-serif; text-align: center; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
p { margin: 0 auto .75rem; max-width: 34ch; opacity: .8; text-wrap: pretty; }
.address { overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9375rem; }
a { color: inherit; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
  return new Response(html, { status, headers: pageHeaders });
}

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** 404: no QR has this code. */
export function unknownCodePage(): Response {
  return page(
    404,
    'This code leads nowhere',
    'There is no QR with this address. If you typed it, check it against the print.',
  );
}

/** 410: the QR exists and does not redirect at present. */
export function closedCodePage(status: 'paused' | 'blocked'): Response {
  return status === 'paused'
    ? page(410, 'This code is paused', 'Its owner has switched it off for now. Try again later.')
    : page(410, 'This code is blocked', 'The operator of this service has switched it off.');
}

/**
 * 200: the destination is on a list of dangerous addresses. The decision is left to the person, who
 * sees where the code would lead.
 */
export function warningPage(location: string, list: string): Response {
  const safe = Bun.escapeHTML(location);
  return page(
    200,
    'This code may lead somewhere dangerous',
    `The address behind it is on the list "${Bun.escapeHTML(list)}" of sites suspected of deceiving or harming their visitors. The list may be wrong.</p>
<p class="address">${safe}</p>
<p><a href="${safe}" rel="noreferrer nofollow">Go there all the same</a>`,
  );
}

/** 404: nothing lives at this address. */
export function notFoundPage(): Response {
  return page(404, 'There is nothing here', 'This address does not belong to anything.');
}

/** 500: our own fault, without a word about what it was, but with the name under which the log has it. */
export function brokenPage(requestId: string): Response {
  return page(
    500,
    'Something went wrong',
    `This is not your fault. Please try again.</p>
<p class="address">Request ${Bun.escapeHTML(requestId)}`,
  );
}
