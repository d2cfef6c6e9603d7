import { trimEndWhere, trimInvisible } from '../../../lib/trim.ts';
import { parseCode, storedForms } from '../code.ts';
import type { CodeValues } from '../fields.ts';
import { encodePath, pathPrefixes } from '../path.ts';
import type { DomainStore } from '../ports.ts';
import { thisMachine } from './host.ts';
import { scopeOf } from './resolve.ts';

/** Settings of short links. URLs have no trailing slash. */
export interface ShortUrlSettings {
  /** Prefix of the short links of new codes. */
  readonly shortUrl: string;
  /** All prefixes that this server serves, `shortUrl` included. */
  readonly prefixes: readonly string[];
  /** Whether short links are written in capitals, which encode in alphanumeric mode. */
  readonly isDense: boolean;
}

/** Returns the short link of a code. */
export function shortLinkOf(
  code: string,
  { shortUrl, isDense }: Omit<ShortUrlSettings, 'prefixes'>,
): string {
  const link = `${shortUrl}/${code}`;
  return isDense ? link.toUpperCase() : link;
}

/**
 * Returns the address of a code to type: without scheme, with the path that its owner chose.
 * It follows the prefix of its short link. Null without a path.
 */
export function typedAddress(qr: Pick<CodeValues, 'code' | 'shortLink' | 'path'>): string | null {
  return qr.path === null ? null : `${new URL(qr.shortLink).host}${folderOf(qr)}${qr.path}`;
}

/** Returns the path of a short link up to the slash before the code. */
export function folderOf({ code, shortLink }: Pick<CodeValues, 'code' | 'shortLink'>): string {
  const { pathname } = new URL(shortLink);
  const end = [code, encodePath(code)].find((one) =>
    pathname.toLowerCase().endsWith(`/${one.toLowerCase()}`),
  );
  // An imported link may have another address, whose host leads here.
  return end === undefined ? '/' : pathname.slice(0, -end.length);
}

/** Returns what the short link of a code begins with: its domain, in lower case. */
export function domainOf(qr: Pick<CodeValues, 'code' | 'shortLink'>): string {
  return `${new URL(qr.shortLink).origin}${folderOf(qr)}`.slice(0, -1).toLowerCase();
}

/** An example of a code, to check designs with. */
export const sampleCode = '7h3k9m2x';

/** Returns an example of a short link, to preview designs with. */
export function sampleShortLink(config: { shortUrl: string; denseLinks: boolean }): string {
  return shortLinkOf(sampleCode, { shortUrl: config.shortUrl, isDense: config.denseLinks });
}

/**
 * Returns the short-URL prefixes of existing codes that are missing from the settings. Scheme and host
 * are compared without case, because dense links are printed in capitals.
 *
 * @param used prefixes of existing codes
 * @param served prefixes that this server serves
 */
export function unservedPrefixes(used: readonly string[], served: readonly string[]): string[] {
  const known = served.map(normalized);
  return used.filter((prefix) => !known.includes(normalized(prefix)));
}

/**
 * Returns the code in a short link of this server, or null: a code after a prefix, or after the path
 * of another prefix on the same host, because a proxy may leave that path in.
 */
export function codeOfShortLink(url: URL, prefixes: readonly string[]): string | null {
  return (
    pathsOfShortLink(url, prefixes)
      .map(parseCode)
      .find((code) => code !== null) ?? null
  );
}

/**
 * Returns the paths that an address may have after a prefix of this server.
 * A path with a slash at the end also leads where the path without it does.
 */
function pathsOfShortLink(url: URL, prefixes: readonly string[]): string[] {
  const folders = foldersOf(prefixes).get(authority(url)) ?? [];
  const path = decoded(url.pathname);
  // Proxies decode a path, and nginx joins its slashes, before they look for a prefix in it.
  const found = [path, path.replace(/\/{2,}/g, '/')].flatMap((form) =>
    folders.filter((folder) => form.startsWith(folder)).map((folder) => form.slice(folder.length)),
  );
  return [...new Set(found.flatMap((rest) => [rest, trimEndWhere(rest, (unit) => unit === '/')]))];
}

/** What may stand before a code, with a slash at the end, by host and port. */
type Folders = ReadonlyMap<string, readonly string[]>;

// Prefixes are settings: they are parsed once, not for each destination.
const parsedPrefixes = new WeakMap<readonly string[], Folders>();

