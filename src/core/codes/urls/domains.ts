import type { Clock } from '../../ports.ts';
import type { StoredRedirects } from '../../storage.ts';
import type { DomainStore } from '../ports.ts';
import { reachOf } from './host.ts';

/** An address in printed codes. */
export interface Domain {
  /** `scheme://host[:port][/path]` in lower case */
  readonly url: string;
  /** Codes and imported links that were printed with it and are not stopped. */
  readonly codes: number;
  readonly reach: ReturnType<typeof reachOf>;
}

/** Counts the codes of each address that was printed. */
export async function listDomains({ prefixes, redirects }: StoredRedirects): Promise<Domain[]> {
  const counts = new Map(prefixes.map((prefix) => [prefix.toLowerCase(), 0]));
  // Of two addresses that begin alike, a link is of the longer one.
  const longestFirst = [...counts.keys()].sort((one, other) => other.length - one.length);
  for await (const { shortLink, status } of redirects()) {
    const link = shortLink.toLowerCase();
    const prefix = longestFirst.find((one) => link.startsWith(`${one}/`));
    if (prefix !== undefined && status !== 'stopped')
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return Array.from(counts, ([url, codes]) => ({ url, codes, reach: reachOf(new URL(url)) }));
}

const minPauseMs = 10;

/**
 * Stops and archives the codes of an address for good, and drops it.
 *
 * @param all all addresses
 * @returns the number of codes that were stopped
 */
export async function forgetDomain(
  { url: prefix }: Domain,
  all: readonly Domain[],
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
    const part = await domains.forget({ prefix, longer }, afterId, clock.nowMs(), entries);
    if (part === null) return codes;
    codes += part.codes;
    afterId = part.lastId;
    // Others write in the pauses, which are as long as the parts.
    await sleep(Math.max(minPauseMs, clock.monotonicMs() - startMs));
  }
}
