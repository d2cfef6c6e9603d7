const yearSeconds = 365 * 86_400;

/** Strict defaults: no framing, no embedding by other sites, no features, no caching. */
const defaultHeaders = Object.entries({
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
 * Returns `Strict-Transport-Security` (RFC 6797) if the public URL is https on the default port, otherwise
 * nothing. The header covers every port of a host, and other services may use the others.
 */
export function strictTransportSecurity(publicUrl: string): Readonly<Record<string, string>> {
  const { protocol, port } = new URL(publicUrl);
  const isWholeHost = protocol === 'https:' && port === '';
  return isWholeHost ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}

/** Adds the default security headers and `more` to a response. Headers that it has already stay. */
export function withSecurityHeaders(
  response: Response,
  more: Readonly<Record<string, string>>,
): Response {
  const { headers } = response;
  for (const [name, value] of [...defaultHeaders, ...Object.entries(more)])
    if (!headers.has(name)) headers.set(name, value);
  return response;
}

/** Kinds of paths that responses are counted by. Never a code or an account: their number has no bound. */
export type RouteClass = 'short_link' | 'api' | 'account' | 'page';

// HTTP statuses are below this.
const statusLimit = 600;

export type ResponseCounts = ReturnType<typeof createResponseCounts>;

/** Creates the response counters. Counting is one addition in an array, since every redirect is counted. */
export function createResponseCounts() {
  const counts: Readonly<Record<RouteClass, Float64Array>> = {
    short_link: new Float64Array(statusLimit),
    api: new Float64Array(statusLimit),
    account: new Float64Array(statusLimit),
    page: new Float64Array(statusLimit),
  };
  return {
    count: (route: RouteClass, status: number): void => {
      counts[route][status] = (counts[route][status] ?? 0) + 1;
    },
    /** Returns the number of responses with a status since the start. */
    total: (route: RouteClass, status: number): number => counts[route][status] ?? 0,
    /** Returns all counts above zero. */
    all: () =>
      Object.entries(counts).flatMap(([route, byStatus]) =>
        Array.from(byStatus, (count, status) => ({ route, status, count })).filter(
          ({ count }) => count > 0,
        ),
      ),
  };
}
