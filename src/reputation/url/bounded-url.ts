import { readAsPublished, textOf } from './canonicalize.ts';
import { folderPrefixes } from './expressions.ts';

/**
 * What a provider is asked about in place of a URL that is too long to be asked about: the URL without its
 * query, or else the deepest of its folders that is short enough. A provider judges a URL by these as well
 * (Safe Browsing, "Host-Suffix Path-Prefix Expressions"), so all that goes unnoticed is an entry for this
 * one long URL alone.
 *
 * @param fits whether a URL is short enough
 * @returns the URL itself where it fits; where nothing does, the root of its site
 */
export function boundedUrl(url: string, fits: (candidate: string) => boolean): string {
  if (fits(url)) return url;
  const reading = readAsPublished(url);
  if (reading === null) return url;
  const paths = [reading.path, ...folderPrefixes(reading.path).reverse()];
  const candidates = [
    textOf(reading),
    ...paths.map((path) => textOf({ ...reading, path, query: null })),
  ];
  return candidates.find(fits) ?? textOf({ ...reading, path: '/', query: null });
}
