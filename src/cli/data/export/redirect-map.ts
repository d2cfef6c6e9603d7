import { parseCode } from '../../../core/codes/code.ts';
import type { QrLabels } from '../../../core/codes/fields.ts';
import type { QrStatus } from '../../../core/codes/qr.ts';
import { locationHeader } from '../../../core/codes/urls/destination.ts';

/** A code and its destination. */
export interface Redirect extends QrLabels {
  readonly isArchived: boolean;
  readonly code: string;
  /** As printed. */
  readonly shortLink: string;
  /** Exactly as the client sent it. */
  readonly destination: string;
  readonly status: QrStatus;
}

/** All codes, so that printed ones can redirect without Waymark. */
export interface RedirectMap {
  /** Short-URL prefixes, `scheme://host[:port][/path]`. */
  readonly prefixes: readonly string[];
  readonly codes: number;
  /** Iterates in the order of the codes, with the same result at every call. */
  redirects(): Iterable<Redirect> | AsyncIterable<Redirect>;
}

/** Writes the map as a configuration of a web server or as data, in pieces. */
export type Format = (map: RedirectMap) => AsyncIterable<string>;

/** Returns the `Location` header of the short link, or null if the response is 410. */
export function locationFor({ destination, status }: Redirect): string | null {
  return status === 'active' ? locationHeader(destination) : null;
}

/** Returns the imported paths that end with a slash. All other links lead to the same place with and without one. */
export async function pathsWithSlash(map: RedirectMap): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for await (const { code } of map.redirects()) if (code.endsWith('/')) paths.add(code);
  return paths;
}

/** Returns whether a redirect is an imported link: a path whose case matters, not a code. */
export function isImported({ code }: Redirect): boolean {
  return parseCode(code) !== code;
}
