import { yieldToEventLoop } from '../../lib/event-loop.ts';
import type { DomainChange, DomainStore, StoredDomain } from '../codes/ports.ts';
import { unservedPrefixes } from '../codes/urls/short-url.ts';
import { Refused } from '../errors.ts';
import type { Actor, Clock } from '../ports.ts';
import type { BackgroundRuns } from '../scans/background-results.ts';
import type { DomainCheck, DomainChecks } from './checks.ts';

/** A domain as operators see it. */
export interface ListedDomain extends StoredDomain {
  /** Whether it is the main one, which is a setting. */
  readonly isMain: boolean;
  /** Number of codes that are printed with it; null while they are counted. */
  readonly codes: number | null;
  /** Null before it is checked. */
  readonly check: DomainCheck | null;
}

export type Domains = ReturnType<typeof createDomains>;

/** Codes that are read together: some milliseconds. */
const readTogether = 1000;
const maxCachedCounts = 10_000;
/** Whose counts they are: no account's. */
const ofServer = 0;

/**
 * Parses a domain: `scheme://host[:port]`, in lower case.
 *
 * @throws Refused when it is none
 */
export function parseDomainUrl(text: string): string {
  const url = URL.parse(text.trim().replace(/\/$/, ''));
  const isDomain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    `${url.pathname}${url.search}${url.hash}` === '/' &&
    url.hostname !== '';
  if (!isDomain) throw new Refused({ kind: 'no domain', text });
  return url.origin;
}

/**
 * Manages the domains of the server, for operators and commands.
 *
 * @param deps.mainUrls the main domain, then its other names: all are settings
 * @param deps.formerUrls domains that the settings name
 */
export function createDomains({
  store,
  checks,
  runs,
  mainUrls,
  formerUrls,
  clock,
}: {
  store: DomainStore;
  checks: DomainChecks;
  runs: BackgroundRuns;
  mainUrls: readonly [string, ...string[]];
  formerUrls: readonly string[];
  clock: Pick<Clock, 'nowMs'>;
}) {
  const [mainUrl] = mainUrls;
  const counts = runs.resultsOf<ReadonlyMap<string, number>>({
    name: 'codes by host',
    weightOf: ({ size }) => 1 + size,
    maxWeight: maxCachedCounts,
  });

  /** Reads the printed links of all codes, some at a time. */
  async function* printedLinks(): AsyncGenerator<readonly string[]> {
    for (let afterId = 0; ; await yieldToEventLoop()) {
      const codes = await store.printed(afterId, readTogether);
      yield codes.map(({ shortLink }) => shortLink);
      const last = codes.at(-1);
      if (last === undefined || codes.length < readTogether) return;
      afterId = last.id;
    }
  }
  /** Counts the codes of the server by the hosts that they are printed with. */
  const countByHost = async (onCodes: (codes: number) => void) => {
    const byHost = new Map<string, number>();
    let read = 0;
    for await (const links of printedLinks()) {
      for (const link of links) {
        const { host } = new URL(link);
        byHost.set(host, (byHost.get(host) ?? 0) + 1);
      }
      read += links.length;
      onCodes(read);
    }
    return byHost;
  };
  /** Counts the codes that are printed with an address, and not with a longer one. Dense links are in capitals. */
  const countAt = async (url: string, longer: readonly string[]): Promise<number> => {
    const isAt = (link: string, address: string) => link.startsWith(`${address}/`);
    let codes = 0;
    for await (const links of printedLinks())
      for (const link of links.map((one) => one.toLowerCase()))
        if (isAt(link, url) && !longer.some((one) => isAt(link, one))) codes++;
    return codes;
  };
  const isOneOf = (url: string, urls: readonly string[]) =>
    unservedPrefixes([url], urls).length === 0;
  const hostOf = (url: string) => new URL(url).host;
  const isMain = (url: string) => mainUrls.some((one) => hostOf(one) === hostOf(url));
  const main: StoredDomain = { url: mainUrl, accounts: null, frontUrl: null, notFoundUrl: null };
  const requireOther = (url: string) => {
    if (isMain(url)) throw new Refused({ kind: 'main domain', url });
  };

  return {
    /** Returns all domains, the main one first, as far as they are counted and checked by now. */
    list: async (): Promise<ListedDomain[]> => {
      const all = [main, ...(await store.all())];
      await checks.refresh(all.map(({ url }) => url));
      const byHost = await counts.of(ofServer, '', countByHost);
      return all.map((domain) => ({
        ...domain,
        isMain: domain === main,
        codes: byHost === null ? null : (byHost.get(hostOf(domain.url)) ?? 0),
        check: checks.last(domain.url),
      }));
    },

    /** @throws Refused for the main domain, and for its other names */
    requireOther,

    /** What is known of domains by earlier checks. */
    checks,

    /** Checks a domain now, and waits for a moment. */
    checkAgain: checks.again,

    /**
     * Adds a domain, which need not lead here yet.
     *
     * @throws Refused when it is the main one, or there already
     */
    add: async (by: Actor, url: string, change: DomainChange): Promise<void> => {
      requireOther(url);
      if (!(await store.add(url, change, by, clock.nowMs())))
        throw new Refused({ kind: 'domain exists', url });
    },

    /** Changes who may use a domain, and its pages. @throws Refused when there is none */
    set: async (by: Actor, url: string, change: DomainChange): Promise<void> => {
      requireOther(url);
      if (!(await store.set(url, change, by, clock.nowMs())))
        throw new Refused({ kind: 'no such domain', url });
    },

    /**
     * Removes a domain, or a former address of the main one. Its codes stay found under the others.
     *
     * @param isForced also if codes were printed with it, which then lead nowhere once it does not lead here
     * @param longer former addresses that begin with it, whose codes are not its own
     * @returns the number of its codes
     * @throws Refused
     */
    remove: async (
      by: Actor,
      url: string,
      {
        isForced,
        longer = [],
      }: { readonly isForced: boolean; readonly longer?: readonly string[] },
    ): Promise<number> => {
      if (isOneOf(url, [mainUrl])) throw new Refused({ kind: 'main domain', url });
      if (isOneOf(url, formerUrls)) throw new Refused({ kind: 'domain of the settings', url });
      const codes = await countAt(url, longer);
      if (codes > 0 && !isForced) throw new Refused({ kind: 'printed domain', url, codes });
      await store.remove(url, by, clock.nowMs());
      return codes;
    },
  };
}
