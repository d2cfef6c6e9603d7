import type { Followed, Links } from '../core/links.ts';
import { classifyHit } from '../core/scans.ts';
import { guarded } from './headers.ts';
import { closedCodePage, unknownCodePage, warningPage } from './pages.ts';

/**
 * Answers a short link. 302 with `no-store`, because a redirect that a browser or proxy keeps is
 * neither counted nor changed by an edit; `no-referrer`, so that the destination does not learn the
 * short link.
 *
 * @param transport headers about how this host is reached
 */
export async function followShortLink(
  links: Links,
  code: string,
  request: Request,
  transport: Readonly<Record<string, string>>,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return guarded(new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } }), transport);
  const followed = await links.follow(code, classifyHit(request.method, request.headers));
  if (followed.to !== 'destination') return guarded(pageOf(followed), transport);
  return new Response(null, {
    status: 302,
    // Short: a phone waits for every byte, and there is no document here that more could protect.
    headers: {
      ...transport,
      Location: followed.location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  });
}

function pageOf(followed: Exclude<Followed, { to: 'destination' }>): Response {
  if (followed.to === 'nothing') return unknownCodePage();
  if (followed.to === 'warning') return warningPage(followed.location, followed.list);
  return closedCodePage(followed.status);
}
