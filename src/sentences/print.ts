import type { Caution, PrintReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';
import { formatCount, formatDecimal, plural } from '../lib/numbers.ts';

/** Why a print run cannot be made as asked. The surfaces add what to do with their options and fields. */
export function printSentences(_: Texts) {
  return {
    'wrong page': ({ papers, minMm, maxMm }) =>
      `The page must be ${papers.join(', ')}, or width and height from ${minMm} to ${maxMm} mm, such as 62x29 or 4x6in.`,
    'wrong lengths': ({ of }) =>
      `The ${of} must be a number of mm such as 10, or two such as 10x15.`,
    'wrong size of codes': ({ minMm, maxMm }) =>
      `The size must be a number of mm from ${minMm} to ${maxMm}.`,
    'start beyond the sheet': ({ labels, start }) =>
      `The sheet has ${plural(labels, 'one label', formatCount(labels, 'label'))}, so the first one to use can’t be label ${start}.`,
    'no room for codes': () =>
      'The margins and gaps leave no room for codes. Use fewer columns or rows, or smaller margins.',
    'codes do not fit': ({ sizeMm, largestMm }) =>
      `${sizeMm === null ? 'Codes' : `Codes of ${formatDecimal(sizeMm)} mm`} don’t fit: the labels leave ${formatDecimal(largestMm)} mm.`,
    'cut marks on a roll': () => 'A roll is cut already. Leave the cut marks out.',
    'margin too small for cut marks': ({ neededMm }) =>
      `Cut marks need a margin of at least ${neededMm} mm on each side.`,
    'code too small': ({ title, widthMm, smallestMm }) =>
      `A side of ${formatDecimal(widthMm)} mm is too small for ${title}: phones read it reliably from ${smallestMm} mm.`,
  } satisfies Partial<Sentences<PrintReason>>;
}

/** @param list lists texts in quotation marks */
export function cautionSentences(_: Texts, list: (texts: readonly string[]) => string) {
  return {
    'texts cut': ({ titles }) =>
      `The texts of ${list(titles)} don’t fit and end with “…”. Use shorter or fewer lines, smaller codes or larger labels.`,
  } satisfies Partial<Sentences<Caution>>;
}
