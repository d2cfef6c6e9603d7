import { type CanonicalUrl, readAsPublished, readingsOf, textOf } from './canonicalize.ts';

/** Components of the longest host suffix in the published rule. */
const publishedComponents = 5;
// v5 adds three components to the registrable domain of the Public Suffix List. The longest public
// suffixes have five components, so nine cover it without a copy of that list.
const v5Components = 9;
// The most that a host can have (253 characters). An entry for a domain covers all subdomains.
const maxComponents = 127;

/**
 * Returns the host-suffix/path-prefix expressions of a URL, most specific host first: at most five hosts
 * by six paths.
 *
 * @see Safe Browsing, "URLs and Hashing", "Host-Suffix Path-Prefix Expressions"
 */
export function expressionsOf(url: CanonicalUrl, components = publishedComponents): string[] {
  const paths = pathPrefixes(url);
  return hostSuffixes(url, components).flatMap((host) => paths.map((path) => `${host}${path}`));
}

/** Returns the expressions of a URL by the rule of v5, which are the published ones and more. */
export function v5Expressions(url: string): string[] {
  return unique(readingsOf(url).flatMap((reading) => expressionsOf(reading, v5Components)));
}

/**
 * Returns the expressions that rules and lists are searched for: the published ones of every reading of
 * the URL, and every domain above the host.
 */
export function localExpressions(url: string): string[] {
  return unique(
    readingsOf(url).flatMap((reading) => [
      ...expressionsOf(reading),
      ...hostSuffixes(reading, maxComponents).map((host) => `${host}/`),
    ]),
  );
}

/**
 * Returns the top-level domain of every host. Only rules may match one: on a list it is a mistake that
 * would flag half of the web.
 */
export function topLevelExpressions(expressions: readonly string[]): string[] {
  const hosts = expressions.map((expression) => expression.slice(0, expression.indexOf('/')));
  return unique(hosts.map((host) => `${host.slice(host.lastIndexOf('.') + 1)}/`));
}

/**
 * Returns whether a text is a network (`203.0.113.0/24`). No expression matches one: as a URL, it is a
 * single page of a single address.
 */
export function isNetwork(text: string): boolean {
  return /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}\/(?:[12]?[0-9]|3[0-2])$/.test(text);
}

/**
 * Returns the expression of a list entry or rule; null for neither a domain nor a URL. A domain matches
 * itself with its subdomains (`*.example.com` and `.example.com` as well), a URL that ends in a slash
 * that folder, any other URL itself.
 */
export function entryExpression(text: string): string | null {
  const url = readAsPublished(text.replace(/^(?:\*\.)+/, ''));
  if (url === null || /[^a-z0-9._:[\]-]/.test(url.host)) return null;
  return `${url.host}${url.path}${url.query === null || url.query === '' ? '' : `?${url.query}`}`;
}

/** Returns the SHA-256 of an expression, 32 bytes. */
export function hashOf(expression: string): Uint8Array {
  const hash = new Uint8Array(32);
  Bun.SHA256.hash(expression, hash);
  return hash;
}

/**
 * Shortens a URL that is too long for a provider: without its query, or else to the deepest folder that
 * fits, or else to its root. Providers check these expressions of a URL as well.
 *
 * @param fits returns whether a URL is short enough
 */
export function boundedUrl(url: string, fits: (candidate: string) => boolean): string {
  if (fits(url)) return url;
  const reading = readAsPublished(url);
  if (reading === null) return url;
  const paths = [reading.path, ...folderPrefixes(reading.path).reverse()];
  const candidates = [
    textOf(reading),
    ...paths.map((path) => textOf({ ...reading, path, query: null })),
  ];
  return candidates.find(fits) ?? textOf({ ...reading, path: '/', query: null });
}

/** Returns the host, then its suffixes, longest first, without the top-level domain. */
function hostSuffixes(url: CanonicalUrl, components: number): string[] {
  if (url.isAddress) return [url.host];
  const labels = url.host.split('.');
  const hosts = [url.host];
  const longest = Math.min(components, labels.length - 1);
  for (let length = longest; length >= 2; length -= 1) hosts.push(labels.slice(-length).join('.'));
  return hosts;
}

/** Returns the path with its query, the path, `/`, and up to three folders below it. */
function pathPrefixes(url: CanonicalUrl): string[] {
  const withQuery = url.query === null || url.query === '' ? [] : [`${url.path}?${url.query}`];
  return unique([...withQuery, url.path, ...folderPrefixes(url.path)]);
}

/** Returns `/` and up to three folders below it. */
function folderPrefixes(path: string): string[] {
  const folders = path.split('/').slice(1, -1);
  const depths = [0, 1, 2, 3].filter((depth) => depth <= folders.length);
  return depths.map((depth) => ['', ...folders.slice(0, depth), ''].join('/'));
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
