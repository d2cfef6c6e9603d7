import { parseCode, parseCodeNumber } from '../core/codes/code.ts';
import { parseImportedPath } from '../core/codes/imports/path.ts';
import { logFailure } from '../core/errors.ts';
import type { Health } from '../core/health.ts';
import { type Logger, withDetails } from '../lib/logger.ts';
import type { Api } from './api/api.ts';
import { healthResponse } from './ops/health.ts';
import { errorPage } from './pages/scan-pages.ts';
import { rejectInvalidRequest, routedRequest, withDate } from './protocol.ts';
import { createShortLinks, type LinkDeps } from './redirect.ts';
import {
  errorResponse,
  type ResponseCounts,
  type RouteClass,
  strictTransportSecurity,
  withCompression,
  withSecurityHeaders,
} from './responses.ts';

/** Everything except short links and health. */
export interface App {
  readonly api: Pick<Api, 'fetch'>;
  /**
   * Handles everything under `/account`.
   *
   * @param peer IP address of the connection's other end
   */
  readonly panel: (request: Request, peer: string, log: Logger) => Promise<Response>;
  /** Handles every other path. */
  readonly pages: (request: Request) => Response | Promise<Response>;
}

interface Deps extends LinkDeps {
  readonly health: Pick<Health, 'read'>;
  readonly responses: Pick<ResponseCounts, 'count' | 'countHit' | 'time'>;
  /** Loads the app on first use, so that a restarted server answers short links at once. */
  readonly app: () => Promise<App>;
  readonly publicUrl: string;
  /** Paths of the public and short URLs, such as `/q`, which a proxy may leave in front of our paths. */
  readonly basePaths: readonly string[];
  readonly log: Logger;
  readonly newRequestId: () => string;
}

/** The connections that requests come over. */
export interface Connections {
  /** Returns the IP address of the other end. */
  addressOf(request: Request): string | undefined;
  /** Keeps a connection open while its response is being computed. */
  keepOpen(request: Request, response: Promise<Response>): Promise<Response>;
}

/** Handles every request of the server. Never rejects. */
export type Site = (request: Request, connections?: Connections) => Promise<Response>;

/** Creates the handler of all requests: short links, health, API, panel and pages. */
export function createSite(deps: Deps): Site {
  const { health, responses, app, publicUrl, basePaths, log, newRequestId } = deps;
  const hostHeaders = strictTransportSecurity(publicUrl);

  const respond = async (
    route: RouteClass,
    request: Request,
    url: URL,
    connections: Connections | undefined,
    requestLog: Logger,
  ): Promise<Response> => {
    const path = url.pathname;
    const healthy = healthResponse(request, path, health);
    if (healthy !== null) return healthy;
    const { api, panel, pages } = await app();
    // An image may wait in the render queue for longer than Bun's idle timeout.
    const keepOpen = (response: Promise<Response>) =>
      connections?.keepOpen(request, response) ?? response;
    if (route === 'api') {
      const startMs = performance.now();
      const response = await keepOpen(api.fetch(request, url, requestLog));
      responses.time('api', startMs);
      return withCompression(request, response);
    }
    if (/^\/(?:account|docs)\/$/.test(path)) return redirectWithoutSlash(url);
    if (route === 'page') return withCompression(request, await pages(routedRequest(url, request)));
    const local = new Request(url, request);
    const peer = connections?.addressOf(request) ?? '';
    const response = await keepOpen(panel(local, peer, requestLog));
    return withCompression(request, response, /^text\/(?:css|javascript)/);
  };

  /** Counts a response, and adds the request's id to it and to the log lines. Never rejects. */
  const withRequestId = async (
    route: RouteClass,
    handle: (log: Logger) => Promise<Response>,
  ): Promise<Response> => {
    const id = newRequestId();
    const requestLog = withDetails(log, { request: id });
    const response = await handle(requestLog).catch((error: unknown) => {
      const failure = logFailure(error, requestLog);
      return route === 'api' ? errorResponse(failure) : errorPage(id);
    });
    responses.count(route, response.status);
    response.headers.set('X-Request-Id', id);
    return withSecurityHeaders(response, hostHeaders);
  };

  const respondToFailure = (error: unknown) =>
    withRequestId('short_link', () => Promise.reject(error));
  const shortLink = createShortLinks({ ...deps, hostHeaders, respondToFailure });

  /** Responds to everything but short links. */
  const page = (
    url: string,
    start: number,
    request: Request,
    connections: Connections | undefined,
  ): Promise<Response> => {
    // Elysia cannot parse every Host header (`[::1`, `h:99999`), and no response depends on the host.
    const local = new URL(`http://localhost${url.slice(start)}`);
    const route = routeClassOf(local.pathname);
    return withRequestId(route, (requestLog) =>
      respond(route, request, local, connections, requestLog),
    );
  };

  /** Responds to the short link of an imported path; null when the path is Waymark's own, or the method is wrong. */
  const importedLink = (
    raw: string,
    request: Request,
    fallback: (() => Promise<Response>) | null,
  ): Promise<Response> | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const parsed = parseImportedPath(raw);
    if ('reason' in parsed) return null;
    const { path } = parsed;
    // A path that is a code has been looked up as one, and an encoded code is none.
    if (parseCode(path) === path || (raw !== path && parseCode(path) !== null)) return null;
    return shortLink(path, request, fallback);
  };

  /** Responds to the code or imported path that a printed path with a slash at the end means. */
  const withoutSlash = (
    raw: string,
    request: Request,
    fallback: () => Promise<Response>,
  ): Promise<Response> => {
    const toPath = () => importedLink(raw, request, fallback) ?? fallback();
    const code = parseCodeNumber(raw, 0, raw.length);
    return code === null ? toPath() : shortLink(code, request, toPath);
  };

  const handle: Site = (request, connections) => {
    const { url } = request;
    const start = ownPathStart(url, basePaths);
    const query = url.indexOf('?', start);
    const end = query === -1 ? url.length : query;
    const code = parseCodeNumber(url, start + 1, end);
    // A working redirect logs nothing and needs no request id.
    if (code !== null)
      return shortLink(code, request, () => importedLink(url.slice(start + 1, end), request, null));
    const toPage = () => page(url, start, request, connections);
    const raw = url.slice(start + 1, end);
    // A link is printed with and without a slash at the end. One that has it comes first.
    const toLink = raw.endsWith('/')
      ? () => withoutSlash(raw.slice(0, -1), request, toPage)
      : toPage;
    return importedLink(raw, request, toLink) ?? toPage();
  };

  return (request, connections) => {
    const rejected = rejectInvalidRequest(request);
    if (rejected !== null) return withRequestId('page', async () => rejected);
    const response = handle(request, connections);
    return request.method === 'HEAD' ? response.then(withDate) : response;
  };
}

/**
 * Returns the index of our own path in a request's URL, after a base path that a proxy left in place. The URL is a
 * bare path if there is no Host header.
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

/** Redirects to the page without the final slash. Relative, because a proxy may add a path in front. */
function redirectWithoutSlash({ pathname, search }: URL): Response {
  const Location = `..${pathname.slice(0, -1)}${search}`;
  return new Response(null, { status: 308, headers: { Location } });
}

function routeClassOf(path: string): RouteClass {
  // Near misses get an error that an API client can read.
  if (/^\/api(?:\/|$)/i.test(path)) return 'api';
  return /^\/account(?:\/|$)/.test(path) ? 'account' : 'page';
}
