import { ApiError } from '../errors.ts';
import { codeOfShortLink } from './short-url.ts';

/** Maximum length of a destination in characters. Some proxies reject longer `Location` headers. */
export const maxDestinationLength = 2048;

// Tested on the text, because a parsed URL does not show an empty user-info. URL parsers skip any
// number of slashes and backslashes before the authority.
const userInfo = /^https?:[/\\]+[^/?#\\]*@/i;

/**
 * Validates a destination (SPEC rule 3; DESIGN, "a valid destination").
 *
 * @param prefixes short-URL prefixes of this server, `scheme://host[:port][/path]`
 * @returns the text, unchanged
 * @throws ApiError invalid_url with the problem
 */
export function parseDestination(value: unknown, prefixes: readonly string[]): string {
  if (value === undefined) throw invalidUrl('The body has no "url". Send {"url": "https://…"}.');
  if (typeof value !== 'string') throw invalidUrl('"url" must be a string.');
  if (value === '') throw invalidUrl('"url" is empty.');
  // Counts characters like `maxLength` in the OpenAPI document. Some are two code units.
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
  if (codeOfShortLink(url, prefixes) !== null)
    throw invalidUrl('The URL is a short link of this server and would redirect in a loop.');
  return value;
}

/** Returns the `Location` header of a destination: unchanged when it is ASCII (RFC 9110). */
export function locationHeader(destination: string): string {
  return /^[\x21-\x7e]*$/.test(destination) ? destination : new URL(destination).href;
}

// Four lines on a phone.
const maxShownLength = 160;

/**
 * Returns the beginning of a long address for display, at least up to the end of its host. Returns null
 * when the address is short enough to be shown in full.
 */
export function truncateUrl(address: string): string | null {
  if (address.length <= maxShownLength) return null;
  const [host = ''] = /^(?:https?:[/\\]+)?[^/?#\\]*/i.exec(address) ?? [];
  // A surrogate pair is not split.
  return address.slice(0, Math.max(maxShownLength, host.length)).replace(/[\ud800-\udbff]$/, '');
}

function invalidUrl(message: string): ApiError {
  return new ApiError('invalid_url', message);
}
