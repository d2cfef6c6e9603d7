import { parseCode } from '../../../core/codes/code.ts';
import { foldPath, splitScope, tailCharacters } from '../../../core/codes/urls/resolve.ts';
import type { StoredRedirect, StoredRedirects } from '../../../core/storage.ts';
import { locationHeader } from '../../../redirect/link-outcome.ts';

/** All codes, so that printed ones can redirect without Waymark. */
export interface RedirectMap extends Pick<StoredRedirects, 'prefixes' | 'codes' | 'redirects'> {
  /** Where `/` and unknown paths of the main domain lead. */
  readonly main?: DomainPages;
  /** The domains beside the main one. */
  readonly domains?: readonly (DomainPages & { readonly url: string })[];
}

/** Addresses of a domain; null for none. */
export interface DomainPages {
  readonly frontUrl: string | null;
  readonly notFoundUrl: string | null;
}

/** Returns the pages of the domains by their hosts; the main one has none. */
export function pagesOf({
  main = { frontUrl: null, notFoundUrl: null },
  domains = [],
}: Pick<RedirectMap, 'main' | 'domains'>): readonly (DomainPages & {
  readonly host: string | null;
})[] {
  return [
    ...domains.map(({ url, frontUrl, notFoundUrl }) => ({
      host: new URL(url).hostname,
      frontUrl: frontUrl ?? main.frontUrl,
      notFoundUrl,
    })),
    { ...main, host: null },
  ];
}

/** Writes the map as a configuration of a web server or as data, in pieces. */
export type Format = (
  map: RedirectMap & Pick<StoredRedirects, 'dailyScans'>,
) => AsyncIterable<string>;

/** Returns the `Location` header of the short link, or null if the response is 410. */
export function locationFor({ destination, status }: StoredRedirect): string | null {
  return status === 'active' ? locationHeader(destination) : null;
}

/**
 * Returns the imported paths that end with a slash.
 * All other links lead to the same place with and without one.
 */
export async function pathsWithSlash(map: RedirectMap): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const { host, path } of pathsOf(map))
    if (host === null && path.endsWith('/')) paths.add(path);
  return paths;
}

/** A path of an imported link, or one that the owner of a code chose. */
export interface PathRedirect {
  /** The host of a domain beside the main one, without a port; null for the main one. */
  readonly host: string | null;
  readonly path: string;
  /** See {@link locationFor}. */
  readonly location: string | null;
  /** Whether the query of a visitor is added to the location. */
  readonly passesQuery: boolean;
  /** Whether it is followed in any case, because no other path differs from it in case only. */
  readonly isAlone: boolean;
}

/** Reads the paths. */
export async function* pathRedirects(map: RedirectMap): AsyncGenerator<PathRedirect> {
  const shared = await sharedForms(map);
  for await (const { stored, ...redirect } of pathsOf(map))
    yield { ...redirect, isAlone: !shared.has(digestOf(stored)) };
}

/** Returns the digests of the folded forms that several paths have. */
async function sharedForms(map: RedirectMap): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for await (const { stored } of pathsOf(map)) {
    const digest = digestOf(stored);
    if (seen.has(digest)) shared.add(digest);
    seen.add(digest);
  }
  return shared;
}

// A number takes a tenth of the memory of a path, of which there may be millions.
const digestOf = (path: string) => Number(Bun.hash.wyhash(foldPath(path)) & 0x1f_ffff_ffff_ffffn);

async function* pathsOf(
  map: RedirectMap,
): AsyncGenerator<Omit<PathRedirect, 'isAlone'> & { readonly stored: string }> {
  for await (const redirect of map.redirects()) {
    const location = locationFor(redirect);
    const passesQuery = redirect.query !== null;
    for (const stored of [isImported(redirect) ? redirect.code : null, redirect.path])
      if (stored !== null) {
        const { scope, path } = splitScope(stored);
        const host = scope === '' ? null : new URL(`http:${scope}`).hostname;
        yield { stored, host, path, location, passesQuery };
      }
  }
}

/** Returns whether a redirect is an imported link: a path, not a code. */
export function isImported({ code }: StoredRedirect): boolean {
  return parseCode(code) !== code;
}

/** Returns a pattern of what follows a link and is cut, see `tailCharacters`. */
export function tailPattern(patternOf: (character: string) => string): string {
  return `(?:${tailCharacters.map(patternOf).join('|')})`;
}

/**
 * Returns a pattern of all paths that have the folded form of a path.
 * Its letters are in any case, composed or not.
 *
 * @param patternOf of a character for the pattern, which ignores the case of ASCII
 */
export function foldedPattern(path: string, patternOf: (character: string) => string): string {
  return Array.from(foldPath(path), (character) => {
    const cased = [character, character.toUpperCase()].filter((one) => foldPath(one) === character);
    const forms = cased.flatMap((one) => [one, one.normalize('NFD')]);
    const spellings = new Set(forms.map((form) => Array.from(form, patternOf).join('')));
    return spellings.size === 1 ? [...spellings][0] : `(?:${[...spellings].join('|')})`;
  }).join('');
}
