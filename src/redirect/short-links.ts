import { withQuery } from '../core/codes/urls/pass-query.ts';
import type { HitKind } from '../core/scans/hit.ts';
import { classifyHit } from './hits/classify.ts';
import { type LinkOutcome, linkOutcome } from './link-outcome.ts';
import type { PausedPage } from './look-ups.ts';
import type { LinkPages } from './pages/link-pages.ts';
import { createSecurityHeaders, type ResponseCounts } from './responses.ts';
import type { FollowedLink } from './storage.ts';

/**
 * Responds to a short link.
 *
 * @param key a code number, or the path of an imported link
 * @param fallback responds when there is no such link; null means with a page that says so
 */
export type ShortLinkHandler = (
  key: number | string,
  request: Request,
  fallback: (() => Promise<Response> | null) | null,
) => Promise<Response>;

/** How short links are followed. */
export interface LinkDeps {
  /** Looks up a code number or a path and records the hit, see `LinkStore`. */
  readonly follow: (key: number | string, kind: HitKind, flaggedKind: HitKind) => FollowedLink;
  /** Returns what the page of a paused code shows of its account, see `LinkStore`. */
  readonly pausedPage: (qrId: number) => Promise<PausedPage | null>;
  /** See `linkOutcome`. */
  readonly warnOfFlagged: boolean;
}

/**
 * Creates the handler of short links.
 * A redirect is a 302 with `no-store`, because a cached redirect is neither counted nor changed by an edit, and with
 * `no-referrer`, which hides the short link from the destination.
 *
 * @param deps.hostHeaders added to every response, see `strictTransportSecurity`
 * @param deps.pages responds to links that do not redirect
 * @param deps.pathOf returns our own path in a request's URL, without the leading slash and the query
 * @param deps.respondToFailure creates and counts the response for a thrown error
 */
export function createShortLinks(
  deps: LinkDeps & {
    responses: Pick<ResponseCounts, 'count' | 'countHit' | 'time'>;
    hostHeaders: Readonly<Record<string, string>>;
    pages: LinkPages;
    pathOf: (url: string) => string;
    respondToFailure: (request: Request, error: unknown) => Promise<Response>;
  },
): ShortLinkHandler {
  const { follow, warnOfFlagged, responses, hostHeaders, pages, pathOf, respondToFailure } = deps;
  const withSecurityHeaders = createSecurityHeaders(hostHeaders);
  // Reused by all redirects, since each response copies it: creating it anew takes twice the time.
  const redirectHeaders = new Headers({
    ...hostHeaders,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });

  const redirect = (location: string): Response => {
    redirectHeaders.set('Location', location);
    return new Response(null, { status: 302, headers: redirectHeaders });
  };
  const page = async (
    outcome: Exclude<LinkOutcome, { to: 'destination' }>,
    request: Request,
  ): Promise<Response> =>
    withSecurityHeaders(await pages.of(outcome, request, pathOf(request.url)));

  const counted = (response: Response) => {
    responses.count('short_link', response.status);
    return response;
  };

  return async (key, request, fallback) => {
    const startMs = performance.now();
    try {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD')
        return counted(withSecurityHeaders(methodNotAllowed()));
      const kind = classifyHit(method, request.headers);
      // Who is warned has not followed the link yet.
      const flaggedKind = warnOfFlagged && kind === 'scan' ? 'warning' : kind;
      const link = follow(key, kind, flaggedKind);
      // The only await of a redirect: each further one costs 2 % of it.
      await link.ready;
      const outcome = linkOutcome(link.target, warnOfFlagged);
      const other = outcome.to === 'nothing' ? fallback?.() : null;
      if (other) return await other;
      const response = counted(
        outcome.to === 'destination'
          ? redirect(outcome.passesQuery ? passed(outcome.location, request.url) : outcome.location)
          : await page(outcome, request),
      );
      if (outcome.to === 'nothing') responses.time('unknown_code', startMs);
      else if (outcome.to === 'destination') responses.time('redirect', startMs);
      if (outcome.to === 'destination') responses.countHit(kind);
      else if (outcome.to === 'warning') responses.countHit(flaggedKind);
      return response;
    } catch (error) {
      return respondToFailure(request, error);
    }
  };
}

/** Adds the query of a request's URL to a location. */
function passed(location: string, url: string): string {
  const mark = url.indexOf('?');
  return mark === -1 ? location : withQuery(location, url.slice(mark + 1));
}

function methodNotAllowed(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
}
