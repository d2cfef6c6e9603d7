import { canonicalHost } from './host.ts';
import { bytesOf, escapeBytes, unescapeFully } from './percent-encoding.ts';

/** A URL in Safe Browsing's canonical form; every part is escaped ASCII. */
export interface CanonicalUrl {
  readonly scheme: string;
  readonly host: string;
  readonly isAddress: boolean;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark; null when there is none. */
  readonly query: string | null;
}

/**
 * Parses a URL by Safe Browsing's rules: unescapes all of it, then splits it.
 * A missing scheme is http. Null when there is no host.
 *
 * @see Safe Browsing, "URLs and Hashing", "Canonicalization of URLs"
 */
export function parseAsSafeBrowsing(url: string): CanonicalUrl | null {
  const [withoutFragment] = splitOnce(trimmed(bytesOf(url)).replace(/[\t\r\n]/g, ''), '#');
  const bytes = unescapeFully(withoutFragment);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(bytes)?.[1];
  const rest = scheme === undefined ? bytes : bytes.slice(scheme.length + 3);
  const authority = rest.slice(0, endOfAuthority(rest));
  const host = canonicalHost(authority.slice(authority.lastIndexOf('@') + 1).replace(port, ''));
  // `mailto:someone@example.com` is no web address, though it ends like one.
  const otherScheme =
    scheme === undefined && authority.replace(port, '').includes(':') && rest[0] !== '[';
  if (host === null || otherScheme) return null;
  const [path, query] = splitOnce(rest.slice(authority.length), '?');
  return canonical(scheme ?? 'http', host, path, query);
}

/**
 * Parses a URL as a browser does (WHATWG URL standard), then canonicalizes its parts.
 * Null when it is no URL.
 */
function parseAsBrowser(url: string): CanonicalUrl | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  const host = canonicalHost(parsed.hostname);
  if (host === null) return null;
  const query = parsed.search === '' ? null : unescapeFully(parsed.search.slice(1));
  return canonical(parsed.protocol.slice(0, -1), host, unescapeFully(parsed.pathname), query);
}

/**
 * Returns the distinct canonical forms of a URL. Safe Browsing's rules and a browser parse backslashes
 * and escaped delimiters differently, so both forms are checked. Empty when there is no host.
 */
export function canonicalForms(url: string): CanonicalUrl[] {
  const forms = [parseAsSafeBrowsing(url), parseAsBrowser(url)].filter((form) => form !== null);
  return [...new Map(forms.map((form) => [textOf(form), form])).values()];
}

/** Returns the canonical form of a URL by Safe Browsing's rules, or null when it has no host. */
export function canonicalize(url: string): string | null {
  const form = parseAsSafeBrowsing(url);
  return form === null ? null : textOf(form);
}

function textOf(url: CanonicalUrl): string {
  return `${url.scheme}://${url.host}${url.path}${url.query === null ? '' : `?${url.query}`}`;
}

const port = /:[0-9]*$/;

function canonical(
  scheme: string,
  host: { readonly name: string; readonly isAddress: boolean },
  path: string,
  query: string | null,
): CanonicalUrl {
  return {
    scheme: scheme.toLowerCase(),
    host: escapeBytes(host.name),
    isAddress: host.isAddress,
    path: escapeBytes(resolvePath(path)),
    query: query === null ? null : escapeBytes(query),
  };
}

/** Removes spaces and control characters at both ends. (A pattern for the end would be quadratic.) */
function trimmed(bytes: string): string {
  let end = bytes.length;
  while (end > 0 && bytes.charCodeAt(end - 1) <= 0x20) end -= 1;
  return bytes.slice(0, end).replace(/^[\0-\x20]+/, '');
}

function endOfAuthority(rest: string): number {
  const end = rest.search(/[/?]/);
  return end === -1 ? rest.length : end;
}

function splitOnce(text: string, separator: string): [head: string, tail: string | null] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** Resolves `.` and `..` and collapses runs of slashes; an empty path becomes `/`. */
function resolvePath(path: string): string {
  const segments = path.split('/').slice(1);
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const dots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (!dots) kept.push(segment);
    if (dots && index === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`.replace(/\/{2,}/g, '/');
}
