import type { Followed, Links } from '../core/codes/follow.ts';
import { classifyHit } from '../core/scans/hit.ts';
import { guarded } from './headers.ts';
import type { AnswerCounts } from './ops/metrics.ts';
import { closedCodePage, unknownCodePage, warningPage } from './pages/pages.ts';

/**
 * Answers short links. 302 with `no-store`, because a redirect that a browser or proxy keeps is
 * neither counted nor changed by an edit; `no-referrer`, so that the destination does not learn the
 * short link.
 *
 * @returns the handler for a code. One async function that awaits once: each further await costs 2 % of a
 *   redirect.
 */
export function createShortLinks(world: {
  links: Links;
  answers: Pick<AnswerCounts, 'count'>;
  /** Headers about how this host is reached. */
  transport: Readonly<Record<string, string>>;
  /** Answers a request whose code could not be looked up. */
  failed: (error: unknown) => Promise<Response>;
}): (code: number, request: Request) => Promise<Response> {
  const { links, answers, transport, failed } = world;
  // Filled in for each redirect, whose answer copies them: made anew they take twice the time.
  const headers = new Headers({
    // Short: a phone waits for every byte, and there is no document here that more could protect.
    ...transport,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  });

  const redirect = (location: string) => {
    headers.set('Location', location);
    return new Response(null, { status: 302, headers });
  };

  const answerTo = (followed: Followed) =>
    followed.to === 'destination'
      ? redirect(followed.location)
      : guarded(pageOf(followed), transport);

  const counted = (response: Response) => {
    answers.count('short_link', response.status);
    return response;
  };

  return async (code, request) => {
    try {
      const { method } = request;
      if (method !== 'GET' && method !== 'HEAD')
        return counted(guarded(methodNotAllowed(), transport));
      const hit = links.follow(code, classifyHit(method, request.headers));
      // To wait for what is at hand would cost every redirect another turn of its promises.
      const { followed, recorded } = hit instanceof Promise ? await hit : hit;
      await recorded;
      return counted(answerTo(followed));
    } catch (error) {
      answers.count('short_link', 500);
      return failed(error);
    }
  };
}

function methodNotAllowed(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
}

function pageOf(followed: Exclude<Followed, { to: 'destination' }>): Response {
  if (followed.to === 'nothing') return unknownCodePage();
  if (followed.to === 'warning') return warningPage(followed.location, followed.list);
  return closedCodePage(followed.status);
}
