import { maxPathLength, ownSegments } from '../code.ts';

/**
 * Parses the path of a short link that another service printed.
 *
 * @param raw percent-encoded or not, without the leading slash and the query
 * @returns the stored form, decoded and with its case kept, or why there can be no such link, in words
 */
export function parseImportedPath(raw: string): { path: string } | { problem: string } {
  const path = raw.includes('%') ? decodedPath(raw) : raw;
  if (path === null || !path.isWellFormed()) return { problem: 'The path is badly encoded.' };
  if (path === '') return { problem: 'The path is empty.' };
  if (path.length > maxPathLength)
    return { problem: `The path is longer than ${maxPathLength} characters.` };
  if (/[\p{Cc}\\?#]/u.test(path))
    return { problem: 'The path has a control character, a backslash, a question mark or a hash.' };
  if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(path.replace(/\/$/, '')))
    return { problem: 'The path has an empty segment, "." or "..".' };
  const [first = ''] = path.split('/', 1);
  if (ownSegments.has(first)) return { problem: `/${first} is a page of Waymark.` };
  return { path };
}

/**
 * Returns whether programs ask each host for a path, without a link: search engines, browsers, mobile systems and
 * certificate authorities (RFC 8615).
 */
export function isAskedUnprompted(path: string): boolean {
  return /^(?:\.well-known(?:\/|$)|(?:robots|ads|app-ads)\.txt$|favicon\.ico$|sitemap\.xml$|apple-touch-icon[\w-]*\.png$|apple-app-site-association$)/.test(
    path,
  );
}

/** Decodes the percent-encoding of a path; null when it is broken. */
export function decodedPath(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Encodes a path for a URL, and for a URL's part of a path. Slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
