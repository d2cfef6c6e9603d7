import { flagSource } from '../../core/safety/flag.ts';
import type { ListSource, ListSourceStore } from '../../core/safety/threat-lists.ts';
import { InvalidListRequest } from '../../core/safety/threat-lists.ts';

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
 * @throws InvalidListRequest when the name is invalid or the address is not https
 */
export async function addSource(sources: ListSourceStore, source: ListSource): Promise<ListSource> {
  const url = URL.parse(source.url);
  if (url === null) throw new InvalidListRequest(`${JSON.stringify(source.url)} is not a URL.`);
  if (url.protocol !== 'https:')
    throw new InvalidListRequest(
      'Lists are downloaded over https only, so that they cannot be altered on the way.',
    );
  const stored = { ...source, name: parseSourceName(source.name), url: url.href };
  await sources.put(stored);
  return stored;
}
