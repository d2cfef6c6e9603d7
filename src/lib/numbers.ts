// The language of commands and of the API.
const locale = 'en-GB';

// Made when they are needed, because that takes as long as a short command.
let numberFormat: Intl.NumberFormat | undefined;
let decimalFormat: Intl.NumberFormat | undefined;
let pluralRules: Intl.PluralRules | undefined;
let listFormat: Intl.ListFormat | undefined;

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
  const text = new URLSearchParams(search).getAll(name).at(-1) ?? '';
  if (!/^[+-]?\d+$/.test(text)) return range.default;
  return Math.min(Math.max(Number(text), range.min), range.max);
}

/** Formats a number: `12,345`. */
export function formatNumber(value: number): string {
  // Most numbers are small, and `Intl` takes ten times as long for one.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  numberFormat ??= new Intl.NumberFormat(locale);
  return numberFormat.format(value);
}

/** Formats a number with one decimal place at most: `38.1`, `70`. */
export function formatDecimal(value: number): string {
  decimalFormat ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return decimalFormat.format(value);
}

/** Returns the words that go with a number: `has` or `have`. English has two forms. */
export function plural(count: number, one: string, many: string): string {
  pluralRules ??= new Intl.PluralRules(locale);
  return pluralRules.select(count) === 'one' ? one : many;
}

/** Formats a number with its noun or verb: `1 scan`, `12,345 scans`, `1 row has a problem`. */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${plural(value, one, many)}`;
}

/** Formats a list for a sentence: `a, b and c`. */
export function formatList(items: readonly string[]): string {
  listFormat ??= new Intl.ListFormat(locale);
  return listFormat.format(items);
}

/** Returns how long to wait, as it is said: 60 seconds, 20 minutes, 3 hours. Never less than it is. */
export function waitOf(seconds: number): {
  readonly unit: 'seconds' | 'minutes' | 'hours';
  readonly count: number;
} {
  if (seconds < 120) return { unit: 'seconds', count: seconds };
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? { unit: 'minutes', count: minutes }
    : { unit: 'hours', count: Math.ceil(minutes / 60) };
}
