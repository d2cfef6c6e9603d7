import { ownSegments, parseCodeNumber } from '../core/codes/code.ts';
import { decodeAsked, scopeOf } from '../core/codes/urls/resolve.ts';
import type { HealthReport } from '../core/health.ts';
import type { Logger } from '../lib/logger.ts';
import type { LinkDomain } from './look-ups.ts';
import type { Addresses } from './pages/layout.ts';
import { createLinkPages, operatorRedirect } from './pages/link-pages.ts';
import type { Connections, PassOn } from './pass-on.ts';
import { rejectInvalidRequest, withDate } from './protocol.ts';
import { createRequestIds } from './request-ids.ts';
import { type ResponseCounts, routeClassOf, strictTransportSecurity } from './responses.ts';
import { createShortLinks, type LinkDeps } from './short-links.ts';

interface Deps extends LinkDeps {
  readonly readHealth: () => Promise<HealthReport>;
  readonly responses: Pick<ResponseCounts, 'count' | 'countHit' | 'time'>;
  /** Passes every other request on to the app. */
  readonly passOn: PassOn;
  readonly addresses: Addresses;
  /** Where unknown codes lead; null means to a page that says so. */
  readonly notFoundUrl: string | null;
  /** Where `/` leads; null means to the root page. */
  readonly rootUrl: string | null;
  /** Other hosts of the main domain, with their ports. Default: none. */
  readonly hosts?: readonly string[];
  /** See `LinkStore`. Default: there are no other domains. */
  readonly domainOf?: (host: string) => LinkDomain | null;
  readonly hasNonce?: (nonce: string) => Promise<boolean>;
  /** Paths of the public and short URLs, such as `/q`, which a proxy may leave in front of our paths. */
  readonly basePaths: readonly string[];
  readonly log: Logger;
  readonly newRequestId: () => string;
}

/** Where programs that keep passwords look for the page to change one (W3C, "A Well-Known URL for Changing Passwords"). */
const changePasswordPath = '/.well-known/change-password';

/**
 * Where a proxy asks whether it may obtain a certificate for the host in `?domain=`, as Caddy does (`ask`).
 * A check of a domain asks for `?nonce=`.
 */
const domainPath = '/healthz/domain';
const maxNonceLength = 100;

