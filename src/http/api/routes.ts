import { Elysia, NotFoundError } from 'elysia';
import type { Access, Admission } from '../../core/accounts/access.ts';
import { parseCode } from '../../core/codes/code.ts';
import { retryKey } from '../../core/codes/idempotency.ts';
import { instant, record } from '../../core/codes/qr.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import { ApiError } from '../../core/errors.ts';
import type { Clock, RateDecision } from '../../core/ports.ts';
import type { Logger } from '../../lib/logger.ts';
import { wholeNumber } from '../../lib/whole-number.ts';
import * as operations from '../docs/operations.ts';
import { errorResponse, toApiError } from '../errors.ts';
import { addressed, type Target } from '../target.ts';
import { allowedMethods } from './allowed-methods.ts';
import { parseJsonObject, readBody } from './body.ts';
import { imageAt, imageRoutes, innerPath } from './image-paths.ts';
import { createImages } from './images.ts';
import { limitRange, offsetRange } from './paging.ts';
import { models, QrList, QrRecord, QrStats } from './schemas.ts';

/** Everything under `/api/v1`. */
export interface Api {
  /**
   * Answers a request; never rejects.
   *
   * @param log says of each line which request it belongs to
   */
  fetch(request: Request, target: Target, log: Logger): Promise<Response>;
  /** The routes, for the documentation. */
  readonly routes: ReturnType<typeof createRoutes>;
}

interface World {
  readonly qrs: Qrs;
  readonly access: Access;
  readonly clock: Clock;
  /** `{PUBLIC_URL}/api/v1` */
  readonly baseUrl: string;
  /** Requests per minute and key, for the headers of an answer to nobody in particular. */
  readonly rateLimit: number;
  /** Names what images are drawn with. */
  readonly renderer: string;
}

/** A request that was let in. */
interface Admitted {
  readonly admission: Admission;
  readonly log: Logger;
  readonly search: string;
}

/**
 * The API. Whoever has no business here is turned away before the router sees the request, because
 * Elysia parses bodies before its own hooks could ask for the key. A plain download of an image, which
 * a page may ask for by the dozen, is answered without the router: it would take half as long again.
 */
export function createApi(world: World): Api {
  const visits = new WeakMap<Request, Admitted>();
  const image = createImages(world.qrs, world.renderer);
  const routes = createRoutes(world, image, (request) => {
    const admitted = visits.get(request);
    if (admitted === undefined) throw new Error('a request reached a route unadmitted');
    return admitted;
  });

  const answer = async (
    request: Request,
    target: Target,
    log: Logger,
    onRate: (decision: RateDecision) => void,
  ): Promise<Response> => {
    try {
      const admission = await world.access.admit(request.headers.get('authorization'), onRate);
      const { path, search } = target;
      const asked = request.method === 'GET' ? imageAt(path) : null;
      if (asked !== null)
        return await image(request, admission.account.id, asked.code, asked.format, search);
      const inner = addressed(request, { path: innerPath(path), search });
      visits.set(inner, { admission, log, search });
      return await routes.fetch(inner);
    } catch (error) {
      return errorResponse(toApiError(error, log));
    }
  };

  return {
    fetch: async (request, target, log) => {
      let rate: RateDecision = unused(world.rateLimit);
      const response = await answer(request, target, log, (decision) => {
        rate = decision;
      });
      response.headers.set('RateLimit-Limit', String(rate.limit));
      response.headers.set('RateLimit-Remaining', String(rate.remaining));
      response.headers.set('RateLimit-Reset', String(rate.resetSeconds));
      return response;
    },
    routes,
  };
}

function createRoutes(
  { qrs, clock, baseUrl }: World,
  image: ReturnType<typeof createImages>,
  admittedBy: (request: Request) => Admitted,
) {
  const accountOf = (request: Request) => admittedBy(request).admission.account.id;
  const own = (request: Request, code: string | undefined) =>
    qrs.get(accountOf(request), parseCode(code));
  const imageOf = (request: Request, code: string | undefined, format: 'png' | 'svg') =>
    image(request, accountOf(request), parseCode(code), format, admittedBy(request).search);

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
        const { search } = admittedBy(request);
        const limit = wholeNumber(search, 'limit', limitRange);
        const offset = wholeNumber(search, 'offset', offsetRange);
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
    .get(imageRoutes.png, ({ request, params }) => imageOf(request, params.code, 'png'), {
      detail: operations.getQrPng,
    })
    .get(imageRoutes.svg, ({ request, params }) => imageOf(request, params.code, 'svg'), {
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
