import { formatNumber } from '../../../lib/numbers.ts';

/** Says how many people saw the warning page of a flagged destination. */
export function warnedSentence(people: number): string {
  return `${formatNumber(people)} saw the warning. To see it is not a scan.`;
}
