import { forEachConcurrently, yieldToEventLoop } from '../../../lib/event-loop.ts';
import { Refused, reasonOf } from '../../errors.ts';
import type { Acting, Clock } from '../../ports.ts';
import type { Reason } from '../../reasons.ts';
import { imagedCode } from '../code.ts';
import { mapLinkLabels } from '../fields.ts';
import { isAskedUnprompted } from '../path.ts';
import type { DomainStore, LinkImportStore, NewLink, StoredDomain } from '../ports.ts';
import { brokenRow } from '../tables/rows.ts';
import type { CheckedDestination } from '../urls/destination-check.ts';
import { splitScope } from '../urls/resolve.ts';
import { findPathConflicts, pathRefused } from '../urls/typed-path.ts';
import type { LinkFile } from './link-file.ts';
import { createPlaces, createPlacesOfLinks, hasOtherHost, type Place, tryPlace } from './places.ts';
import type { Difference, ForeignLink, InactiveReason } from './sources.ts';
import { msOfDate, parseDate, parseScans, scansOf, titleOf } from './values.ts';

export interface LinkImportReport {
  /** Links in the file. One may have several printed addresses. */
  readonly rows: number;
  /** Printed addresses of them. */
  readonly addresses: number;
  readonly created: number;
  /** In the order of the file. */
  readonly refused: readonly RefusedLink[];
  /** Links without a problem. */
  readonly good: number;
  /** Refused links whose path exists. */
  readonly existing: number;
  /** Rows of links without a problem that are imported paused, and why. */
  readonly paused: readonly { readonly row: number; readonly reason: InactiveReason }[];
  /** Rows of links without a problem that do more at the other service. */
  readonly differing: readonly { readonly row: number; readonly difference: Difference }[];
  /** Hosts of printed addresses that this server does not serve. */
  readonly foreignHosts: readonly string[];
}

interface RefusedLink {
  readonly row: number;
  readonly reason: Reason;
}

interface ImportOptions {
  /** Checks only. */
  readonly isDryRun: boolean;
  /** Where paths alone were printed. Default: the main domain. */
  readonly domain?: string | undefined;
  /** Creates the good links although others are refused. */
  readonly onlyGood: boolean;
  /** Also takes paths that programs ask each host for, see `isAskedUnprompted`. */
  readonly force?: boolean;
  /** Receives the number of checked links. */
  readonly onProgress?: (links: number) => void;
}

// A remote check takes a tenth of a second.
const concurrentChecks = 8;
const takenBatch = 500;
// A few milliseconds on SQLite, where a server cannot write meanwhile. The pause after it lets the server: as long as
// the write took, since a busy machine is slower.
const linksPerWrite = 250;
const minWritePauseMs = 10;

