import { Refused } from '../errors.ts';
import type { PathReason } from '../reasons.ts';
import { maxPathLength, ownSegments } from './code.ts';

/**
 * Parses the path of a short link that another service printed.
 *
 * @param raw percent-encoded or not, without the leading slash and the query
 * @returns the stored form, decoded and with its case kept, or why there can be no such link
 */
export function parseImportedPath(raw: string): { path: string } | { reason: PathReason } {
  const path = raw.includes('%') ? decodedPath(raw) : raw;
  if (path === null || !path.isWellFormed()) return { reason: { kind: 'path badly encoded' } };
  if (path === '') return { reason: { kind: 'path empty' } };
  if (path.length > maxPathLength)
    return { reason: { kind: 'path too long', maxLength: maxPathLength } };
  if (/[\p{Cc}\\?#]/u.test(path)) return { reason: { kind: 'path with control characters' } };
  if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(path.replace(/\/$/, '')))
    return { reason: { kind: 'path with an empty segment' } };
  const [first = ''] = path.split('/', 1);
  if (ownSegments.has(first)) return { reason: { kind: 'path of Waymark', segment: first } };
  return { path };
}

/**
 * Parses a path that the owner of a code chose, for people who type it.
 *
 * @param text percent-encoded or not; a slash at the beginning is left out
 * @returns the stored form, or null for an empty text
 * @throws Refused
 */
export function parseTypedPath(text: string): string | null {
  if (text.trim() === '') return null;
  const typed = text.trim().replace(/^\//, '');
  const parsed = parseImportedPath(typed);
  if ('reason' in parsed) throw new Refused(parsed.reason);
  // Keyboards type composed characters.
  const path = parsed.path.normalize('NFC');
  if (isUntypable.test(path)) throw new Refused({ kind: 'path with control characters' });
  // It would take requests from the path without it.
  if (path.endsWith('/')) throw new Refused({ kind: 'path with a slash at the end' });
  if (isAskedUnprompted(path)) throw new Refused({ kind: 'path that programs ask for', path });
  return path;
}

// A percent sign that is left after decoding would be decoded again. Joiners are parts of words in some scripts.
const isUntypable = /%|[\p{Zl}\p{Zp}]|[\p{Cf}--[\u200c\u200d]]/v;

/**
 * Returns whether programs ask each host for a path, without a link.
 * Search engines, browsers, mobile systems and certificate authorities (RFC 8615).
 */
export function isAskedUnprompted(path: string): boolean {
  return askedUnprompted.test(path);
}

/** The pattern of these paths, which is one of web servers, too. */
export const askedUnprompted =
  /^(?:\.well-known(?:\/|$)|(?:robots|ads|app-ads)\.txt$|favicon\.ico$|sitemap\.xml$|apple-touch-icon[\w-]*\.png$|apple-app-site-association$)/;

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

/**
 * Returns the distinct non-empty paths of short-URL prefixes, without trailing slash. Longer ones come
 * first, so that the first match leaves only the code.
 */
export function pathPrefixes(prefixes: readonly string[]): string[] {
  const paths = prefixes.map((prefix) => new URL(prefix).pathname.replace(/\/$/, ''));
  return [...new Set(paths)]
    .filter((path) => path !== '')
    .sort((one, other) => other.length - one.length);
}
