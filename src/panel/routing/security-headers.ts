/**
 * What every answer of the panel tells the browser. Scripts, styles and pictures come from this
 * server alone, nothing is written in place, nobody frames it. `data:` is for pictures of designs
 * that are not kept yet. The referrer stays within the panel; without one, browsers would also
 * withhold the origin by which forms are told apart.
 */
const headers: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
};

/** An answer with the headers of the panel, kept by nobody unless it says otherwise. */
export function withSecurityHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value);
  if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
  return response;
}