function foldersOf(prefixes: readonly string[]): Folders {
  const known = parsedPrefixes.get(prefixes);
  if (known !== undefined) return known;
  const paths = ['', ...pathPrefixes(prefixes)];
  const urls = prefixes.map((prefix) => new URL(prefix));
  const folders = new Map(
    Array.from(Map.groupBy(urls, authority), ([host, same]) => [
      host,
      same
        .flatMap(({ pathname }) => paths.map((path) => `${pathname.replace(/\/$/, '')}${path}/`))
        .map(decoded),
    ]),
  );
  parsedPrefixes.set(prefixes, folders);
  return folders;
}

/** Returns the code in the text of a short link, of which the scheme may be missing, or null. */
export function codeInShortLink(text: string, prefixes: readonly string[]): string | null {
  const url = urlOf(text);
  return url && codeOfShortLink(url, prefixes);
}

/**
 * Returns the stored forms of the codes and imported links that a text may name.
 * The text is a code, a short link or its path. It may have been copied with spaces around it and a query.
 *
 * @param prefixes a path is one of the first
 */
export function formsInText(text: string, prefixes: readonly string[]): string[] {
  const given = trimInvisible(text);
  const path = URL.parse(`/${given.replace(/^\/+/, '')}`, prefixes[0]);
  const [ofLink, ofPath] = [urlOf(given), path].map((url) =>
    url === null ? [] : pathsOfShortLink(url, prefixes),
  );
  return [...new Set([...(ofLink ?? []), text, given, ...(ofPath ?? [])].flatMap(storedForms))];
}

// Prefixes have one folder or none.
const maxFolders = 4;

/**
 * Returns the host of a link, and the stored forms of what it may name.
 * It names nothing under a host of another server. Null for a text that is no link.
 */
export function formsAtAnyPrefix(text: string): { host: string; forms: string[] } | null {
  const url = urlOf(trimInvisible(text));
  if (url === null) return null;
  const folders = url.pathname.split('/').slice(0, -1);
  const prefixes = folders
    .slice(0, maxFolders)
    .map((_, index) => `${url.origin}${folders.slice(0, index + 1).join('/')}`);
  const forms = formsInText(text, prefixes);
  // A path of a domain beside the main one comes first.
  return { host: url.host, forms: [...forms.map((form) => scopeOf(url.host) + form), ...forms] };
}

/** Returns the paths at which a destination would lead back to this server. */
export function ownPaths(destination: string, prefixes: readonly string[]): string[] {
  const url = urlOf(destination);
  return url === null ? [] : pathsOfShortLink(url, prefixes).filter((path) => path !== '');
}

function urlOf(text: string): URL | null {
  return URL.parse(/^https?:/i.test(text) ? text : `https://${text}`);
}

/** Returns host and port. The scheme is ignored: servers often serve the same on 80 and 443. */
function authority(url: URL): string {
  const host = withoutMapping(url.hostname.replace(/\.$/, ''));
  return `${thisMachine.test(host) ? 'localhost' : host}:${url.port || 'default'}`;
}

/**
 * Returns the IPv4 address of an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2).
 * Any other host is unchanged.
 */
function withoutMapping(host: string): string {
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  const bytes = [high, low].map((half) => Number.parseInt(half, 16));
  return bytes.flatMap((half) => [half >> 8, half & 255]).join('.');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function normalized(prefix: string): string {
  return new URL(prefix).href.replace(/\/$/, '');
}

/** Returns the text that codes contain which match a search: for a short or imported link, its code or path. */
export type SearchTerm = (search: string) => Promise<string>;

/**
 * Creates what reads the search of a list.
 *
 * @param deps.prefixes those of the main domain, without a slash at the end
 * @param deps.domains the others
 */
export function createSearchTerm({
  prefixes,
  domains,
}: {
  readonly prefixes: readonly string[];
  readonly domains: Pick<DomainStore, 'all'>;
}): SearchTerm {
  return async (search) => {
    // Most searches are no link.
    if (!search.includes('/')) return search;
    const others = await domains.all();
    return searchTermOf(search, [...prefixes, ...others.map(({ url }) => url)]);
  };
}

function searchTermOf(search: string, servedPrefixes: readonly string[]): string {
  const code = codeInShortLink(search, servedPrefixes);
  if (code !== null) return code;
  const address = withoutScheme(search);
  const prefix = servedPrefixes
    .map((served) => `${withoutScheme(served)}/`)
    .find((served) => address.toLowerCase().startsWith(served.toLowerCase()));
  return prefix === undefined ? search : address.slice(prefix.length);
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//i, '');
}
