import fc from 'fast-check';
import type { RedirectMap } from '../../src/cli/data/export/redirect-map.ts';
import { codeAlphabet } from '../../src/core/codes/code.ts';
import { qrStatuses } from '../../src/core/codes/qr.ts';
import { parseDestination } from '../../src/core/codes/urls/destination.ts';
import type { StoredRedirect } from '../../src/core/storage.ts';
import { locationHeader } from '../../src/redirect/link-outcome.ts';
import { noLabels } from '../core/sample-qr.ts';

const code = fc
  .array(fc.constantFrom(...codeAlphabet), { minLength: 8, maxLength: 8 })
  .map((characters) => characters.join(''));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: literal input
// Characters with a meaning in a format, a shell or a URL.
const oddPieces =
  '" \' ` \\ $ ${ $1 ${waymark_dollar} { } {$ {$HOME} \\{ {path} {http.request.uri} ; # // /* */ ? & = % %22 %zz $uri $request_uri < > | ^ [ ] ( ) ~ ! , :splat : ü 日本 🙂 é gone ;} \\" \\\\ << @ + ..'.split(
    ' ',
  );
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: literal input

const tail = fc
  .array(fc.oneof(fc.constantFrom(...oddPieces), fc.webSegment({ size: 'small' })), {
    maxLength: 12,
    size: 'max',
  })
  .map((pieces) => pieces.join(''));

const host = fc.constantFrom('example.org', 'EXAMPLE.org:8443', 'münchen.example', '[2001:db8::1]');
const long = fc
  .tuple(fc.constantFrom(...oddPieces, 'ab', '本'), fc.integer({ min: 1, max: 900 }))
  .map(([piece, times]) => piece.repeat(times).slice(0, 1800));

/** Valid destinations, mostly with characters that could break a format. */
const oddDestination = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://'),
    host,
    fc.constantFrom('/', '/?', '/#', '?', '#'),
    fc.oneof({ weight: 9, arbitrary: tail }, { weight: 1, arbitrary: long }),
  )
  .map((parts) => parts.join(''))
  .filter(isDestination);

/** Codes of every status, in the order of exports. */
export const oddRedirects = (
  prefixes: readonly [string, ...string[]],
): fc.Arbitrary<StoredRedirect[]> =>
  fc
    .uniqueArray(
      fc
        .tuple(code, oddDestination, fc.constantFrom(...qrStatuses, 'active'), fc.nat())
        .map(([one, destination, status, chosen]) => ({
          ...redirect(one, { shortLink: `${prefixes[chosen % prefixes.length]}/${one}` }),
          destination,
          status,
          name: chosen % 3 === 0 ? destination.slice(12) || null : null,
          note: chosen % 5 === 0 ? `=1+1,"${one}\nsecond line` : null,
        })),
      { selector: (redirect) => redirect.code, minLength: 1, maxLength: 120, size: 'max' },
    )
    .map((redirects) => redirects.toSorted((a, b) => (a.code < b.code ? -1 : 1)));

/** Returns an active code without labels, except what is given. */
export function redirect(code: string, given: Partial<StoredRedirect> = {}): StoredRedirect {
  return {
    code,
    shortLink: `https://qr.example.com/${code}`,
    destination: 'https://example.org/',
    status: 'active',
    ...noLabels,
    isArchived: false,
    hasImage: true,
    scheduledChanges: [],
    activity: [],
    pausedPage: { businessName: null, message: null, link: null },
    ...given,
  };
}

/** A format of `waymark export`. */
export type Format = (map: RedirectMap) => AsyncIterable<string>;

/** Exports codes, and returns the pieces that the format writes. */
export function exported(
  format: Format,
  prefixes: readonly string[],
  redirects: readonly StoredRedirect[],
  pages: Pick<RedirectMap, 'main' | 'domains'> = {},
): Promise<string[]> {
  const map: Pick<RedirectMap, 'prefixes' | 'codes' | 'redirects'> = {
    prefixes,
    codes: redirects.length,
    redirects: ({ passesQuery = false } = {}) =>
      passesQuery ? redirects.filter(({ query }) => query !== null) : redirects,
  };
  return Array.fromAsync(format({ ...map, ...pages }));
}

function isDestination(text: string): boolean {
  try {
    parseDestination(text, []);
    return locationHeader(text) !== '';
  } catch {
    return false;
  }
}
