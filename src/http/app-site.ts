import type { Health } from '../core/health.ts';
import type { Logger } from '../lib/logger.ts';
import type { Addresses } from '../redirect/pages/layout.ts';
import { type AppHandler, healthReportPath, peerHeader } from '../redirect/pass-on.ts';
import { routedRequest } from '../redirect/protocol.ts';
import { createRequestIds } from '../redirect/request-ids.ts';
import {
  type ResponseCounts,
  type RouteClass,
  routeClassOf,
  strictTransportSecurity,
} from '../redirect/responses.ts';
import type { Api } from './api/api.ts';
import { withCompression } from './app-responses.ts';

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

/**
 * Creates the handler of the app server:
 * API, panel and pages, and the health report for the redirect server.
 */
export function createAppSite(deps: {
  readonly app: App;
  readonly health: Pick<Health, 'read'>;
  readonly responses: Pick<ResponseCounts, 'count' | 'time'>;
  readonly addresses: Addresses;
  readonly log: Logger;
  readonly newRequestId: () => string;
}): AppHandler {
  const { app, health, responses, addresses } = deps;
  const withRequestId = createRequestIds({
    ...deps,
    hostHeaders: strictTransportSecurity(addresses.publicUrl),
  });

  const respond = async (
    route: RouteClass,
    request: Request,
    url: URL,
    log: Logger,
  ): Promise<Response> => {
    if (route === 'api') {
      const startMs = performance.now();
      const response = await app.api.fetch(request, url, log);
      responses.time('api', startMs);
      return response;
    }
    if (/^\/(?:account|docs)\/$/.test(url.pathname)) return redirectWithoutSlash(url);
    if (route === 'page')
      return withCompression(request, await app.pages(routedRequest(url, request)));
    const local = new Request(url, request);
    const peer = request.headers.get(peerHeader) ?? '';
    const response = await app.panel(local, peer, log);
    return withCompression(request, response, /^text\/(?:css|javascript)/);
  };

  return async (request) => {
    // Elysia cannot parse every Host header (`[::1`, `h:99999`), and no response depends on the host.
    const url = new URL(`http://localhost${pathOf(request.url)}`);
    if (url.pathname === healthReportPath && request.method === 'GET')
      return Response.json(health.read());
    const route = routeClassOf(url.pathname);
    return withRequestId(route, request, (log) => respond(route, request, url, log));
  };
}

/** Returns path and query of a request's URL, which is a bare path if there is no Host header. */
function pathOf(url: string): string {
  return url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('//') + 2));
}

/** Redirects to the page without the final slash. Relative, because a proxy may add a path in front. */
function redirectWithoutSlash({ pathname, search }: URL): Response {
  const Location = `..${pathname.slice(0, -1)}${search}`;
  return new Response(null, { status: 308, headers: { Location } });
}
