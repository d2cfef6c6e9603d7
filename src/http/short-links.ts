import type { Links } from '../core/links.ts';
import { classifyHit } from '../core/scans.ts';
import { closedCodePage, unknownCodePage, warningPage } from './pages.ts';

/**
 * Answers a short link. 302 with `no-store`, because a redirect that a browser or proxy keeps is
 * neither counted nor changed by an edit; `no-referrer`, so that the destination does not learn the
 * short link.
 */
export async function followShortLink(
  links: Links,
  code: string,
  request: Request,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
  const followed = await links.follow(code, classifyHit(request.method, request.headers));
  if (followed.to === 'nothing') return unknownCodePage();
  if (followed.to === 'warning') return warningPage(followed.location, followed.list);
  if (followed.to === 'closed') return closedCodePage(followed.status);
  return new Response(null, {
    status: 302,
    headers: {
      Location: followed.location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  });
}
