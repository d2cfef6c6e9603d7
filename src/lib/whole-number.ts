/** Range and default of a whole number in a query. */
export interface WholeNumber {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Reads a whole number from a query. A number outside the range becomes the nearest bound, anything
 * else the default (DESIGN, "limit, offset"). If the name is repeated, the last value counts.
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

/** Returns the last value of a name in a query. */
function lastOf(search: string, name: string): string | undefined {
  // Most queries are one number; URLSearchParams takes a microsecond.
  const [, only, number] = oneNumber.exec(search) ?? [];
  if (only !== undefined) return only === name ? number : undefined;
  return new URLSearchParams(search).getAll(name).at(-1);
}
