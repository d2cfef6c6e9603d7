import {
  codeLength,
  formatCodeNumber,
  maxPathLength,
  ownSegments,
  parseCode,
  parseCodeNumber,
} from '../code.ts';

/**
 * What the path of a request means.
 * This is the one place that says so: redirects on both databases follow it, and exports write it down for web servers.
 */

/** Something that may be at an address. */
export type LinkKey =
  | { readonly kind: 'code'; readonly code: number }
  /** A path by the letter. */
  | { readonly kind: 'path'; readonly path: string }
  /** A path in its folded form, see {@link foldPath}. It means a link if no other one has that form. */
  | { readonly kind: 'folded'; readonly path: string };

/** Returns the form in which paths are compared without regard to case and to how letters are composed (NFC). */
export function foldPath(path: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(path);
  return isAscii ? path.toLowerCase() : path.normalize('NFC').toLowerCase().normalize('NFC');
}

/** Returns the folded form of the path of an imported link, which is stored as its code; null for a code. */
export function foldImported(code: string): string | null {
  return parseCode(code) === code ? null : foldPath(code);
}

// Each code unit has up to three bytes, which are three characters each when they are encoded. A query may follow `&`.
const maxEncodedLength = 9 * maxPathLength + 2048;

/**
 * Decodes the path of a request.
 *
 * @param raw without the leading slash and the query
 * @returns null when no link can be there, or a page of Waymark is
 */
