import { flagSource } from '../../core/safety/flag.ts';
import type { ListSource, ListSourceStore } from '../../core/safety/threat-lists.ts';
import { InvalidListRequest } from '../errors.ts';

/**
 * Parses the name of a list: 1 to 64 letters, digits, "-", "_" and ".", in lower case.
 *
 * @throws InvalidListRequest
 */
export function parseSourceName(text: string): string {
  const name = text.toLowerCase();
  if (flagSource(name) !== 'imported list') {
    throw new InvalidListRequest(
      `"${name}" is the name of another check. Choose another name for the list.`,
    );
  }
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) return name;
  throw new InvalidListRequest(
    `${JSON.stringify(text)} can't be the name of a list. Use 1 to 64 letters, digits, "-", "_" and ".", beginning with a letter or digit.`,
  );
}

/**
 * Adds a source, or changes the address and format of one.
 *
 * @param source.allowLoopbackHttp allows http for 127.0.0.1, ::1 and localhost: a local mirror
 * @throws InvalidListRequest when the name or address is invalid
 */
export async function addSource(
  sources: ListSourceStore,
  source: Omit<ListSource, 'allowLoopbackHttp'> & { readonly allowLoopbackHttp?: boolean },
): Promise<ListSource> {
  const { url, allowLoopbackHttp = false } = source;
  const parsed = URL.parse(url);
  if (parsed === null) throw new InvalidListRequest(`${JSON.stringify(url)} is not a URL.`);
  if (!mayDownload(parsed, allowLoopbackHttp)) {
    throw new InvalidListRequest(
      'Lists are downloaded over https only, so that they cannot be altered on the way.',
    );
  }
  const stored = {
    ...source,
    name: parseSourceName(source.name),
    url: parsed.href,
    allowLoopbackHttp,
  };
  await sources.put(stored);
  return stored;
}

function mayDownload(url: URL, allowLoopbackHttp: boolean): boolean {
  if (url.protocol === 'https:') return true;
  const isLoopback = /^(?:127(?:\.[0-9]+){3}|\[::1\]|localhost)$/.test(url.hostname);
  return allowLoopbackHttp && url.protocol === 'http:' && isLoopback;
}
