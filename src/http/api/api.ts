import type { Access } from '../../core/accounts/access.ts';
import type { RateDecision } from '../../core/accounts/ports.ts';
import type { Qrs } from '../../core/codes/qrs.ts';
import { ApiError, logFailure } from '../../core/errors.ts';
import type { Acting, Clock } from '../../core/ports.ts';
import type { Logger } from '../../lib/logger.ts';
import { routedRequest } from '../../redirect/protocol.ts';
import { retryAfterOperator } from '../../redirect/responses.ts';
import { errorResponse, varyByEncoding } from '../app-responses.ts';
import { createImages, parseImagePath } from './images.ts';
import { createRoutes, methodNotAllowed } from './routes.ts';

/** Everything under `/api`. */
export type Api = ReturnType<typeof createApi>;

interface Deps {
  readonly qrs: Qrs;
  readonly access: Access;
  readonly clock: Clock;
  /** `{PUBLIC_URL}/api/v1` */
  readonly baseUrl: string;
  /** Renderer version, part of the ETags. */
  readonly renderer: string;
  /** Returns whether the server cannot keep changes now. */
  readonly rejectsWrites: () => boolean;
}

// Percent-encoded unreserved characters, which mean the same unencoded (RFC 3986, 6.2.2.2).
const encodedUnreserved = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * Creates the API.
 * Requests are admitted before the router sees them, because Elysia parses bodies before its hooks run. Image downloads
 * skip the router, which would take half as long again.
 */
export function createApi(deps: Deps) {
  const admitted = new WeakMap<Request, Acting>();
  const image = createImages(deps.qrs, deps.renderer);
  const routes = createRoutes(deps, (request) => {
    const acting = admitted.get(request);
    if (acting === undefined) throw new Error('a request reached a route without admission');
    return acting;
  });

  const respond = async (
    request: Request,
    url: URL,
    onRate: (decision: RateDecision) => void,
  ): Promise<Response> => {
    const { method } = request;
    const { search } = url;
    if (!/^\/api\/v1(?:\/|$)/.test(url.pathname))
      throw new ApiError(
        'not_found',
        'There is nothing at this address. The paths of the API begin with /api/v1/.',
      );
    const authorization = request.headers.get('authorization');
    const acting = await deps.access.admit(authorization, search, onRate);
    if (method !== 'GET' && method !== 'HEAD' && deps.rejectsWrites())
      throw new ApiError('unavailable', undefined, retryAfterOperator);
    const path = url.pathname.replace(encodedUnreserved, decodeURIComponent);
    const download = parseImagePath(path);
    if (
      download !== null &&
      !(await deps.qrs.isLinkNamedLikeImage(acting.accountId, download.name, download.code))
    ) {
      if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
      return image(request, acting.accountId, download.code, download.format, search);
    }
    const routed = routedRequest(`${url.origin}${path}${search}`, request);
    admitted.set(routed, acting);
    return routes.fetch(routed);
  };

  return {
    /** The routes, for the OpenAPI document. */
    routes,
    /**
     * Handles a request. Never rejects.
     *
     * @param url the request's URL with the host `localhost`
     */
    fetch: async (request: Request, url: URL, log: Logger): Promise<Response> => {
      // A request without a valid key has no budget.
      const added: Record<string, string> = {};
      const response = await respond(request, url, ({ limit, remaining, resetSeconds }) => {
        added['RateLimit-Limit'] = String(limit);
        added['RateLimit-Remaining'] = String(remaining);
        added['RateLimit-Reset'] = String(resetSeconds);
      }).catch((error: unknown) => {
        Object.assign(added, varyByEncoding);
        return errorResponse(error instanceof ApiError ? error : logFailure(error, log));
      });
      for (const [name, value] of Object.entries(added)) response.headers.set(name, value);
      return response;
    },
  };
}
