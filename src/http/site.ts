import { Elysia, NotFoundError } from 'elysia';
import { parseCode } from '../core/code.ts';
import type { Links } from '../core/links.ts';
import { type Log, withDetails } from '../core/log.ts';
import type { Api } from './api.ts';
import { makeDocs } from './docs.ts';
import { toApiError } from './errors.ts';
import { type HealthCheck, makeHealth } from './health.ts';
import { type Metrics, makeMetricsPage, type RouteClass } from './metrics.ts';
import { brokenPage, notFoundPage } from './pages.ts';
import { followShortLink } from './short-links.ts';

interface World {
  readonly api: Api;
  readonly links: Links;
  /**
   * Answers everything under `/account`, told the address at the other end and where to log what
   * becomes of this request. Never rejects.
   */
  readonly panel: (request: Request, peer: string, log: Log) => Promise<Response>;
  readonly health: HealthCheck;
  readonly metrics: Metrics;
  readonly publicUrl: string;
  /** Paths that links carry in front of ours when they live below one, such as `/q`. */
  readonly basePaths: readonly string[];
  readonly log: Log;
  /** A name for one request, which its log lines and its answer carry. */
  readonly newRequestId: () => string;
}

/**
 * Everything that the server answers, as one function that never rejects.
 *
 * @param peer looks up the address at the other end of the connection; asked only by the panel
 */
export type Site = (request: Request, peer?: () => string | undefined) => Promise<Response>;

const codePath = /^\/([^/]+)$/;

/** Joins the API, the short links and the pages. */
export function makeSite(world: World): Site {
  const { api, links, panel, health, metrics, publicUrl, basePaths, log, newRequestId } = world;
  const pages = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error }) => {
      if (error instanceof NotFoundError) return notFoundPage();
      throw error;
    })
    .use(makeHealth(health))
    .use(makeMetricsPage(metrics))
    .use(makeDocs(api, publicUrl));
  refuseShadowed(pages.routes.map(({ path }) => path));

  const counted = async (route: RouteClass, answering: Response | Promise<Response>) => {
    try {
      const response = await answering;
      metrics.count(route, response.status);
      return response;
    } catch (error) {
      metrics.count(route, 500);
      throw error;
    }
  };

  const answer = (request: Request, peer: string, log: Log): Promise<Response> => {
    const path = pathOf(request.url);
    if (isWithin(path, '/api/v1')) return counted('api', api.fetch(request, log));
    if (isWithin(path, '/account')) return counted('account', panel(request, peer, log));
    return counted('page', pages.fetch(request));
  };

  /** Gives a request a name, which a client can tell the operator and the log knows. */
  const named = async (act: (log: Log) => Promise<Response>): Promise<Response> => {
    const id = newRequestId();
    const requestLog = withDetails(log, { request: id });
    const response = await act(requestLog).catch((error: unknown) => {
      toApiError(error, requestLog);
      return brokenPage(id);
    });
    response.headers.set('X-Request-Id', id);
    return response;
  };

  return async (request, peer) => {
    try {
      const inner = withinBase(addressed(request), basePaths);
      // A code is eight characters of an alphabet that spells none of our own words.
      const code = parseCode(codePath.exec(pathOf(inner.url))?.[1]);
      // A redirect that works is logged nowhere and needs no name, and a phone waits.
      if (code !== null) return await counted('short_link', followShortLink(links, code, inner));
      return await named((requestLog) => answer(inner, peer?.() ?? '', requestLog));
    } catch (error) {
      return named(() => Promise.reject(error));
    }
  };
}

/** Short links are looked up before our own pages: none of these may be spelled like a code. */
export function refuseShadowed(paths: readonly string[]): void {
  for (const path of paths)
    if (parseCode(codePath.exec(path)?.[1]) !== null)
      throw new Error(`The page ${path} could never be reached: its path is spelled like a code.`);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * A request without a usable Host header arrives with a bare path for a URL. Nothing here is built
 * from the Host, so any will do.
 */
function addressed(request: Request): Request {
  return request.url.startsWith('/')
    ? new Request(`http://localhost${request.url}`, request)
    : request;
}

/** Takes the path off that links carry in front of ours, where a proxy has left it on. */
function withinBase(request: Request, basePaths: readonly string[]): Request {
  const path = pathOf(request.url);
  const base = basePaths.find((candidate) => path.startsWith(`${candidate}/`));
  if (base === undefined) return request;
  const url = new URL(request.url);
  url.pathname = path.slice(base.length);
  return new Request(url, request);
}

function pathOf(url: string): string {
  const begin = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', begin);
  return end === -1 ? url.slice(begin) : url.slice(begin, end);
}
