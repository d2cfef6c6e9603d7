import type { Config } from '../config.ts';
import { parseDomainUrl } from '../core/domains/domains.ts';

/**
 * Parses a domain: `scheme://host[:port]`, in lower case. An empty text is the main one.
 *
 * @throws Refused when it is none
 */
export function parseDomain({ shortUrl }: Pick<Config, 'shortUrl'>, text: string): string {
  const given = text.trim().replace(/\/$/, '');
  if (given === '' || given.toLowerCase() === shortUrl.toLowerCase()) return shortUrl;
  return parseDomainUrl(given);
}
