const yearSeconds = 365 * 86_400;

/**
 * What every answer tells the browser unless it says something of its own: it is read as what it is
 * and by this site alone, frames nothing and is framed by nothing, and nobody keeps it.
 */
const standing = Object.entries({
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/**
 * `Strict-Transport-Security` (RFC 6797) where people reach the server over https, for this host
 * alone. It speaks for every port of a host, so a server on a port of its own keeps silent about
 * what else may live there.
 */
export function transportSecurity(publicUrl: string): Readonly<Record<string, string>> {
  const { protocol, port } = new URL(publicUrl);
  const isWholeHost = protocol === 'https:' && port === '';
  return isWholeHost ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}

/** An answer with what is said on every answer, and with `more`; what it says itself stays. */
export function guarded(response: Response, more: Readonly<Record<string, string>>): Response {
  const { headers } = response;
  for (const [name, value] of standing) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(more))
    if (!headers.has(name)) headers.set(name, value);
  return response;
}
