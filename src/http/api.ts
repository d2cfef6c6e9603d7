import { Elysia, NotFoundError } from 'elysia';
import type { Access, Admission } from '../core/access.ts';
import { parseCode } from '../core/code.ts';
import { ApiError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Clock, RateDecision } from '../core/ports.ts';
import { instant, record } from '../core/qr.ts';
import type { ImageFormat, Qrs } from '../core/qrs.ts';
import { retryKey } from '../core/retry.ts';
import { allowedMethods } from './allowed-methods.ts';
import { parseJsonObject, readBody } from './body.ts';
import { errorResponse, toApiError } from './errors.ts';
import { imageRoutes, innerPath } from './image-paths.ts';
import { imageResponse, isKnown, notModified } from './images.ts';
import * as operations from './operations.ts';
import { imageWidthPxRange, limitRange, offsetRange, wholeNumber } from './paging.ts';
import { models, QrList, QrRecord, QrStats } from './schemas.ts';

/** Everything under `/api/v1`. */
export interface Api {
  /**
   * Answers a request; never rejects.
   *
   * @param log says of each line which request it belongs to
   */
  fetch(request: Request, log: Log): Promise<Response>;
  /** The routes, for the documentation. */
  readonly routes: ReturnType<typeof makeRoutes>;
}

interface World {
  readonly qrs: Qrs;
  readonly access: Access;
  readonly clock: Clock;
  /** `{PUBLIC_URL}/api/v1` */
  readonly baseUrl: string;
  /** Requests per minute and key, for the headers of an answer to nobody in particular. */
  readonly rateLimit: number;
}

/** A request that was let in. */
interface Admitted {
  readonly admission: Admission;
  readonly log: Log;
}

/**
 * The API. Whoever has no business here is turned away before the router sees the request, because
 * Elysia parses bodies before its own hooks could ask for the key.
 */
export function makeApi(world: World): Api {
  const visits = new WeakMap<Request, Admitted>();
  const routes = makeRoutes(world, (request) => {
    const admitted = visits.get(request);
    if (admitted === undefined) throw new Error('a request reached a route unadmitted');
    return admitted;
  });

  const answer = async (
    request: Request,
    log: Log,
    onRate: (decision: RateDecision) => void,
  ): Promise<Response> => {
    try {
      const admission = await world.access.admit(request.headers.get('authorization'), onRate);
      const inner = innerRequest(request);
      visits.set(inner, { admission, log });
      return await routes.fetch(inner);
    } catch (error) {
      return errorResponse(toApiError(error, log));
    }
  };

  return {
    fetch: async (request, log) => {
      let rate: RateDecision = unused(world.rateLimit);
      const response = await answer(request, log, (decision) => {
        rate = decision;
      });
      response.headers.set('RateLimit-Limit', String(rate.limit));
      response.headers.set('RateLimit-Remaining', String(rate.remaining));
      response.headers.set('RateLimit-Reset', String(rate.resetSeconds));
      response.headers.set('X-Content-Type-Options', 'nosniff');
      if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store');
      return response;
    },
    routes,
  };
}

function makeRoutes({ qrs, clock, baseUrl }: World, admittedBy: (request: Request) => Admitted) {
  const accountOf = (request: Request) => admittedBy(request).admission.account.id;
  const own = (request: Request, code: string | undefined) =>
    qrs.get(accountOf(request), parseCode(code));
  const image = async (request: Request, code: string | undefined, format: ImageFormat) => {
    const qr = await own(request, code);
    const width = format === 'png' ? wholeNumber(queryOf(request), 'size', imageWidthPxRange) : 0;
    if (isKnown(request.headers, qr, format, width)) return notModified(qr, format, width);
    return imageResponse(qr, format, width, await qrs.image(qr, format, width));
  };

  const routes = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error, request }) =>
      errorResponse(
        error instanceof NotFoundError
          ? noSuchRoute(routes, request)
          : toApiError(error, admittedBy(request).log),
      ),
    )
    .model(models)
    .post(
      '/api/v1/qrs',
      async ({ request, set }) => {
        const { account, keyHash } = admittedBy(request).admission;
        const body = await readBody(request);
        const { url } = parseJsonObject(body);
        const header = request.headers.get('idempotency-key');
        const retry = header ? retryKey(keyHash, header, body, clock.nowMs()) : null;
        set.status = 201;
        return record(await qrs.create(account.id, url, retry), baseUrl);
      },
      { response: { 201: QrRecord }, detail: operations.createQr },
    )
    .get(
      '/api/v1/qrs',
      async ({ request }) => {
        const query = queryOf(request);
        const limit = wholeNumber(query, 'limit', limitRange);
        const offset = wholeNumber(query, 'offset', offsetRange);
        const page = await qrs.list(accountOf(request), limit, offset);
        return {
          data: page.qrs.map((qr) => record(qr, baseUrl)),
          total: page.total,
          limit,
          offset,
        };
      },
      { response: { 200: QrList }, detail: operations.listQrs },
    )
    .get(
      '/api/v1/qrs/:code',
      async ({ request, params }) => record(await own(request, params.code), baseUrl),
      { response: { 200: QrRecord }, detail: operations.getQr },
    )
    .patch(
      '/api/v1/qrs/:code',
      async ({ request, params }) => {
        const url = async () => parseJsonObject(await readBody(request))['url'];
        const code = parseCode(params.code);
        return record(await qrs.changeDestination(accountOf(request), code, url), baseUrl);
      },
      { response: { 200: QrRecord }, detail: operations.updateQr },
    )
    .get(
      '/api/v1/qrs/:code/stats',
      async ({ request, params }) => {
        const { code, scans, lastScanMs } = await own(request, params.code);
        return { code, scans, last_scan: lastScanMs === null ? null : instant(lastScanMs) };
      },
      { response: { 200: QrStats }, detail: operations.getQrStats },
    )
    .get(imageRoutes.png, ({ request, params }) => image(request, params.code, 'png'), {
      detail: operations.getQrPng,
    })
    .get(imageRoutes.svg, ({ request, params }) => image(request, params.code, 'svg'), {
      detail: operations.getQrSvg,
    });
  return routes;
}

/** 405 where the path exists for another method, 404 where it does not (SPEC rule 7). */
function noSuchRoute(routes: Parameters<typeof allowedMethods>[0], request: Request): ApiError {
  const methods = allowedMethods(routes, new URL(request.url).pathname);
  if (methods.length === 0) return new ApiError('not_found', 'There is no such path in this API.');
  return new ApiError(
    'method_not_allowed',
    `${request.method} is not allowed here. Allowed: ${methods.join(', ')}.`,
    { Allow: methods.join(', ') },
  );
}

/** A client without a key has no window; it is told of the one that a key would have. */
function unused(limit: number): RateDecision {
  return { admitted: true, limit, remaining: limit, resetSeconds: 1 };
}

function innerRequest(request: Request): Request {
  const url = new URL(request.url);
  const path = innerPath(url.pathname);
  return path === url.pathname ? request : new Request(new URL(path + url.search, url), request);
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}
