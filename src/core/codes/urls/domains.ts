import type { Clock } from '../../ports.ts';
import type { StoredRedirect, StoredRedirects } from '../../storage.ts';
import type { DomainStore } from '../ports.ts';
import { reachOf } from './host.ts';
import { folderOf } from './short-url.ts';

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

/**
 * Counts the codes of each address that was printed.
 * Also finds the addresses of this machine that imported links alone have, since a trial.
 */
export async function listDomains({ prefixes, redirects }: StoredRedirects): Promise<Domain[]> {
  const domains = prefixes.map((prefix) => domainAt(prefix.toLowerCase()));
  // Of two addresses that begin alike, a link is of the longer one.
  domains.sort((one, other) => other.url.length - one.url.length);
  for await (const { code, shortLink, status, hasImage } of redirects()) {
    if (status === 'stopped') continue;
    const link = shortLink.toLowerCase();
    const known = domains.find(({ url }) => link.startsWith(`${url}/`));
    const domain = known ?? domainAt(prefixOf({ code, shortLink: link }));
    const isForeign = !hasImage && domain.reach === 'this machine';
    if (known === undefined && isForeign) domains.push(domain);
    if (isForeign) domain.links++;
    else domain.codes++;
  }
  return domains.sort((one, other) => (one.url < other.url ? -1 : 1));
}

function domainAt(url: string) {
  return { url, codes: 0, links: 0, reach: reachOf(new URL(url)) };
}

function prefixOf(qr: Pick<StoredRedirect, 'code' | 'shortLink'>): string {
  return `${new URL(qr.shortLink).origin}${folderOf(qr)}`.slice(0, -1);
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
    readonly onProgress: (codes: number) => void;
  },
): Promise<number> {
  const { domains, clock, sleep, onProgress } = deps;
  const longer = all.map(({ url }) => url).filter((url) => url.startsWith(`${prefix}/`));
  const entries = new Map<number, number>();
  let codes = 0;
  let afterId = 0;
  for (;;) {
    const startMs = clock.monotonicMs();
    const part = await domains.forget({ prefix, longer, next }, afterId, clock.nowMs(), entries);
    if (part === null) return codes;
    codes += part.codes;
    onProgress(codes);
    afterId = part.lastId;
    // Others write in the pauses, which are as long as the parts.
    await sleep(Math.max(minPauseMs, clock.monotonicMs() - startMs));
  }
}
