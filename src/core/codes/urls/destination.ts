import { maxShownLength, truncateUrl } from '../../../lib/text/readable-url.ts';
import { invisible, trimInvisible } from '../../../lib/trim.ts';
import { ApiError } from '../../errors.ts';
import type { DestinationProblem } from '../../reasons.ts';
import { hostProblem } from './host.ts';
import { codeOfShortLink } from './short-url.ts';

/** Maximum length of a destination in characters. Some proxies reject longer `Location` headers. */
export const maxDestinationLength = 2048;

/**
 * Validates a destination (SPEC rule 3; DESIGN, "a valid destination").
 * Its scheme, host and port are the same by the WHATWG URL standard and by RFC 3986.
 *
 * @param prefixes short-URL prefixes of this server, `scheme://host[:port][/path]`
 * @returns the text, unchanged
 * @throws ApiError invalid_url with the problem, and what was probably meant
 */
export function parseDestination(value: unknown, prefixes: readonly string[]): string {
  if (value === undefined) throw invalidUrl('missing');
  if (typeof value !== 'string') throw invalidUrl('no text');
  if (value === '') throw invalidUrl('empty');
  if (isLongerThan(value, maxDestinationLength)) throw invalidUrl('too long', value);
  const problem = problemOf(value);
  if (problem !== null) throw invalidUrl(problem, value, probablyMeant(value));
  if (codeOfShortLink(new URL(value), prefixes) !== null)
    throw new ApiError('invalid_url', { kind: 'short link of this server' });
  return value;
}

/**
 * Returns whether a text has more characters, as `maxLength` in OpenAPI counts them.
 * Some are two code units.
 */
function isLongerThan(text: string, characters: number): boolean {
  if (text.length > 2 * characters) return true;
  return text.length > characters && [...text].length > characters;
}

/** Returns what is wrong with a destination, or null. */
function problemOf(value: string): DestinationProblem | null {
  const problem = textProblem(value);
  if (problem !== null) return whereProblem(problem, value);
  const [, authority = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/isu.exec(value) ?? [];
  if (trimInvisible(value) !== value) return 'invisible character at an end';
  if (directionMark.test(value)) return 'direction mark';
  if (value.includes('\\')) return 'backslash';
  // `htps` is meant as a scheme too.
  if (/^h+t+p+s*\.?(?::|$)/i.test(authority) || (/:$/.test(authority) && rest.startsWith('//')))
    return 'two schemes';
  return hostProblem(authority, URL.parse(value)?.hostname ?? null);
}

/**
 * Returns the kind of problem that a person has to look at.
 * A space at an end or in the host is another problem than one in the path.
 */
function whereProblem(problem: DestinationProblem, value: string): DestinationProblem {
  const trimmed = trimInvisible(value);
  if (trimmed !== value && textProblem(trimmed) === null) return 'invisible character at an end';
  const isInHost =
    problem === 'space or control character' && /^https?:\/\/[^/?#]*\s/i.test(trimmed);
  return isInHost ? 'space in the host' : problem;
}

/** Returns what is wrong with the text of a destination by the rules of all versions, or null. */
function textProblem(value: string): DestinationProblem | null {
  if (!/^https?:\/\//i.test(value)) return 'no scheme';
  if (/[\p{Cc}\p{Z}\u2028\u2029]/u.test(value)) return 'space or control character';
  if (!value.isWellFormed()) return 'half of a surrogate pair';
  return null;
}

/** The marks of UAX 9 that change the direction of a text, as they are and percent-encoded in UTF-8. */
const directionMark =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|%D8%9C|%E2%80%(?:8[EF]|A[A-E])|%E2%81%A[6-9]/iu;

/**
 * Returns whether this or an earlier version accepted a destination.
 * Earlier ones accepted more, and a stored destination stays when the rules become stricter.
 */
export function isStoredDestination(value: string): boolean {
  return (
    !isLongerThan(value, maxDestinationLength) &&
    textProblem(value) === null &&
    !(value.includes('@') && /^https?:[/\\]+[^/?#\\]*@/i.test(value)) &&
    URL.canParse(value)
  );
}

/**
 * Returns the valid URL that an invalid one was probably meant to be.
 * With one scheme and one dot between labels, slashes for backslashes, and no invisible characters. Null when that is
 * not plain.
 */
function probablyMeant(value: string): string | null {
  const text = trimInvisible(value);
  // Which host was meant in https://good.example\@evil.example is open.
  const backslash = text.indexOf('\\');
  if (text.length > maxShownLength || (backslash !== -1 && text.includes('@', backslash)))
    return null;
  const [schemes = ''] = /^(?:https?(?:[:;]+[\\/]*|[\\/]+)|[\\/]+)*/i.exec(text) ?? [];
  const [, authority = '', rest = ''] =
    /^([^\\/?#]*)(.*)$/su.exec(text.slice(schemes.length)) ?? [];
  const host = [...authority.normalize('NFKC')]
    .filter((character) => !invisible.test(character))
    .join('')
    .replace(/[\u3002,]/g, '.')
    .replace(/^\.+/, '')
    .replace(/\.{2,}/g, (dots, at: number, all: string) =>
      ['', ':'].includes(all.charAt(at + dots.length)) ? '' : '.',
    );
  const scheme = /http[^a-z]*$/i.test(schemes) ? 'http' : 'https';
  const meant = `${scheme}://${host}${rest.replaceAll('\\', '/')}`;
  return /[^.]\.[^.]/.test(host) && problemOf(meant) === null ? meant : null;
}

function invalidUrl(
  problem: DestinationProblem,
  value = '',
  meant: string | null = null,
): ApiError {
  const text = truncateUrl(value) ?? value;
  return new ApiError('invalid_url', { kind: 'wrong destination', problem, text, meant });
}
