import { shorten } from '../../../lib/text/shorten.ts';
import { Refused } from '../../errors.ts';
import { maxPathLength } from '../code.ts';
import { encodePath, parseImportedPath, pathPrefixes } from '../path.ts';
import type { NewLink } from '../ports.ts';
import { findDomain } from '../urls/new-domain.ts';
import { scopeOf } from '../urls/resolve.ts';
import type { ForeignLink } from './sources.ts';

/** Where a link was printed. */
export interface Place extends Pick<NewLink, 'path' | 'shortLink' | 'prefix'> {
  readonly foreignHost: string | null;
}

/** Returns whether two printed addresses name different hosts. A path alone names none. */
export function hasOtherHost(one: string, other: string): boolean {
  const [host, otherHost] = [URL.parse(one)?.host, URL.parse(other)?.host];
  return host !== undefined && otherHost !== undefined && host !== otherHost;
}

/** Returns the place of a printed address, or null when it can be none. */
export function tryPlace(placeOf: () => Place): Place | null {
  try {
    return placeOf();
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/**
 * Creates the function that returns the place of a link: under the domain that it names, or that of its address.
 *
 * @param server.domain where a path alone was printed; the main one if undefined
 * @param server.domains beside the main one
 * @param server.usable those at which the account may import links, and the main one
 * @returns a function that throws Refused for what can be no printed address, or is of a domain of others
 */
export function createPlacesOfLinks(server: {
  readonly prefixes: readonly string[];
  readonly shortUrl: string;
  readonly domain: string | undefined;
  readonly domains: readonly string[];
  readonly usable: readonly string[];
}): (link: Pick<ForeignLink, 'short' | 'domain'>) => Place {
  const { prefixes, shortUrl, domain = shortUrl, domains, usable } = server;
  const placesAt = new Map<string, (short: string) => Place>();
  const placeAt = (short: string, url: string) =>
    placesAt.getOrInsertComputed(url, () => createPlaces(prefixes, url, domains))(short);
  return ({ short, domain: text }) => {
    const named = text === undefined ? domain : findDomain(text, usable);
    if (named === null)
      throw new Refused({ kind: 'no domain of the account', url: shorten(text ?? '') });
    const place = placeAt(short, named);
    const found = domains.find((url) => url === place.prefix) ?? shortUrl;
    if (text !== undefined && (found !== named || place.foreignHost !== null))
      throw new Refused({ kind: 'short address of another domain', url: named });
    if (!usable.includes(found))
      throw new Refused({ kind: 'no domain of the account', url: found });
    return place;
  };
}

/**
 * Creates the function that returns the place of a printed address or path.
 * Of an address whose host is not served, only the path counts: the operator may point the host here later.
 *
 * @param shortUrl where a path alone was printed
 * @param domains beside the main one, whose paths are their own
 * @returns a function that throws Refused for what can be no printed address
 */
export function createPlaces(
  served: readonly string[],
  shortUrl: string,
  domains: readonly string[] = [],
): (short: string) => Place {
  // The longest path first, so that the first match leaves only the path of the link.
  const prefixes = served
    .map((prefix) => {
      const { host, pathname } = new URL(prefix);
      return { prefix, host, folder: `${pathname.replace(/\/$/, '')}/` };
    })
    .sort((one, other) => other.prefix.length - one.prefix.length);
  const basePaths = pathPrefixes(served);

  /** Returns a printed address as URL; null for a path. The scheme may be missing before a served host. */
  const urlOf = (short: string): URL | null => {
    if (short === '') throw new Refused({ kind: 'no short address' });
    const [host = ''] = short.split('/', 1);
    const isServed =
      prefixes.some((one) => one.host === host.toLowerCase()) ||
      domains.some((one) => new URL(one).host === host.toLowerCase());
    const isUrl = /^https?:\/\//i.test(short);
    const url = URL.parse(isUrl ? short : `https://${short}`);
    if (isUrl && url === null) throw new Refused({ kind: 'short address is no URL' });
    return isUrl || isServed ? url : null;
  };

  const requirePath = (raw: string): string => {
    // The server skips its base paths in every request.
    const base = basePaths.find((path) => `/${raw}`.startsWith(`${path}/`)) ?? '';
    const parsed = parseImportedPath(raw.slice(base.length));
    if ('reason' in parsed) throw new Refused(parsed.reason);
    return parsed.path;
  };
  return (short) => {
    const url = urlOf(short);
    if (url !== null && (url.search !== '' || url.hash !== ''))
      throw new Refused({ kind: 'short address with a query' });
    const home = prefixes.find(
      ({ host, folder }) => url?.host === host && url.pathname.startsWith(folder),
    );
    if (url !== null && home !== undefined) {
      const path = requirePath(url.pathname.slice(home.folder.length));
      return { path, shortLink: url.href, prefix: home.prefix, foreignHost: null };
    }
    const domain = domains.find((one) =>
      url === null ? one === shortUrl : new URL(one).host === url.host,
    );
    const path = requirePath((url?.pathname ?? short).replace(/^\//, ''));
    if (domain !== undefined) {
      const stored = scopeOf(new URL(domain).host) + path;
      if (stored.length > maxPathLength)
        throw new Refused({ kind: 'path too long', maxLength: maxPathLength });
      const printed = `${domain}/${encodePath(path)}`;
      return { path: stored, shortLink: printed, prefix: domain, foreignHost: null };
    }
    const shortLink = `${shortUrl}/${encodePath(path)}`;
    return { path, shortLink, prefix: null, foreignHost: url?.host ?? null };
  };
}
