import { Refused } from '../../errors.ts';
import type { LinkImportStore } from '../ports.ts';
import type { Qr } from '../qr.ts';
import { allKeysOf, foldPath, formsOf, linkMeant } from './resolve.ts';
import { ownPaths } from './short-url.ts';

/** What finds where short links of this server lead. */
export interface LinksOfServer {
  readonly links: Pick<LinkImportStore, 'at'>;
  /** Prefixes that this server serves. */
  readonly prefixes: readonly string[];
}

/** Browsers give up after twenty redirects. */
const maxHops = 10;

type Own = Pick<Qr, 'code' | 'path'>;

/** Returns whether a code that leads to a destination would lead back to itself, or from link to link without end. */
async function leadsBack(
  { code, path }: Own,
  destination: string,
  { links, prefixes }: LinksOfServer,
): Promise<boolean> {
  let paths = ownPaths(destination, prefixes);
  for (let hop = 0; hop < maxHops; hop++) {
    if (paths.length === 0) return false;
    const meanings = paths.map(allKeysOf);
    // The path may not be stored yet.
    if (path !== null && formsOf(meanings.flat()).folded.includes(foldPath(path))) return true;
    const found = await links.at(formsOf(meanings.flat()));
    const next = meanings.flatMap((keys) => linkMeant(keys, found) ?? []);
    if (next.some((link) => link.code === code)) return true;
    paths = next.flatMap((link) => ownPaths(link.destination, prefixes));
  }
  return true;
}

/** Returns whether a code leads back to itself. */
export async function isLoop(code: string, server: LinksOfServer): Promise<boolean> {
  const named = await server.links.at({ exact: [code], folded: [] });
  const link = named.find((one) => one.code === code);
  return link !== undefined && leadsBack({ code, path: null }, link.destination, server);
}

/** Checks that a code that gets a path does not lead back to it. @throws Refused */
export async function requireNoLoop(
  { code, path }: Own,
  destination: string,
  server: LinksOfServer,
): Promise<void> {
  if (path !== null && (await leadsBack({ code, path }, destination, server)))
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
  for (let afterId = 0; await pause(); ) {
    const codes = await read(afterId, codesPerRead);
    for (const { code, destination } of codes)
      if (await leadsBack({ code, path: null }, destination, server)) yield code;
    const last = codes.at(-1);
    if (last === undefined) return;
    afterId = last.qrId;
  }
}
