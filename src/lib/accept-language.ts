// Browsers send a few languages; what follows is not what somebody reads first.
const maxHeaderChars = 500;
const maxRanges = 30;

/**
 * Returns what `Accept-Language` prefers (RFC 9110, 12.5.4) among what a function finds for a range in lower case,
 * such as `de-ch` or `*`. Malformed ranges are ignored. Null if nothing is found.
 */
export function findPreferred<T>(
  acceptLanguage: string | null,
  find: (range: string) => T | null,
): T | null {
  let best: T | null = null;
  let bestQuality = 0;
  for (const range of (acceptLanguage ?? '').slice(0, maxHeaderChars).split(',', maxRanges)) {
    const [tag = '', parameter = 'q=1'] = range.split(';', 2).map((part) => part.trim());
    const quality = Number(/^q=([01](?:\.\d{1,3})?)$/i.exec(parameter)?.[1] ?? 0);
    const found = quality > bestQuality ? find(tag.toLowerCase()) : null;
    if (found === null) continue;
    best = found;
    bestQuality = quality;
  }
  return best;
}

/**
 * Returns whether subtags of Chinese mean traditional characters.
 * By the script, otherwise by the region.
 */
export function isTraditionalChinese(subtags: readonly string[]): boolean {
  if (subtags.includes('hans')) return false;
  return subtags.some((subtag) => ['hant', 'tw', 'hk', 'mo'].includes(subtag));
}
