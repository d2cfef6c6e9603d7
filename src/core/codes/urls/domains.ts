import type { StoredRedirects } from '../../storage.ts';

/** An address in printed codes. */
export interface Domain {
  /** `scheme://host[:port][/path]` in lower case */
  readonly url: string;
  /** Codes and imported links that were printed with it and are not stopped. */
  readonly codes: number;
}

/** Counts the codes of each domain, and of each other address of the main one. */
export async function listDomains({
  prefixes,
  domains,
  redirects,
}: StoredRedirects): Promise<Domain[]> {
  const urls = [...prefixes, ...domains.map(({ url }) => url)];
  const counts = urls.map((url) => ({ url: url.toLowerCase(), codes: 0 }));
  // Of two addresses that begin alike, a link is of the longer one.
  counts.sort((one, other) => other.url.length - one.url.length);
  for await (const { shortLink, status } of redirects()) {
    if (status === 'stopped') continue;
    const link = shortLink.toLowerCase();
    const domain = counts.find(({ url }) => link.startsWith(`${url}/`));
    if (domain !== undefined) domain.codes++;
  }
  return counts.sort((one, other) => (one.url < other.url ? -1 : 1));
}
