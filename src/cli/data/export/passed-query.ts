import {
  maxPassedBytes,
  parameterNames,
  splitFragment,
} from '../../../core/codes/urls/pass-query.ts';
import { locationFor, type RedirectMap } from './redirect-map.ts';

/**
 * How web servers add the query of a visitor to a location, see `withQuery`.
 * They have no loops, so that parameters are left out step by step, by regular expressions. One name may be encoded in
 * several ways, and all of them are left out.
 */

/** Locations to which a query is added alike. */
interface QueryKind {
  /** From 1. */
  readonly id: number;
  /** What stands before the query. */
  readonly joint: '?' | '&' | '';
  /** Matches a name of the locations. Null if they have none. */
  readonly names: string | null;
}

export type QueryKinds = ReadonlyMap<string, QueryKind>;

/** The parts of a location, and how the query is added between them; null if it is not. */
export interface SplitLocation {
  readonly before: string;
  readonly kind: QueryKind | null;
  readonly fragment: string;
}

/** Matches a query that is passed on. */
export const passedQuery = `^([\\x21\\x22\\x24-\\x7e]{1,${maxPassedBytes}})$`;

/** Places at which parameters are left out. A query with more of them is not passed on. */
export const maxGaps = 4;

// nginx reads words of at most 4,096 bytes.
const maxNamesLength = 3000;

/** Returns the kinds of the locations of a map that queries are added to. */
export async function queryKindsOf(map: RedirectMap): Promise<QueryKinds> {
  const kinds = new Map<string, QueryKind>();
  for await (const redirect of map.redirects({ passesQuery: true })) {
    const location = locationFor(redirect);
    if (location === null) continue;
    const { key, joint, names } = describe(location);
    if (kinds.has(key)) continue;
    const pattern = names.length === 0 ? null : names.map(namePattern).join('|');
    if (pattern === null || pattern.length <= maxNamesLength)
      kinds.set(key, { id: kinds.size + 1, joint, names: pattern });
  }
  return kinds;
}

/** Splits a location where the query is added. */
export function splitLocation(
  location: string,
  passesQuery: boolean,
  kinds: QueryKinds,
): SplitLocation {
  const kind = passesQuery ? (kinds.get(describe(location).key) ?? null) : null;
  if (kind === null) return { before: location, kind, fragment: '' };
  const [before, fragment] = splitFragment(location);
  return { before, kind, fragment };
}

/**
 * Returns the pattern of parameters that are left out, each with an `&` behind it as all others.
 * Those are empty, or have a name of the location.
 */
export function leftOut({ names }: Pick<QueryKind, 'names'>): string {
  return names === null ? '&+' : `(?:(?:(?:${names})(?:=[^&]*)?)?&)+`;
}

/** Matches parameters that stay, before the first that is left out. */
export const kept = '(?:[^&]+&)*?';

function describe(location: string) {
  const [before] = splitFragment(location);
  const joint = !before.includes('?') ? '?' : /[?&]$/.test(before) ? '' : '&';
  const names = [...parameterNames(before)].sort();
  return { key: JSON.stringify([joint, names]), joint, names } as const;
}

/** Returns a pattern of all spellings of the name of a parameter, for PCRE and RE2. */
function namePattern(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => {
    const hex = byte.toString(16).padStart(2, '0');
    const encoded = /[a-f]/.test(hex) ? `(?i:%${hex})` : `%${hex}`;
    if (byte === 0x20) return `(?:\\+|${encoded})`;
    // These characters end a name, begin a fragment, or stand for others.
    const isPlain = byte > 0x20 && byte < 0x7f && !'&=#+'.includes(String.fromCharCode(byte));
    return isPlain ? `(?:\\x${hex}|${encoded})` : encoded;
  }).join('');
}
