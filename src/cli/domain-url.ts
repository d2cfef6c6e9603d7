import type { Config } from '../config.ts';
import { CommandError } from './errors/command-error.ts';

/**
 * Parses a domain: `scheme://host[:port]`, in lower case. An empty text is the main one.
 *
 * @throws CommandError when it is none
 */
export function parseDomain({ shortUrl }: Pick<Config, 'shortUrl'>, text: string): string {
  const given = text.trim().replace(/\/$/, '');
  if (given === '' || given.toLowerCase() === shortUrl.toLowerCase()) return shortUrl;
  const url = URL.parse(given);
  const isDomain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    `${url.pathname}${url.search}${url.hash}` === '/' &&
    url.hostname !== '';
  if (!isDomain)
    throw new CommandError(
      `${text} is no domain. Write it with its scheme and without a path, such as https://go.example.com.`,
    );
  return url.origin;
}