export function decodeAsked(raw: string): string | null {
  // An encoded slash at the end does not end a path.
  if (raw === '' || raw.length > maxEncodedLength || /%2f$/i.test(raw)) return null;
  const path = raw.includes('%') ? decoded(raw) : raw;
  // No path has an empty segment.
  if (path === null || path.startsWith('/') || (path.includes('//') && /^[^&]*\/\//.test(path)))
    return null;
  const slash = path.indexOf('/');
  return ownSegments.has(slash === -1 ? path : path.slice(0, slash)) ? null : path;
}

function decoded(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/**
 * Returns what stands before the paths of a domain beside the main one: they are stored as `//host/path`, a reference
 * to another host (RFC 3986, 4.2). No path of the main domain begins so.
 *
 * @param host with the port, unless it is the standard one
 */
export function scopeOf(host: string): string {
  return `//${host.toLowerCase()}/`;
}

/** Splits a stored path into what `scopeOf` returns, which is empty for the main domain, and the path itself. */
export function splitScope(stored: string): { readonly scope: string; readonly path: string } {
  const end = stored.startsWith('//') ? stored.indexOf('/', 2) + 1 : 0;
  return { scope: stored.slice(0, end), path: stored.slice(end) };
}

/**
 * Returns what may be at a path, in the order in which it is looked up: the first that is there is meant.
 * The order is: the path by the letter, the path in any case, a code with letters that codes do not have. All of it
 * follows once more without what people and programs put behind a link. The paths of a domain come before those of the
 * main one.
 *
 * @param address a path, decoded, with the scope of its domain; if it is a code, that is not there
 */
export function keysOf(address: string): LinkKey[] {
  const { scope, path } = splitScope(address);
  const scopes = scope === '' ? [''] : [scope, ''];
  const cut = withoutTail(path);
  return cut === null
    ? spellingsOf(path, scopes)
    : [...spellingsOf(path, scopes), ...codeAt(cut), ...spellingsOf(cut, scopes)];
}

/** Returns the same for a path that may be a code which was not looked up. */
export function allKeysOf(address: string): LinkKey[] {
  return [...codeAt(splitScope(address).path), ...keysOf(address)];
}

/** What stores look up for some keys. */
export interface LinkForms {
  /** Codes, and paths by the letter. */
  readonly exact: readonly string[];
  readonly folded: readonly string[];
}

/** Returns the forms under which links are stored that some keys may mean. */
export function formsOf(keys: readonly LinkKey[]): LinkForms {
  const exact = new Set<string>();
  const folded = new Set<string>();
  for (const key of keys)
    if (key.kind === 'folded') folded.add(key.path);
    else exact.add(key.kind === 'code' ? formatCodeNumber(key.code) : key.path);
  return { exact: [...exact], folded: [...folded] };
}

/** The names of a link under which it is found. */
export interface NamedLink {
  readonly code: string;
  readonly path: string | null;
  readonly foldedCode: string | null;
  readonly foldedPath: string | null;
}

/** Returns the link that is meant, of all that have one of the forms of the keys; null if none is. */
export function linkMeant<Link extends NamedLink>(
  keys: readonly LinkKey[],
  links: readonly Link[],
): Link | null {
  for (const key of keys) {
    const found = links.filter((link) => hasName(link, key));
    const [first = null] = found;
    if (key.kind === 'folded' ? found.length === 1 : first !== null) return first;
  }
  return null;
}

function hasName({ code, path, foldedCode, foldedPath }: NamedLink, key: LinkKey): boolean {
  switch (key.kind) {
    case 'code':
      return code === formatCodeNumber(key.code);
    case 'path':
      return code === key.path || path === key.path;
    case 'folded':
      return foldedCode === key.path || foldedPath === key.path;
  }
}

/** Returns what a path may mean, but for the code that it is. */
function spellingsOf(path: string, scopes: readonly string[]): LinkKey[] {
  // A link is printed with and without a slash at the end. One that has it comes first.
  const bare = path.endsWith('/') ? path.slice(0, -1) : null;
  const codes = bare === null ? [] : codeAt(bare);
  const ofDomains = scopes.flatMap((scope): LinkKey[] => {
    const paths = [path, ...(bare === null ? [] : [bare])].filter(isPath);
    return [
      ...paths.map((one) => ({ kind: 'path', path: scope + one }) as const),
      ...paths.map((one) => ({ kind: 'folded', path: foldPath(scope + one) }) as const),
    ];
  });
  return [...codes, ...ofDomains, ...codeReadAt(bare ?? path)];
}

function codeAt(text: string): LinkKey[] {
  const code = parseCodeNumber(text, 0, text.length);
  return code === null ? [] : [{ kind: 'code', code }];
}

/** Parses a code in which o, i and l, which codes do not have, stand for 0 and 1. */
function codeReadAt(text: string): LinkKey[] {
  if (text.length !== codeLength) return [];
  let read = '';
  for (const character of text) read += misread[character] ?? character;
  return read === text ? [] : codeAt(read);
}

const misread: Readonly<Record<string, string>> = {
  o: '0',
  O: '0',
  i: '1',
  I: '1',
  l: '1',
  L: '1',
};

/** Returns whether a path can be stored. No stored one has any of these characters, see `parseImportedPath`. */
function isPath(path: string): boolean {
  return path !== '' && path.length <= maxPathLength && !/[\p{Cc}\\?#]/u.test(path);
}

/** What stands behind a link in a text and is no part of it: blanks, and marks that end or enclose a sentence. */
export const tailCharacters: readonly string[] = [
  ...'\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u2028\u2029',
  ...'\u202f\u205f\u3000\ufeff.,)!>',
  // Quotation marks (Unicode property Quotation_Mark, and the backtick).
  ...'"\'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u300c\u300d\u300e\u300f\u301d\u301e\u301f\uff02\uff07',
];
const tail = new Set(tailCharacters);

/** Characters of a tail that are cut, beside what follows `&`. Nobody types more. */
export const maxTailLength = 16;

/** Cuts what follows a link: `&` and what is behind it, blanks, and marks. Null if there is nothing to cut. */
export function withoutTail(path: string): string | null {
  const mark = path.indexOf('&');
  const start = mark === -1 ? path.length - (path.endsWith('/') ? 1 : 0) : mark;
  let end = start;
  while (end > 0 && start - end < maxTailLength && tail.has(path.charAt(end - 1))) end--;
  return end === 0 || (end === start && mark === -1) ? null : path.slice(0, end);
}
