import type { ComparisonResult } from '../../../core/scans/comparison.ts';
import type { ChartUnit } from '../../../core/scans/series.ts';
import {
  formatDecimal,
  formatList,
  formatMean,
  formatNumber,
  plural,
} from '../../../lib/numbers.ts';

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

/** Says what a comparison shows. */
export function comparisonSentence(result: ComparisonResult, isPerCode: boolean): string {
  return (isPerCode ? resultsPerCode : results)(result);
}

function results(result: ComparisonResult): string {
  switch (result.kind) {
    case 'none was scanned':
      return 'None of these was scanned';
    case 'one was scanned':
      return `Only ${result.first} was scanned`;
    case 'equal':
      return `${result.first} and ${result.second} were scanned equally often`;
    case 'more': {
      const { first, second, ratio } = result;
      if (isTwice(ratio)) return `${first} was scanned twice as often as ${second}`;
      return ratio < 2
        ? `${first} was scanned ${percentMore(ratio)} more often than ${second}`
        : `${first} was scanned ${formatMean(ratio)} times as often as ${second}`;
    }
  }
}

function resultsPerCode(result: ComparisonResult): string {
  switch (result.kind) {
    case 'none was scanned':
      return 'None of these was scanned';
    case 'one was scanned':
      return `Only ${result.first} was scanned`;
    case 'equal':
      return `Per code, ${result.first} and ${result.second} were scanned equally often`;
    case 'more': {
      const { first, second, ratio } = result;
      if (isTwice(ratio)) return `Per code, ${first} was scanned twice as often as ${second}`;
      return ratio < 2
        ? `Per code, ${first} was scanned ${percentMore(ratio)} more often than ${second}`
        : `Per code, ${first} was scanned ${formatMean(ratio)} times as often as ${second}`;
    }
  }
}

function isTwice(ratio: number): boolean {
  return ratio >= 1.95 && ratio < 2.05;
}

function percentMore(ratio: number): string {
  const percent = (ratio - 1) * 100;
  return percent < 1 ? 'less than 1 %' : `${formatNumber(Math.round(percent))} %`;
}

/** Names what a row of a comparison is: the codes of a folder. */
export function folderPhrase(codes: number): string {
  return plural(codes, 'Folder, 1 code', `Folder, ${formatNumber(codes)} codes`);
}

/** Says how many scans a row of a comparison has on a day. */
export function meanPhrase(mean: number, codes: number): string {
  return codes > 1 ? `${formatMean(mean)} a day each` : `${formatMean(mean)} a day`;
}

/** Says what the charts of a comparison have in common. */
export function scalePhrase(unit: ChartUnit, top: number, isPerCode: boolean): string {
  const max = formatDecimal(top);
  const all = {
    day: `Each day, all on one scale of 0 to ${max}`,
    week: `Each week, all on one scale of 0 to ${max}`,
  };
  const perCode = {
    day: `A code, each day, all on one scale of 0 to ${max}`,
    week: `A code, each week, all on one scale of 0 to ${max}`,
  };
  return (isPerCode ? perCode : all)[unit];
}

/** Says from when to when the days of a comparison are. */
export function comparedDaysSentence(first: string, last: string, isNow: boolean): string {
  return isNow ? `${first} to today, which is not over.` : `${first} to ${last}.`;
}

/**
 * Says why what was chosen is not compared.
 *
 * @param chosen null for all codes of a list
 */
export function comparisonRefusal(chosen: number | null): string {
  if (chosen === null)
    return 'All codes of the list are selected. Tick two to five of them to compare them.';
  if (chosen === 0) return 'Nothing is chosen. Choose two to five codes or folders to compare.';
  if (chosen === 1) return 'Only one code or folder is chosen. Choose one to four more.';
  return `${formatNumber(chosen)} codes or folders are chosen. At most five can be compared.`;
}

/** Says what something is added to. */
export function addedToSentence(names: readonly string[]): string {
  return `It is compared with ${formatList(names)}.`;
}

/** Says how many people saw the warning page of a flagged destination. */
export function warnedSentence(people: number): string {
  return `${formatNumber(people)} saw the warning. To see it is not a scan.`;
}
