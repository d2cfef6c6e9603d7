import { parseCode } from '../../../core/codes/code.ts';
import type { StoredRedirect, StoredRedirects } from '../../../core/storage.ts';
import { locationHeader } from '../../../redirect/link-outcome.ts';

/** All codes, so that printed ones can redirect without Waymark. */
export type RedirectMap = Pick<StoredRedirects, 'prefixes' | 'codes' | 'redirects'>;

/** Writes the map as a configuration of a web server or as data, in pieces. */
export type Format = (map: RedirectMap) => AsyncIterable<string>;

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
  for await (const { path } of pathRedirects(map)) if (path.endsWith('/')) paths.add(path);
  return paths;
}

/** A path whose case matters: of an imported link, or one that the owner of a code chose. */
export interface PathRedirect {
  readonly path: string;
  /** See {@link locationFor}. */
  readonly location: string | null;
}

/** Reads the paths, which web servers must match as they are. */
export async function* pathRedirects(map: RedirectMap): AsyncGenerator<PathRedirect> {
  for await (const redirect of map.redirects()) {
    const location = locationFor(redirect);
    if (isImported(redirect)) yield { path: redirect.code, location };
    if (redirect.path !== null) yield { path: redirect.path, location };
  }
}

/** Returns whether a redirect is an imported link: a path whose case matters, not a code. */
export function isImported({ code }: StoredRedirect): boolean {
  return parseCode(code) !== code;
}
