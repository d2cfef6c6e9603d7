import { formatMm } from '../../../core/codes/print/paper.ts';
import type { PrintUse } from '../../../core/codes/print/size.ts';
import type { Caution, PrintReason, Sentences } from '../../../core/reasons.ts';
import { formatCount, formatNumber } from '../../../lib/numbers.ts';
import { formatList } from '../formatting.ts';

/** Why a sheet cannot be printed. Remedies are buttons and words beside it. */
export const printSentences: Sentences<PrintReason> = {
  'wrong page': ({ papers, minMm, maxMm }) =>
    `The page must be ${papers.join(', ')}, or width and height from ${minMm} to ${maxMm} mm, such as 62x29 or 4x6in.`,
  'wrong lengths': ({ of }) => `The ${of} must be a number of mm such as 10, or two such as 10x15.`,
  'wrong size of codes': ({ minMm, maxMm }) =>
    `The size must be a number of mm from ${minMm} to ${maxMm}.`,
  'unknown lines of text': () => 'Choose which lines are printed below codes.',
  'unknown layout': () => 'Choose a paper of the list.',
  'line above too long': ({ maxLength }) =>
    `The line can have at most ${formatCount(maxLength, 'character')}.`,
  'start beyond the sheet': ({ labels, start }) =>
    `The sheet has ${labels === 1 ? 'one label' : formatCount(labels, 'label')}, so the first one to use can’t be label ${start}.`,
  'labels of fixed dimensions': () =>
    'These labels have fixed dimensions. Choose a free grid or a roll for your own.',
  'one label on a roll': () => 'A roll has one label a page. Choose its size as the page.',
  'no room for codes': () =>
    'The margins and gaps leave no room for codes. Use fewer columns or rows, or smaller margins.',
  'codes do not fit': ({ sizeMm, largestMm }) =>
    `${sizeMm === null ? 'Codes' : `Codes of ${formatMm(sizeMm)} mm`} don’t fit: the labels leave ${formatMm(largestMm)} mm.`,
  'cut marks on a roll': () => 'A roll is cut already. Leave the cut marks out.',
  'margin too small for cut marks': ({ neededMm }) =>
    `Cut marks need a margin of at least ${neededMm} mm on each side.`,
  'code too small': ({ title, widthMm, smallestMm }) =>
    `A side of ${formatMm(widthMm)} mm is too small for ${title}: phones read it reliably from ${smallestMm} mm.`,
  'no codes to print': () => 'No codes to print were found. Create codes first, or choose others.',
  'no images': () => 'No codes with an image were found. Choose others.',
  'too many codes to print': ({ max }) =>
    `These are more than ${formatNumber(max)} codes. Choose a folder, or tick codes in the list.`,
  'too many images': ({ max, found }) =>
    `A download has at most ${formatCount(max, 'image')}, and these are ${formatNumber(found)}. Choose fewer codes.`,
};

const maxListed = 20;

/** Lists texts in quotation marks. More would hide the rest of the sentence. */
function quotedList(texts: readonly string[]): string {
  const shown = texts.slice(0, maxListed).map((text) => `“${text}”`);
  const more = texts.length - shown.length;
  return formatList(more > 0 ? [...shown, `${formatNumber(more)} more`] : shown);
}

export const cautionSentences: Sentences<Caution> = {
  'no font': ({ texts, packages }) =>
    `No font on the server has all characters of ${quotedList(texts)}. The code is printed instead of a name, and other ` +
    `lines are left out. The operator can install fonts (on Debian and Ubuntu: ${packages.join(' ')}).`,
  'texts cut': ({ titles }) =>
    `The texts of ${quotedList(titles)} don’t fit and end with “…”. Use shorter or fewer lines, smaller codes or larger labels.`,
  'not for black and white': ({ color, becomes }) =>
    `Not for black-and-white printers: ${color} becomes ${becomes} or a pattern of dots. Print in black only, or choose a ${becomes === 'white' ? 'darker colour' : 'lighter background'}.`,
};

/** Says where codes of a size are read. */
export function useText({ use, distanceMm }: { use: PrintUse; distanceMm: number }): string {
  return {
    'close by': `from ${distanceMm / 10} cm away`,
    hand: 'in the hand',
    arm: 'at arm’s length',
    sign: 'on a sign a metre away',
    poster: 'on a poster at three metres',
    billboard: 'on a billboard at fifteen metres',
  }[use];
}
