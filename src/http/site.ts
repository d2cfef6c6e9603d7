import { readCode } from '../core/codes/code.ts';
import type { Links } from '../core/codes/follow.ts';
import { type Logger, withDetails } from '../lib/logger.ts';
import type { Api } from './api/routes.ts';
import { toApiError } from './errors.ts';
import { guarded, transportSecurity } from './headers.ts';
import { type HealthCheck, healthAnswer } from './ops/health.ts';
import type { AnswerCounts, RouteClass } from './ops/metrics.ts';
import { brokenPage } from './pages/pages.ts';
import { createShortLinks } from './redirect.ts';
import { addressed, ownPathStart, ownTarget, pathEnd, type Target } from './target.ts';

/** What stands behind the short links. */
export interface App {
  readonly api: Pick<Api, 'fetch'>;
  /**
   * Answers everything under `/account`, told the address at the other end and where to log what
   * becomes of this request. Never rejects.
   */
  readonly panel: (request: Request, peer: string, log: Logger) => Promise<Response>;
  /** Answers everything else. */
  readonly pages: (request: Request) => Response | Promise<Response>;
}

interface World {
  readonly links: Links;
  readonly health: HealthCheck;
  readonly answers: Pick<AnswerCounts, 'count'>;
  /** Loaded when it is first asked for: whoever scans or looks after the server waits for none of it. */
  readonly app: () => Promise<App>;
  readonly publicUrl: string;
  /** Paths that links carry in front of ours when they live below one, such as `/q`. */
  readonly basePaths: readonly string[];
  readonly log: Logger;
  /** A name for one request, which its log lines and its answer carry. */
  readonly newRequestId: () => string;
}

/** What the site asks of the connections that requests come over. */
export interface Connections {
  /** The address at the other end. */
  addressOf(request: Request): string | undefined;
  /** Keeps a connection, on which nothing moves meanwhile, until there is an answer. */
  hold(request: Request, answering: Promise<Response>): Promise<Response>;
}

/** Everything that the server answers, as one function that never rejects. */
export type Site = (request: Request, connections?: Connections) => Promise<Response>;

/** Joins the short links with what stands behind them. */
export function createSite(world: World): Site {
  const { links, health, answers, app, publicUrl, basePaths, log, newRequestId } = world;
  const transport = transportSecurity(publicUrl);

  const counted = async (route: RouteClass, answering: Response | Promise<Response>) => {
    try {
      const response = await answering;
      answers.count(route, response.status);
      return response;
    } catch (error) {
      answers.count(route, 500);
      throw error;
    }
  };

  const answer = async (
    request: Request,
    target: Target,
    connections: Connections | undefined,
    log: Logger,
  ): Promise<Response> => {
    const healthy = healthAnswer(request, target.path, health);
    if (healthy !== null) return counted('page', healthy);
    const { api, panel, pages } = await app();
    // What is drawn may have to wait for what others have asked to be drawn.
    const held = (answering: Promise<Response>) =>
      connections?.hold(request, answering) ?? answering;
    if (isWithin(target.path, '/api/v1'))
      return counted('api', held(api.fetch(request, target, log)));
    if (/^\/(?:account|docs)\/$/.test(target.path)) return counted('page', withoutSlash(target));
    const local = addressed(request, target);
    if (isWithin(target.path, '/account'))
      return counted('account', held(panel(local, connections?.addressOf(request) ?? '', log)));
    return counted('page', pages(local));
  };

  /** Gives a request a name, which a client can tell the operator and the log knows. */
  const named = async (act: (log: Logger) => Promise<Response>): Promise<Response> => {
    const id = newRequestId();
    const requestLog = withDetails(log, { request: id });
    const response = await act(requestLog).catch((error: unknown) => {
      toApiError(error, requestLog);
      return brokenPage(id);
    });
    response.headers.set('X-Request-Id', id);
    return guarded(response, transport);
  };

  const failed = (error: unknown) => named(() => Promise.reject(error));
  const redirect = createShortLinks({ links, answers, transport, failed });

  return (request, connections) => {
    try {
      const { url } = request;
      const path = ownPathStart(url, basePaths);
      // A code is eight characters of an alphabet that spells none of our own words.
      const code = readCode(url, path + 1, pathEnd(url, path));
      // A redirect that works is logged nowhere and needs no name, and a phone waits.
      if (code !== null) return redirect(code, request);
      const target = ownTarget(url, path, basePaths);
      return named((requestLog) => answer(request, target, connections, requestLog));
    } catch (error) {
      return failed(error);
    }
  };
}

/** To the page that is meant, for people who type a slash too many; relative, as a proxy may add a path. */
function withoutSlash({ path }: Target): Response {
  return new Response(null, { status: 308, headers: { Location: `..${path.slice(0, -1)}` } });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
