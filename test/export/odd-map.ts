import fc from 'fast-check';
import { codeAlphabet } from '../../src/core/codes/code.ts';
import { locationHeader, parseDestination } from '../../src/core/codes/destination.ts';
import { qrStatuses } from '../../src/core/codes/qr.ts';
import type { Redirect, RedirectMap } from '../../src/export/redirect-map.ts';

const code = fc
  .array(fc.constantFrom(...codeAlphabet), { minLength: 8, maxLength: 8 })
  .map((characters) => characters.join(''));

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the point
// What means something to one of the formats, to a shell, or to a URL.
const oddPieces = [
  ...['"', "'", '`', '\\', '$', '${', '$1', '${waymark_dollar}', '{', '}', '{$', '{$HOME}', '\\{'],
  ...['{path}', '{http.request.uri}', ';', '#', '//', '/*', '*/', '?', '&', '=', '%', '%22', '%zz'],
  ...['$uri', '$request_uri', '<', '>', '|', '^', '[', ']', '(', ')', '~', '!', ',', ':splat', ':'],
  ...[
    'ü',
    '日本',
    '🙂',
    'é',
    'gone',
    ';}',
    '"; return 200 "x',
    '\\"',
    '\\\\',
    '<<',
    '@',
    '+',
    '..',
  ],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the point

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

/** Anything that the server takes for a destination, with a liking for what breaks formats. */
export const oddDestination = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://'),
    host,
    fc.constantFrom('/', '/?', '/#', '?', '#'),
    fc.oneof({ weight: 9, arbitrary: tail }, { weight: 1, arbitrary: long }),
  )
  .map((parts) => parts.join(''))
  .filter(isDestination);

/** Codes in every status, sorted as an export walks them. */
export const oddRedirects = (bases: readonly [string, ...string[]]): fc.Arbitrary<Redirect[]> =>
  fc
    .uniqueArray(
      fc
        .tuple(code, oddDestination, fc.constantFrom(...qrStatuses, 'active'), fc.nat())
        .map(([one, destination, status, chosen]) => ({
          code: one,
          shortLink: `${bases[chosen % bases.length]}/${one}`,
          destination,
          status,
        })),
      { selector: (redirect) => redirect.code, minLength: 1, maxLength: 120, size: 'max' },
    )
    .map((redirects) => redirects.toSorted((a, b) => (a.code < b.code ? -1 : 1)));

export function mapOf(bases: readonly string[], redirects: readonly Redirect[]): RedirectMap {
  return { bases, codes: redirects.length, redirects: () => redirects };
}

function isDestination(text: string): boolean {
  try {
    parseDestination(text, []);
    // What has no address in ASCII is refused elsewhere; here it would only hide the rest.
    return locationHeader(text) !== '';
  } catch {
    return false;
  }
}
