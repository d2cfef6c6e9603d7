import type { Clock } from '../../ports.ts';
import type { StoredRedirects } from '../../storage.ts';
import type { DomainStore } from '../ports.ts';
import { reachOf } from './host.ts';

/** An address in printed codes. */
export interface Domain {
  /** `scheme://host[:port][/path]` in lower case */
  readonly url: string;
  /** Codes that were printed with it and are not stopped, imported links included if they were. */
  readonly codes: number;
  /** Imported links that another service has printed: on this machine, all. */
  readonly links: number;
  readonly reach: ReturnType<typeof reachOf>;
}

/** Counts the codes of each address that was printed. */
export async function listDomains({ prefixes, redirects }: StoredRedirects): Promise<Domain[]> {
  const domains = new Map(
    prefixes.map((prefix) => {
      const url = prefix.toLowerCase();
      return [url, { url, codes: 0, links: 0, reach: reachOf(new URL(url)) }];
    }),
  );
  // Of two addresses that begin alike, a link is of the longer one.
  const longestFirst = [...domains.values()].sort(
    (one, other) => other.url.length - one.url.length,
  );
  for await (const { shortLink, status, hasImage } of redirects()) {
    const link = shortLink.toLowerCase();
    const domain = longestFirst.find(({ url }) => link.startsWith(`${url}/`));
    if (domain === undefined || status === 'stopped') continue;
    if (hasImage || domain.reach !== 'this machine') domain.codes++;
    else domain.links++;
  }
  return [...domains.values()];
}

const minPauseMs = 10;

/**
 * Stops and archives the codes of an address for good, and drops it.
 * Imported links stay.
 *
 * @param all all addresses
 * @param next address of imported links
 * @returns the number of codes that were stopped
 */
export async function forgetDomain(
  { url: prefix }: Domain,
  all: readonly Domain[],
  next: string,
  deps: {
    readonly domains: DomainStore;
    readonly clock: Clock;
    readonly sleep: (ms: number) => Promise<void>;
  },
): Promise<number> {
  const { domains, clock, sleep } = deps;
  const longer = all.map(({ url }) => url).filter((url) => url.startsWith(`${prefix}/`));
  const entries = new Map<number, number>();
  let codes = 0;
  let afterId = 0;
  for (;;) {
    const startMs = clock.monotonicMs();
    const part = await domains.forget({ prefix, longer, next }, afterId, clock.nowMs(), entries);
    if (part === null) return codes;
    codes += part.codes;
    afterId = part.lastId;
    // Others write in the pauses, which are as long as the parts.
    await sleep(Math.max(minPauseMs, clock.monotonicMs() - startMs));
  }
}