/** Creates the service that imports links which another service printed. */
export function createLinkImports(deps: {
  store: LinkImportStore;
  checkDestination: (url: unknown) => Promise<CheckedDestination>;
  /** Prefix of links whose host is not known, without trailing slash. */
  shortUrl: string;
  /** All prefixes that this server serves, `shortUrl` included. */
  prefixes: readonly string[];
  domains?: Pick<DomainStore, 'all' | 'usable'>;
  clock: Clock;
  /** Waits for milliseconds. */
  sleep: (ms: number) => Promise<void>;
}) {
  const { store, checkDestination, shortUrl, prefixes, clock, sleep } = deps;

  /** @throws Refused or ApiError with the reason for which a link is refused */
  const prepare = async (
    link: ForeignLink,
    placeOf: (link: ForeignLink) => Place,
    isLoop: (url: string) => boolean,
  ): Promise<PreparedLink> => {
    if (link.problem !== undefined) throw new Refused(link.problem);
    if (isLoop(link.destination)) throw new Refused({ kind: 'destination in this file' });
    const { path, shortLink, prefix } = placeOf(link);
    const nowMs = clock.nowMs();
    const createdAtMs = parseDate(link.created, 'creation', nowMs) ?? nowMs;
    const lastScanMs = parseDate(link.lastScan, 'last scan', nowMs);
    const scans = parseScans(link.scans);
    const counted = link.isFurther === true ? 0 : scans;
    const labels = mapLinkLabels((label, { parse }) =>
      parse(label === 'name' ? titleOf(link.name) : link[label]),
    );
    const inactive = inactiveReason(link, scans, nowMs);
    const checked = await checkDestination(link.destination === '' ? undefined : link.destination);
    return {
      path,
      shortLink,
      prefix,
      ...labels,
      ...checked,
      createdAtMs,
      scans: counted,
      lastScanMs: counted === 0 ? null : lastScanMs,
      status: inactive === null ? 'active' : 'paused',
      inactive,
      differences: differencesOf(link, inactive),
    };
  };

  /**
   * Returns the domains beside the main one, and at which of all an account may import links.
   * Those are former addresses of the main one too, at which no account creates codes.
   */
  const findDomains = async (accountId: number) => {
    const all = (await deps.domains?.all()) ?? [];
    const own = new Set((await deps.domains?.usable(accountId)) ?? []);
    const isUsable = ({ url, accounts }: StoredDomain) => own.has(url) || accounts?.length === 0;
    const usable = [shortUrl, ...all.filter(isUsable).map(({ url }) => url)];
    return { domains: all.map(({ url }) => url), usable };
  };

  /** Stores links in pieces. @throws Refused when another process has created one of the paths */
  const addAll = async (acting: Acting, links: readonly NewLink[]): Promise<void> => {
    const conflict = (created: number) => new Refused({ kind: 'paths created meanwhile', created });
    // Checks all before the first is written. The checks of destinations may have taken minutes.
    const paths = links.map(({ path }) => path);
    if (
      (await findPathConflicts(store, acting.accountId, paths, 'printed', clock.nowMs())).size > 0
    )
      throw conflict(0);
    let entryId: number | null = null;
    for (let at = 0; at < links.length; at += linksPerWrite) {
      const startMs = clock.monotonicMs();
      const part = links.slice(at, at + linksPerWrite);
      const added = await store.add(acting, part, clock.nowMs(), entryId);
      if (added === false) throw conflict(at);
      entryId = added;
      await sleep(Math.max(minWritePauseMs, clock.monotonicMs() - startMs));
    }
  };

  /** Returns the codes that paths name the images of, see `imagedCode`. */
  const findImaged = async (paths: readonly string[]): Promise<Set<string>> => {
    const codes = [...new Set(paths.flatMap((path) => imagedCode(path) ?? []))];
    const found = new Set<string>();
    for (let at = 0; at < codes.length; at += takenBatch)
      for (const code of await store.taken(codes.slice(at, at + takenBatch))) found.add(code);
    return found;
  };

  return {
    /** Checks the links of a file, and creates all or none of them unless `onlyGood`. */
    run: async (
      acting: Acting,
      { links, broken }: LinkFile,
      { isDryRun, domain, onlyGood, force = false, onProgress = () => {} }: ImportOptions,
    ): Promise<LinkImportReport> => {
      const { accountId } = acting;
      const { domains, usable } = await findDomains(accountId);
      if (domain !== undefined && !usable.includes(domain))
        throw new Refused({ kind: 'no domain of the account', url: domain });
      const placeOf = createPlacesOfLinks({ prefixes, shortUrl, domain, domains, usable });
      const refused: RefusedLink[] = broken.map((row) => ({
        row,
        reason: brokenRow,
      }));
      let existing = 0;
      const firstLinks = new Map<string, ForeignLink>();
      const foreignHosts = new Set<string>();
      for (const link of links) {
        const place = tryPlace(() => placeOf(link));
        if (place === null) continue;
        if (!firstLinks.has(place.path)) firstLinks.set(place.path, link);
        if (place.foreignHost !== null) foreignHosts.add(place.foreignHost);
      }
      const paths = [...firstLinks.keys()];
      const conflicts = await findPathConflicts(store, accountId, paths, 'printed', clock.nowMs());
      const imaged = await findImaged(paths);
      const hosts = [...prefixes, ...Array.from(foreignHosts, (host) => `https://${host}`)];
      const placeOfDestination = createPlaces(hosts, shortUrl, domains);
      const isLoop = (url: string) => {
        const place = tryPlace(() => placeOfDestination(url));
        if (place === null || place.prefix === null) return false;
        // A domain leads to the paths of the main one where it has none.
        return [place.path, splitScope(place.path).path].some(
          (path) => firstLinks.has(path) || firstLinks.has(path.replace(/\/$/, '')),
        );
      };

      const check = async (link: ForeignLink): Promise<PreparedLink | null> => {
        try {
          const prepared = await prepare(link, placeOf, isLoop);
          const { path } = prepared;
          const first = firstLinks.get(path) ?? link;
          // The same path under two hosts is one link.
          if (first !== link && first.row === link.row) return null;
          if (first !== link)
            throw new Refused({
              kind: hasOtherHost(first.short, link.short)
                ? 'path of an earlier row and another host'
                : 'path of an earlier row',
              row: first.row,
            });
          const conflict = conflicts.get(path);
          if (conflict === 'path exists') existing++;
          if (conflict !== undefined) throw pathRefused(conflict, path);
          const code = imagedCode(path);
          if (code !== null && imaged.has(code))
            throw new Refused({ kind: 'path of an image', path, code });
          if (isAskedUnprompted(path) && !force)
            throw new Refused({ kind: 'printed path that programs ask for', path });
          return prepared;
        } catch (error) {
          refused.push({ row: link.row, reason: reasonOf(error) });
          return null;
        }
      };

      const prepared = new Array<PreparedLink | null>(links.length).fill(null);
      let checked = 0;
      await forEachConcurrently(links.entries(), concurrentChecks, async ([index, link]) => {
        prepared[index] = await check(link);
        onProgress(++checked);
        if (checked % concurrentChecks === 0) await yieldToEventLoop();
      });
      const good = prepared.filter((link) => link !== null);
      const rowsOfGood = prepared.flatMap((link, index) => {
        const row = links[index]?.row;
        return link === null || row === undefined ? [] : [{ row, link }];
      });
      refused.sort((one, other) => one.row - other.row);
      const isWanted = !isDryRun && good.length > 0 && (onlyGood || refused.length === 0);
      if (isWanted) await addAll(acting, good);
      return {
        rows: new Set(links.map(({ row }) => row)).size + broken.length,
        addresses: links.length + broken.length,
        paused: rowsOfGood.flatMap(({ row, link: { inactive } }) =>
          inactive === null ? [] : [{ row, reason: inactive }],
        ),
        differing: rowsOfGood.flatMap(({ row, link }) =>
          link.differences.map((difference) => ({ row, difference })),
        ),
        created: isWanted ? good.length : 0,
        refused,
        good: good.length,
        existing,
        foreignHosts: [...foreignHosts],
      };
    },
  };
}

interface PreparedLink extends NewLink {
  readonly inactive: InactiveReason | null;
  readonly differences: readonly Difference[];
}

/** Returns why a link does not redirect at the other service now, or null. */
function inactiveReason(link: ForeignLink, scans: number, nowMs: number): InactiveReason | null {
  const { inactive = null, expires, starts, maxScans } = link;
  if (inactive !== null) return inactive;
  const [expiresMs, startsMs] = [expires, starts].map((text) =>
    text === undefined ? undefined : msOfDate(text),
  );
  const max = maxScans === undefined ? undefined : scansOf(maxScans);
  if (expiresMs === null || startsMs === null || max === null) return 'unknown';
  if (expiresMs !== undefined && expiresMs <= nowMs) return 'expired';
  if (startsMs !== undefined && startsMs > nowMs) return 'not started';
  return max !== undefined && scans >= max ? 'used up' : null;
}

/** Returns what a link does at the other service and will not do here. */
function differencesOf(link: ForeignLink, inactive: InactiveReason | null): Difference[] {
  const ends = link.expires !== undefined || link.maxScans !== undefined;
  return [...(link.differences ?? []), ...(ends && inactive === null ? (['ends'] as const) : [])];
}
