/** Longest query of a visitor that is passed on, in bytes. A longer one is left out as a whole. */
export const maxPassedBytes = 512;

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
  return addParameters(location, pairsOf(query));
}

/**
 * Adds parameters, `name=value`, behind those of an address, before its fragment.
 * A name that the address has keeps the address's value.
 */
export function addParameters(address: string, pairs: readonly string[]): string {
  const own = parameterNames(address);
  const added = pairs.filter((pair) => !own.has(nameOf(pair)));
  if (added.length === 0) return address;
  const [before, fragment] = splitFragment(address);
  const joint = !before.includes('?') ? '?' : /[?&]$/.test(before) ? '' : '&';
  return `${before}${joint}${added.join('&')}${fragment}`;
}

/** Returns the names of the parameters of an address, decoded. */
export function parameterNames(address: string): ReadonlySet<string> {
  const [before] = splitFragment(address);
  const mark = before.indexOf('?');
  return new Set(mark === -1 ? [] : pairsOf(before.slice(mark + 1)).map(nameOf));
}

/** Splits an address before its fragment. */
export function splitFragment(address: string): [before: string, fragment: string] {
  const hash = address.indexOf('#');
  return hash === -1 ? [address, ''] : [address.slice(0, hash), address.slice(hash)];
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
