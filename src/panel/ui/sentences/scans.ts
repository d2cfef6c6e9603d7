import { formatNumber } from '../../../lib/numbers.ts';

/** Says that a page with the scans of many codes will follow. */
export const countingSentence =
  'The scans of these days are being counted. The page reloads by itself.';

/** Names a period that ends today. */
export function lastDaysPhrase(days: number): string {
  return `Last ${days} days`;
}

/** Names the scans of a period that ends today. */
export function scansOfPhrase(days: number): string {
  return `Scans in the last ${days} days`;
}

/** Says how many people saw the warning page of a flagged destination. */
export function warnedSentence(people: number): string {
  return `${formatNumber(people)} saw the warning. To see it is not a scan.`;
}
