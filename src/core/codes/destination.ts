import { ApiError } from '../errors.ts';
import { parseCode } from './code.ts';
import { pathPrefixes } from './short-url.ts';

/** Longest destination in characters; longer `Location` headers break proxies on the way. */
export const maxDestinationLength = 2048;

// Read from the text: an empty user-info leaves no trace in what the URL standard parses. It skips any number of
// slashes of either kind in front of the authority.
const userInfo = /^https?:[/\\]+[^/?#\\]*@/i;

/**
 * A destination as the client sent it, checked (SPEC rule 3; DESIGN, "a valid destination").
 *
 * @param shortBases where this server's own short links live, `scheme://host[:port][/path]`
 * @returns the text itself, unchanged
 * @throws ApiError invalid_url, with what is wrong
 */
export function parseDestination(value: unknown, shortBases: readonly string[]): string {
  if (value === undefined) throw invalidUrl('The body has no "url". Send {"url": "https://…"}.');
  if (typeof value !== 'string') throw invalidUrl('"url" must be a string.');
  if (value === '') throw invalidUrl('"url" is empty.');
  // Characters, of which some are two units of the text, as `maxLength` in the OpenAPI document counts them.
  if (value.length > maxDestinationLength && [...value].length > maxDestinationLength)
    throw invalidUrl(`The URL is longer than ${maxDestinationLength} characters.`);
  if (!/^https?:\/\//i.test(value))
    throw invalidUrl('The URL must begin with http:// or https://.');
  if (/[\p{Cc}\p{Z}\u2028\u2029]/u.test(value))
    throw invalidUrl('The URL contains a space or a control character; percent-encode it.');
  if (!value.isWellFormed()) throw invalidUrl('The URL contains half of a surrogate pair.');
  const url = URL.parse(value);
  if (url === null || url.hostname === '') throw invalidUrl('The URL has no valid host or port.');
  if (userInfo.test(value)) throw invalidUrl('The URL must not carry a user name or password.');
  if (isShortLink(url, shortBases))
    throw invalidUrl('The URL is a short link of this server and would redirect in a loop.');
  return value;
}

/** What the `Location` header says: the destination untouched, in ASCII where it is not (RFC 9110). */
export function locationHeader(destination: string): string {
  return /^[\x21-\x7e]*$/.test(destination) ? destination : new URL(destination).href;
}

// Three lines on a phone; what is little longer is not worth a fold.
const shownLength = 120;
const unfoldedLength = 160;

/**
 * The part of an address that is shown where the whole of it would fill a page: never less than the host,
 * which is what people go by. Null where it is short enough to be shown whole.
 */
export function truncateUrl(address: string): string | null {
  if (address.length <= unfoldedLength) return null;
  const [host = ''] = /^(?:https?:[/\\]+)?[^/?#\\]*/i.exec(address) ?? [];
  // Not in the midst of a character.
  return address.slice(0, Math.max(shownLength, host.length)).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Below a base of its own a server answers a code, and one behind any of its base paths as well: a proxy may
 * leave that on. Beside a base path that is not empty there may be another site.
 */
function isShortLink(url: URL, shortBases: readonly string[]): boolean {
  const paths = ['', ...pathPrefixes(shortBases)];
  return shortBases.some((text) => {
    const base = new URL(text);
    if (authority(url) !== authority(base)) return false;
    const within = base.pathname.replace(/\/$/, '');
    return paths.some((path) => {
      const prefix = `${within}${path}/`;
      if (!url.pathname.startsWith(prefix)) return false;
      return parseCode(decoded(url.pathname.slice(prefix.length))) !== null;
    });
  });
}

/** Host and port without regard to the scheme: one server commonly answers on 80 and 443 alike. */
function authority(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${url.port || 'default'}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function invalidUrl(message: string): ApiError {
  return new ApiError('invalid_url', message);
}
