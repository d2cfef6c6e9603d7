/** Longest query of a visitor that is passed on, in bytes. A longer one is left out as a whole. */
const maxPassedBytes = 512;

/**
 * Adds a visitor's query to the destination of a link, before its fragment, as bytes.
 * A name that the destination has keeps the destination's value.
 *
 * @param location see `locationHeader`
 * @param query as it was sent, without the question mark
 */
export function withQuery(location: string, query: string): string {
  // Only what a header can carry, and what cannot begin a fragment.
  if (query.length > maxPassedBytes || !/^[\x21\x22\x24-\x7e]+$/.test(query)) return location;
  const hash = location.indexOf('#');
  const address = hash === -1 ? location : location.slice(0, hash);
  const fragment = hash === -1 ? '' : location.slice(hash);
  const mark = address.indexOf('?');
  const own = new Set(mark === -1 ? [] : pairsOf(address.slice(mark + 1)).map(nameOf));
  const added = pairsOf(query).filter((pair) => !own.has(nameOf(pair)));
  if (added.length === 0) return location;
  const joint = mark === -1 ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${added.join('&')}${fragment}`;
}

const pairsOf = (query: string) => query.split('&').filter((pair) => pair !== '');

/** Returns the name of a parameter, decoded. */
function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