// A host that is an address is the main domain.
const isAddress = /^[\d.]+(?::\d+)?$|^\[/;

/** Returns host and port of a request's URL in lower case, without a standard port; empty if it is a bare path. */
function hostOf(url: string): string {
  if (url.startsWith('/')) return '';
  const start = url.indexOf('//') + 2;
  const end = url.indexOf('/', start);
  const host = url.slice(start, end === -1 ? url.length : end);
  return /[A-Z:]|\.$/.test(host) ? host.toLowerCase().replace(/\.?(?::(?:80|443))?$/, '') : host;
}

/** Handles every request of the server. Never rejects. */
export type Site = (request: Request, connections?: Connections) => Promise<Response>;

/**
 * Creates the handler of the redirect server: short links and health.
 * Every other request goes to the app.
 */
export function createSite(deps: Deps): Site {
  const { readHealth, passOn, addresses, notFoundUrl, rootUrl, basePaths } = deps;
  const hostHeaders = strictTransportSecurity(addresses.publicUrl);
  const withRequestId = createRequestIds({ ...deps, hostHeaders });

  const respondToFailure = (request: Request, error: unknown) =>
    withRequestId('short_link', request, () => Promise.reject(error));
  const { domainOf: findDomain = () => null, hasNonce = async () => false } = deps;
  const ownHosts = [addresses.publicUrl, addresses.shortUrl].map((url) => new URL(url).host);
  const mainHosts = new Set([...ownHosts, ...(deps.hosts ?? [])]);
  const domainOf = (url: string) => {
    const host = hostOf(url);
    return mainHosts.has(host) ? null : findDomain(host);
  };
  const notFoundUrlOf = (url: string) => {
    const domain = domainOf(url);
    return domain === null ? notFoundUrl : domain.notFoundUrl;
  };
  const pages = createLinkPages({ ...addresses, notFoundUrlOf, pausedPage: deps.pausedPage });
  const pathOf = (url: string): string => {
    const start = ownPathStart(url, basePaths);
    return url.slice(start + 1, pathEnd(url, start));
  };
  const shortLink = createShortLinks({ ...deps, hostHeaders, pages, pathOf, respondToFailure });

  /** Responds to everything but short links. */
  const page = (
    url: string,
    start: number,
    request: Request,
    connections: Connections | undefined,
  ): Promise<Response> => {
    // Our own path, normalized. The host may be one that no URL can have (`[::1`, `h:99999`).
    const { pathname, search } = new URL(`http://localhost${url.slice(start)}`);
    const health = healthResponse(request, pathname, readHealth);
    if (health !== null) return withRequestId('page', request, () => health);
    if (pathname === domainPath && isRead(request))
      return withRequestId('page', request, () => answerAboutDomain(new URLSearchParams(search)));
    const domain = domainOf(url);
    if (domain !== null) {
      const front = domain.frontUrl ?? rootUrl;
      if (pathname === '/' && isRead(request))
        return front === null
          ? passOn('/', request, connections)
          : withRequestId('page', request, async () => operatorRedirect(front));
      // API and panel are only at the main domain.
      const asked = isOfApp(pathname) ? pages.none : pages.unknown;
      return withRequestId('page', request, () => asked(request, pathname.slice(1)));
    }
    if (pathname === changePasswordPath && isRead(request))
      return withRequestId('page', request, async () =>
        operatorRedirect(`${addresses.publicUrl}/account/settings`),
      );
    if (pathname === '/' && rootUrl !== null && isRead(request))
      return withRequestId('page', request, async () => operatorRedirect(rootUrl));
    if (!isOfApp(pathname))
      return withRequestId('page', request, () => pages.unknown(request, pathname.slice(1)));
    return passOn(pathname + search, request, connections);
  };

  /** Responds to a proxy that asks whether it may obtain a certificate for a host, and to a check of a domain. */
  const answerAboutDomain = async (query: URLSearchParams): Promise<Response> => {
    const nonce = query.get('nonce');
    const host = (query.get('domain') ?? '').toLowerCase();
    const isKnown =
      nonce === null
        ? mainHosts.has(host) || findDomain(host) !== null
        : nonce.length <= maxNonceLength && (await hasNonce(nonce));
    return new Response(isKnown ? (nonce ?? host) : null, {
      status: isKnown ? 200 : 404,
      headers: { 'Cache-Control': 'no-store' },
    });
  };

  /** Returns a path as it is stored, for the domain of a request's URL. */
  const stored = (url: string, path: string): string => {
    const host = hostOf(url);
    return host === '' || mainHosts.has(host) || isAddress.test(host) ? path : scopeOf(host) + path;
  };

  /**
   * Responds to the short link at a path, if there is one.
   * Null when the path is Waymark's own, or the method is wrong.
   */
  const pathLink = (
    path: string | null,
    request: Request,
    fallback: (() => Promise<Response>) | null,
  ): Promise<Response> | null =>
    path === null || !isRead(request)
      ? null
      : shortLink(stored(request.url, path), request, fallback);

  const handle: Site = (request, connections) => {
    const { url } = request;
    const start = ownPathStart(url, basePaths);
    const end = pathEnd(url, start);
    const code = parseCodeNumber(url, start + 1, end);
    // A working redirect logs nothing and needs no request id.
    if (code !== null)
      return shortLink(code, request, () => pathLink(url.slice(start + 1, end), request, null));
    const path = decodeAsked(url.slice(start + 1, end));
    const toPage = () => page(url, start, request, connections);
    const toPath = () => pathLink(path, request, toPage) ?? toPage();
    // Some programs encode letters that need not be.
    const encoded = path === null ? null : parseCodeNumber(path, 0, path.length);
    return encoded === null ? toPath() : shortLink(encoded, request, toPath);
  };

  return (request, connections) => {
    const rejected = rejectInvalidRequest(request);
    if (rejected !== null) return withRequestId('page', request, async () => rejected);
    const response = handle(request, connections);
    return request.method === 'HEAD' ? response.then(withDate) : response;
  };
}

/**
 * Responds to `/healthz` and `/healthz/live`; returns null for any other path or method.
 *
 * `/healthz` is 200, or 503 with the problems. `/healthz/live` is 200 while the process responds at all: a
 * restart would not free a full disk, and would lose scans that are buffered in memory.
 */
function healthResponse(
  { method }: Request,
  path: string,
  readHealth: () => Promise<HealthReport>,
): Promise<Response> | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (path === '/healthz/live') return Promise.resolve(Response.json({ status: 'ok' }));
  if (path !== '/healthz') return null;
  return readHealth().then(({ problems, warnings }) =>
    problems.length === 0
      ? Response.json({ status: 'ok', problems, warnings })
      : Response.json({ status: 'degraded', problems, warnings }, { status: 503 }),
  );
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns whether the app answers a path that is no short link. */
function isOfApp(pathname: string): boolean {
  const [, first = ''] = pathname.split('/', 2);
  return pathname === '/' || ownSegments.has(first) || routeClassOf(pathname) !== 'page';
}

/** Returns the index after a path that begins at an index of a URL. */
function pathEnd(url: string, start: number): number {
  const query = url.indexOf('?', start);
  return query === -1 ? url.length : query;
}

/**
 * Returns the index of our own path in a request's URL, after a base path that a proxy left in place.
 * The URL is a bare path if there is no Host header.
 */
function ownPathStart(url: string, basePaths: readonly string[]): number {
  const slash = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const start = slash === -1 ? url.length : slash;
  for (const base of basePaths) {
    const end = start + base.length;
    if (url.startsWith(base, start) && (end === url.length || '/?'.includes(url.charAt(end))))
      return end;
  }
  return start;
}
