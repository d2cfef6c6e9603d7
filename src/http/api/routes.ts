import { type AnyElysia, Elysia, NotFoundError } from 'elysia';
import type { Access, Admission } from '../../core/accounts/access.ts';
import { parseCode } from '../../core/codes/code.ts';
import { idempotencyKey } from '../../core/codes/idempotency.ts';
import { isoTimestamp, qrRecord } from '../../core/codes/qr.ts';
import type { ImageFormat, Qrs } from '../../core/codes/qrs.ts';
import { ApiError } from '../../core/errors.ts';
import type { Clock, RateDecision } from '../../core/ports.ts';
import type { Logger } from '../../lib/logger.ts';
import { wholeNumber } from '../../lib/whole-number.ts';
import { errorResponse, toApiError } from '../errors.ts';
import { type Target, withLocalUrl } from '../target.ts';
import { parseJsonObject, readBody } from './body.ts';
import { createImages, imageRoutes, parseImagePath, routedPath } from './images.ts';
import { limitRange, offsetRange, QrList, QrRecord, QrStats } from './schemas.ts';

/** Everything under `/api/v1`. */
export interface Api {
  /** Handles a request. Never rejects. */
  fetch(request: Request, target: Target, log: Logger): Promise<Response>;
}

interface Deps {
  readonly qrs: Qrs;
  readonly access: Access;
  readonly clock: Clock;
  /** `{PUBLIC_URL}/api/v1` */
  readonly baseUrl: string;
  /** Requests per minute and key: the rate headers of a response to a request without a key. */
  readonly rateLimit: number;
  /** Renderer version, part of the ETags. */
  readonly renderer: string;
}

/** What a route needs to know of its admitted request. */
interface RequestContext {
  readonly admission: Admission;
  readonly log: Logger;
  readonly search: string;
}

/**
 * Creates the API. Requests are admitted before the router sees them, because Elysia parses bodies before its
 * hooks run. Image downloads skip the router, which would take half as long again.
 */
export function createApi(deps: Deps): Api {
  const contexts = new WeakMap<Request, RequestContext>();
  const image = createImages(deps.qrs, deps.renderer);
  const routes = createRoutes(deps, image, (request) => {
    const context = contexts.get(request);
    if (context === undefined) throw new Error('a request reached a route without admission');
    return context;
  });

  const respond = async (
    request: Request,
    { path, search }: Target,
    log: Logger,
    onRate: (decision: RateDecision) => void,
  ): Promise<Response> => {
    try {
      const admission = await deps.access.admit(request.headers.get('authorization'), onRate);
      const download = request.method === 'GET' ? parseImagePath(path) : null;
      if (download !== null) {
        const { code, format } = download;
        return await image(request, admission.account.id, code, format, search);
      }
      const routed = withLocalUrl(request, { path: routedPath(path), search });
      contexts.set(routed, { admission, log, search });
      return await routes.fetch(routed);
    } catch (error) {
      return errorResponse(toApiError(error, log));
    }
  };

  return {
    fetch: async (request, target, log) => {
      let rate = unusedRate(deps.rateLimit);
      const response = await respond(request, target, log, (decision) => {
        rate = decision;
      });
      response.headers.set('RateLimit-Limit', String(rate.limit));
      response.headers.set('RateLimit-Remaining', String(rate.remaining));
      response.headers.set('RateLimit-Reset', String(rate.resetSeconds));
      return response;
    },
  };
}

function createRoutes(
  { qrs, clock, baseUrl }: Deps,
  image: ReturnType<typeof createImages>,
  contextOf: (request: Request) => RequestContext,
) {
  const accountOf = (request: Request) => contextOf(request).admission.account.id;
  const qrOf = (request: Request, code: string | undefined) =>
    qrs.get(accountOf(request), parseCode(code));
  const imageOf = (request: Request, code: string | undefined, format: ImageFormat) =>
    image(request, accountOf(request), parseCode(code), format, contextOf(request).search);

  const routes = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error, request }) =>
      errorResponse(
        error instanceof NotFoundError
          ? noRouteError(routes, request)
          : toApiError(error, contextOf(request).log),
      ),
    )
    .model({ QrRecord })
    .post(
      '/api/v1/qrs',
      async ({ request, set }) => {
        const { account, keyHash } = contextOf(request).admission;
        const body = await readBody(request);
        const { url } = parseJsonObject(body);
        const header = request.headers.get('idempotency-key');
        const retry = header ? idempotencyKey(keyHash, header, body, clock.nowMs()) : null;
        set.status = 201;
        return qrRecord(await qrs.create(account.id, url, retry), baseUrl);
      },
      { response: { 201: QrRecord } },
    )
    .get(
      '/api/v1/qrs',
      async ({ request }) => {
        const { search } = contextOf(request);
        const limit = wholeNumber(search, 'limit', limitRange);
        const offset = wholeNumber(search, 'offset', offsetRange);
        const page = await qrs.list(accountOf(request), limit, offset);
        const data = page.qrs.map((qr) => qrRecord(qr, baseUrl));
        return { data, total: page.total, limit, offset };
      },
      { response: { 200: QrList } },
    )
    .get(
      '/api/v1/qrs/:code',
      async ({ request, params }) => qrRecord(await qrOf(request, params.code), baseUrl),
      { response: { 200: QrRecord } },
    )
    .patch(
      '/api/v1/qrs/:code',
      async ({ request, params }) => {
        const url = async () => parseJsonObject(await readBody(request))['url'];
        const code = parseCode(params.code);
        return qrRecord(await qrs.changeDestination(accountOf(request), code, url), baseUrl);
      },
      { response: { 200: QrRecord } },
    )
    .get(
      '/api/v1/qrs/:code/stats',
      async ({ request, params }) => {
        const { code, scans, lastScanMs } = await qrOf(request, params.code);
        return { code, scans, last_scan: lastScanMs === null ? null : isoTimestamp(lastScanMs) };
      },
      { response: { 200: QrStats } },
    )
    .get(imageRoutes.png, ({ request, params }) => imageOf(request, params.code, 'png'))
    .get(imageRoutes.svg, ({ request, params }) => imageOf(request, params.code, 'svg'));
  return routes;
}

/** Returns 405 if the path exists for another method, otherwise 404 (SPEC rule 7). */
function noRouteError(routes: AnyElysia, request: Request): ApiError {
  const allowed = allowedMethods(routes, new URL(request.url).pathname).join(', ');
  if (allowed === '') return new ApiError('not_found', 'There is no such path in this API.');
  return new ApiError(
    'method_not_allowed',
    `${request.method} is not allowed here. Allowed: ${allowed}.`,
    { Allow: allowed },
  );
}

/** Returns the methods of a path (RFC 9110, 10.2.1) in alphabetical order, with HEAD if GET is allowed. */
function allowedMethods({ router, routes }: AnyElysia, path: string): string[] {
  const methods = new Set<string>();
  for (const { method } of routes) {
    const isStatic = router.static[path]?.[method] !== undefined;
    if (!isStatic && router.http.find(method, path) === null) continue;
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

/** The rate window of a request without a valid key. */
function unusedRate(limit: number): RateDecision {
  return { admitted: true, limit, remaining: limit, resetSeconds: 1 };
}
