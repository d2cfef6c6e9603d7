import { isAskedUnprompted } from '../../core/codes/path.ts';
import type { LinkOutcome } from '../link-outcome.ts';
import type { PausedPage } from '../look-ups.ts';
import type { Addresses } from './layout.ts';

/** The responses to short links that do not redirect. */
export interface LinkPages {
  /** @param path of the request, without the leading slash and the query */
  of(
    outcome: Exclude<LinkOutcome, { to: 'destination' }>,
    request: Request,
    path: string,
  ): Promise<Response>;
  /** Responds to a path at which nothing is. */
  unknown(request: Request, path: string): Promise<Response>;
  /** Responds with a page that says that nothing is at a path. */
  none(request: Request, path: string): Promise<Response>;
}

/**
 * Creates the responses to short links that do not redirect.
 * The pages, with their languages, are loaded when the first one is needed.
 *
 * @param deps.notFoundUrlOf returns where unknown codes of the domain of a URL lead; null means to a page that says so
 */
export function createLinkPages(
  deps: Addresses & {
    readonly notFoundUrlOf: (url: string) => string | null;
    readonly pausedPage: (qrId: number) => Promise<PausedPage | null>;
  },
): LinkPages {
  // An import of what is loaded still takes a tenth of such a response.
  let loaded: typeof import('./scan-pages.ts') | undefined;
  const load = async () => {
    loaded ??= await import('./scan-pages.ts');
    return loaded;
  };
  const none: LinkPages['none'] = async (request, path) => {
    const pages = loaded ?? (await load());
    return pages.unknownCodePage(pages.visitOf(deps, request), path);
  };
  const unknown: LinkPages['unknown'] = async (request, path) => {
    const notFoundUrl = deps.notFoundUrlOf(request.url);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Programs ask for these of their own accord, and nobody sees the response.
    if (notFoundUrl !== null && isRead && !isAskedUnprompted(path))
      return operatorRedirect(notFoundUrl);
    return none(request, path);
  };
  return {
    none,
    unknown,
    of: async (outcome, request, path) => {
      if (outcome.to === 'nothing') return unknown(request, path);
      const pages = await load();
      const visit = pages.visitOf(deps, request);
      if (outcome.to === 'unavailable') return pages.unavailablePage(visit);
      if (outcome.to === 'warning') return pages.warningPage(visit, outcome, path);
      if (outcome.status === 'paused')
        return pages.pausedCodePage(visit, await deps.pausedPage(outcome.qrId), path);
      return pages.closedCodePage(visit, outcome.status, path);
    },
  };
}

/**
 * Returns a redirect to an address of the operator's.
 * It is not cached, because the operator can change it.
 */
export function operatorRedirect(url: string): Response {
  return new Response(null, {
    status: 302,
    headers: { Location: url, 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
  });
}
