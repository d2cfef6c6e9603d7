import type { RequestContext } from './request.ts';

/**
 * The list with the longest search in the longest folder, percent-encoded, has 3,500 characters.
 * A much longer path would not fit into the headers of a request, in the query of the page of a dialog.
 */
const maxLength = 4_000;

/**
 * Returns a path with its query if it belongs to the panel or the API documentation, else `/account`.
 * For paths that a browser sends, which must not lead to another site.
 */
export function ownPath(text: string | null): string {
  // Browsers take a backslash for a slash, and leave out tabs and line breaks (WHATWG URL, 4.4).
  if (text === null || text.length > maxLength || /^[^/]|[\\\p{Cc}]/u.test(text)) return '/account';
  const base = 'http://panel.invalid';
  const url = URL.parse(text, base);
  const isOwn = url?.origin === base && /^\/(?:account|docs)(?:\/[^/]+)*\/?$/.test(url.pathname);
  return isOwn ? `${url.pathname}${url.search}` : '/account';
}

/** Returns the list that a dialog was opened from, to go back to; empty if it was opened elsewhere. */
export function listOf({ sent, url }: Pick<RequestContext, 'sent' | 'url'>): string {
  const path = sent?.text('list') || url.searchParams.get('list') || '';
  return path === '' ? '' : ownPath(path);
}
