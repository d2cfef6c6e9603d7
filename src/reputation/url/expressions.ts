import { type CanonicalUrl, canonicalForms, parseAsSafeBrowsing } from './canonicalize.ts';

// Safe Browsing combines paths with suffixes of up to five components; v5 with three components more
// than the registrable domain. The longest public suffixes have five, so nine cover both rules without
// the Public Suffix List.
const maxComponents = 9;

/**
 * Returns the host-suffix/path-prefix expressions of every canonical form of a URL, most specific host
 * first: those of Safe Browsing v4 and v5, and every domain above the host.
 *
 * @see Safe Browsing, "URLs and Hashing", "Host-Suffix Path-Prefix Expressions"
 */
export function expressionsOf(url: string): string[] {
  return unique(
    canonicalForms(url).flatMap((form) => {
      const paths = pathPrefixes(form);
      return hostSuffixes(form).flatMap((host) =>
        host === form.host || host.split('.').length <= maxComponents
          ? paths.map((path) => `${host}${path}`)
          : [`${host}/`],
      );
    }),
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
 * Returns the expression of a list entry or rule; null for neither a domain nor a URL.
 * A domain matches itself with its subdomains (`*.example.com` and `.example.com` as well), a URL that ends in a slash
 * that folder, any other URL itself.
 */
export function entryExpression(text: string): string | null {
  const url = parseAsSafeBrowsing(text.replace(/^(?:\*\.)+/, ''));
  if (url === null || /[^a-z0-9._:[\]-]/.test(url.host)) return null;
  return `${url.host}${url.path}${url.query === null || url.query === '' ? '' : `?${url.query}`}`;
}

/** Returns the SHA-256 of an expression, 32 bytes. */
export function hashOf(expression: string): Uint8Array {
  const hash = new Uint8Array(32);
  Bun.SHA256.hash(expression, hash);
  return hash;
}

/** Returns the host, then its suffixes, longest first, without the top-level domain. */
function hostSuffixes({ host, isAddress }: CanonicalUrl): string[] {
  const labels = host.split('.');
  if (isAddress || labels.length < 2) return [host];
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** Returns the path with its query, the path, `/`, and up to three folders below it. */
function pathPrefixes({ path, query }: CanonicalUrl): string[] {
  const withQuery = query === null || query === '' ? [] : [`${path}?${query}`];
  const folders = path.split('/').slice(1, -1);
  const depths = [0, 1, 2, 3].filter((depth) => depth <= folders.length);
  const prefixes = depths.map((depth) => ['', ...folders.slice(0, depth), ''].join('/'));
  return unique([...withQuery, path, ...prefixes]);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
