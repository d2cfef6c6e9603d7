import { Refused } from '../../errors.ts';
import type { DomainStore, LinkImportStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { allKeysOf, foldPath, formsOf, linkMeant, scopeOf } from './resolve.ts';
import { ownPaths } from './short-url.ts';

/** What finds where short links of this server lead. */
export interface LinksOfServer {
  readonly links: Pick<LinkImportStore, 'at'>;
  /** Prefixes that this server serves. */
  readonly prefixes: readonly string[];
  /** Default: the main domain alone. */
  readonly domains?: Pick<DomainStore, 'all'> | undefined;
}

/**
 * Returns the function that returns the paths at which an address leads to this server, as they are stored: those of a
 * domain beside the main one with its scope.
 */
export async function createOwnPaths({
  prefixes,
  domains,
}: Omit<LinksOfServer, 'links'>): Promise<(address: string) => string[]> {
  const urls = (await domains?.all())?.map(({ url }) => url) ?? [];
  const scopes = urls.map((url) => ({ prefixes: [url], scope: scopeOf(new URL(url).host) }));
  return (address) => [
    ...ownPaths(address, prefixes),
    ...scopes.flatMap((domain) =>
      ownPaths(address, domain.prefixes).map((path) => domain.scope + path),
    ),
  ];
}

/** Browsers give up after twenty redirects. */
const maxHops = 10;

type Own = Pick<Qr, 'code' | 'path' | 'shortLink'>;

/**
 * Returns whether a code that leads to a destination would lead back to itself, or from link to link without end.
 *
 * @param path of the code, as it will be stored
 */
async function leadsBack(
  { code, path }: Pick<Own, 'code' | 'path'>,
  destination: string,
  links: LinksOfServer['links'],
  pathsOf: (address: string) => string[],
): Promise<boolean> {
  let paths = pathsOf(destination);
  for (let hop = 0; hop < maxHops; hop++) {
    if (paths.length === 0) return false;
    const meanings = paths.map(allKeysOf);
    // The path may not be stored yet.
    if (path !== null && formsOf(meanings.flat()).folded.includes(foldPath(path))) return true;
    const found = await links.at(formsOf(meanings.flat()));
    const next = meanings.flatMap((keys) => linkMeant(keys, found) ?? []);
    if (next.some((link) => link.code === code)) return true;
    paths = next.flatMap((link) => pathsOf(link.destination));
  }
  return true;
}

/** Returns whether a code leads back to itself. */
export async function isLoop(code: string, server: LinksOfServer): Promise<boolean> {
  const named = await server.links.at({ exact: [code], folded: [] });
  const link = named.find((one) => one.code === code);
  if (link === undefined) return false;
  const pathsOf = await createOwnPaths(server);
  return leadsBack({ code, path: null }, link.destination, server.links, pathsOf);
}

/** Checks that a code that gets a path does not lead back to it. @throws Refused */
export async function requireNoLoop(
  { code, path, shortLink }: Own,
  destination: string,
  server: LinksOfServer,
): Promise<void> {
  if (path === null) return;
  const pathsOf = await createOwnPaths(server);
  const { host, origin } = new URL(shortLink);
  const isOfDomain = (await server.domains?.all())?.some(({ url }) => url === origin) ?? false;
  const stored = isOfDomain ? scopeOf(host) + path : path;
  if (await leadsBack({ code, path: stored }, destination, server.links, pathsOf))
    throw new Refused({ kind: 'path leads back', path });
}

const codesPerRead = 500;

/**
 * Yields the codes that lead back to themselves, such as those whose destinations have a prefix that was added later.
 *
 * @param read returns codes after an id, in the order of their ids
 * @param pause resolves false to end early
 */
export async function* findLoops(
  read: (
    afterId: number,
    limit: number,
  ) => Promise<readonly (Pick<Qr, 'code' | 'destination'> & { readonly qrId: number })[]>,
  server: LinksOfServer,
  pause: () => Promise<boolean>,
): AsyncGenerator<string> {
  const pathsOf = await createOwnPaths(server);
  for (let afterId = 0; await pause(); ) {
    const codes = await read(afterId, codesPerRead);
    for (const { code, destination } of codes)
      if (await leadsBack({ code, path: null }, destination, server.links, pathsOf)) yield code;
    const last = codes.at(-1);
    if (last === undefined) return;
    afterId = last.qrId;
  }
}
