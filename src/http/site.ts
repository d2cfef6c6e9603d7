import { Elysia, NotFoundError } from 'elysia';
import { parseCode } from '../core/code.ts';
import type { Links } from '../core/links.ts';
import { type Log, withDetails } from '../core/log.ts';
import type { Api } from './api.ts';
import { makeDocs } from './docs.ts';
import { toApiError } from './errors.ts';
import { guarded, transportSecurity } from './headers.ts';
import { type HealthCheck, makeHealth } from './health.ts';
import { type Metrics, makeMetricsPage, type RouteClass } from './metrics.ts';
import { brokenPage, notFoundPage, rootPage } from './pages.ts';
import { followShortLink } from './short-links.ts';
import {
  addressed,
  parseTarget,
  pathAlone,
  pathAndQuery,
  type Target,
  withoutBase,
} from './target.ts';

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
    .use(makeDocs(api, publicUrl))
    .get('/', () => rootPage(publicUrl));
  const transport = transportSecurity(publicUrl);
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

  const answer = (
    request: Request,
    target: Target,
    peer: (() => string | undefined) | undefined,
    log: Log,
  ): Promise<Response> => {
    if (isWithin(target.path, '/api/v1')) return counted('api', api.fetch(request, target, log));
    const local = addressed(request, target);
    if (isWithin(target.path, '/account'))
      return counted('account', panel(local, peer?.() ?? '', log));
    return counted('page', pages.fetch(local));
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
    return guarded(response, transport);
  };

  return async (request, peer) => {
    try {
      const asked = withoutBase(pathAndQuery(request.url), basePaths);
      // A code is eight characters of an alphabet that spells none of our own words.
      const code = parseCode(codePath.exec(pathAlone(asked))?.[1]);
      // A redirect that works is logged nowhere and needs no name, and a phone waits.
      if (code !== null)
        return await counted('short_link', followShortLink(links, code, request, transport));
      const target = parseTarget(asked);
      return await named((requestLog) => answer(request, target, peer, requestLog));
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
