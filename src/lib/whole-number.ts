/** A whole number in a query: its range, and what it is when it is not there. */
export interface WholeNumber {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/**
 * A whole number as a client wrote it (DESIGN: "a number outside the range is brought to the nearest
 * bound, something that is not a whole number to the default"). Of a repeated name the last counts.
 *
 * @param search the query of a URL
 */
export function wholeNumber(search: string, name: string, range: WholeNumber): number {
  if (search === '') return range.default;
  const text = lastOf(search, name);
  if (text === undefined || !/^[+-]?\d+$/.test(text)) return range.default;
  return Math.min(Math.max(Number(text), range.min), range.max);
}

const oneNumber = /^\?(\w+)=(\d+)$/;

/** What a query says last under a name. */
function lastOf(search: string, name: string): string | undefined {
  // Most queries are one number, and to take one apart as the URL standard does takes a microsecond.
  const [, only, number] = oneNumber.exec(search) ?? [];
  if (only !== undefined) return only === name ? number : undefined;
  return new URLSearchParams(search).getAll(name).at(-1);
}
