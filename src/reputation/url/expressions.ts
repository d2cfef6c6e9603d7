import { type CanonicalUrl, readAsPublished, readingsOf } from './canonicalize.ts';

/** Suffixes that the published rule makes of a host: from the last five components on. */
const publishedComponents = 5;
// v5 starts at the registrable domain of the Public Suffix List and adds three components. The
// longest public suffixes have five components, so nine cover it without a copy of that list.
const v5Components = 9;
// A host has at most 127 components (253 characters). An entry for a domain covers all below it.
const mostComponents = 127;

/**
 * The host-suffix/path-prefix expressions of a URL, most specific host first: at most five hosts by
 * six paths.
 *
 * @see Safe Browsing, "URLs and Hashing", "Host-Suffix Path-Prefix Expressions"
 */
export function expressionsOf(url: CanonicalUrl, components = publishedComponents): string[] {
  const paths = pathPrefixes(url);
  return hostSuffixes(url, components).flatMap((host) => paths.map((path) => `${host}${path}`));
}

/** What a provider that goes by v5's rule may know a URL by: the published expressions and more. */
export function v5Expressions(url: string): string[] {
  return unique(readingsOf(url).flatMap((reading) => expressionsOf(reading, v5Components)));
}

/**
 * What a local list may know a URL by: the published expressions of every reading, and every domain
 * above the host.
 */
export function localExpressions(url: string): string[] {
  return unique(
    readingsOf(url).flatMap((reading) => [
      ...expressionsOf(reading),
      ...hostSuffixes(reading, mostComponents).map((host) => `${host}/`),
    ]),
  );
}

/**
 * The last component of every host alone. Only the operator may mean a whole top-level domain; on a
 * list it is a slip, and would flag half of the web.
 */
export function topLevelExpressions(expressions: readonly string[]): string[] {
  const hosts = expressions.map((expression) => expression.slice(0, expression.indexOf('/')));
  return unique(hosts.map((host) => `${host.slice(host.lastIndexOf('.') + 1)}/`));
}

/**
 * Whether a text names a network (`203.0.113.0/24`), which no expression can stand for: read as a
 * URL, it would flag a single page of a single address.
 */
export function isNetwork(text: string): boolean {
  return /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}\/(?:[12]?[0-9]|3[0-2])$/.test(text);
}

/**
 * The one expression that a list entry stands for. A domain stands for all that lies on it and below
 * it, a URL for itself, one that ends in a slash for that folder. `*.example.com` and `.example.com`
 * are the domain.
 *
 * @returns null when the text is neither a domain nor a URL
 */
export function entryExpression(text: string): string | null {
  const url = readAsPublished(text.replace(/^(?:\*\.)+/, ''));
  if (url === null || /[^a-z0-9._:[\]-]/.test(url.host)) return null;
  return `${url.host}${url.path}${url.query === null || url.query === '' ? '' : `?${url.query}`}`;
}

/** SHA-256 of an expression, 32 bytes, written into `hash` where one is given. */
export function hashOf(expression: string, hash = new Uint8Array(32)): Uint8Array {
  Bun.SHA256.hash(expression, hash);
  return hash;
}

/** The exact host, then its suffixes, longest first, never the last component alone. */
function hostSuffixes(url: CanonicalUrl, components: number): string[] {
  if (url.isAddress) return [url.host];
  const labels = url.host.split('.');
  const hosts = [url.host];
  const longest = Math.min(components, labels.length - 1);
  for (let length = longest; length >= 2; length -= 1) hosts.push(labels.slice(-length).join('.'));
  return hosts;
}

/** The path with its query, the path, `/`, and up to three folders below it. */
function pathPrefixes(url: CanonicalUrl): string[] {
  const withQuery = url.query === null || url.query === '' ? [] : [`${url.path}?${url.query}`];
  return unique([...withQuery, url.path, ...folderPrefixes(url.path)]);
}

/** The root of a canonical path and up to three folders below it, each with a slash at its end. */
export function folderPrefixes(path: string): string[] {
  const folders = path.split('/').slice(1, -1);
  return [0, 1, 2, 3]
    .filter((depth) => depth <= folders.length)
    .map(
      (depth) =>
        `/${folders
          .slice(0, depth)
          .map((folder) => `${folder}/`)
          .join('')}`,
    );
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
