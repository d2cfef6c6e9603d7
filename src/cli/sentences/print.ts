import { formatMm } from '../../core/codes/print/paper.ts';
import type { PrintUse } from '../../core/codes/print/size.ts';
import type { Caution, PrintReason, Remedy, Sentences } from '../../core/reasons.ts';
import { readabilitySentences } from '../../http/sentences/readability.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';

const remedies: Readonly<Record<Remedy, string>> = {
  compact: 'compact codes (--compact)',
  text: 'fewer lines of text, or none (--no-captions)',
  margins: 'smaller margins (--margin-mm)',
  grid: 'fewer columns or rows, or smaller margins and gaps',
  smaller: 'a smaller size (--size-mm)',
  larger: 'a larger size (--size-mm)',
  labels: 'larger labels (--layout, --page)',
};

function withRemedies(problem: string, names: readonly Remedy[]): string {
  const use = names.map((name) => remedies[name]).join(', ');
  return use === '' ? problem : `${problem} Use ${use}.`;
}

export const printSentences: Sentences<PrintReason> = {
  'wrong page': ({ papers, minMm, maxMm }) =>
    `The page must be ${papers.join(', ')}, or width and height from ${minMm} to ${maxMm} mm, such as 62x29 or 4x6in.`,
  'wrong lengths': ({ of }) => `The ${of} must be a number of mm such as 10, or two such as 10x15.`,
  'wrong size of codes': ({ minMm, maxMm }) =>
    `The size must be a number of mm from ${minMm} to ${maxMm}.`,
  'unknown lines of text': ({ known }) =>
    `Lines below codes are ${known.join(', ')}, such as name,link.`,
  'unknown layout': ({ name }) =>
    `There is no layout ${JSON.stringify(name)}. "waymark code sheet --layouts" lists them. For other labels, use a4-grid with columns and rows, or roll with a page such as 62x29.`,
  'line above too long': ({ maxLength }) =>
    `The line above codes can have at most ${maxLength} characters.`,
  'start beyond the sheet': ({ labels, start }) =>
    `The sheet has ${labels === 1 ? 'one label' : `${labels} labels`}, so the first one to use can't be label ${start}.`,
  'labels of fixed dimensions': ({ layout }) =>
    `${layout} is a label with fixed dimensions. Use a4-grid, letter-grid or roll to choose your own.`,
  'one label on a roll': () =>
    'A roll has one label a page. Choose its size with a page such as 62x29.',
  'no room for codes': () =>
    'The margins and gaps leave no room for codes. Use fewer columns or rows, or smaller margins.',
  'codes do not fit': ({ sizeMm, largestMm, remedies }) =>
    withRemedies(
      `${sizeMm === null ? 'Codes' : `Codes of ${formatMm(sizeMm)} mm`} don't fit: the labels leave ${formatMm(largestMm)} mm.`,
      remedies,
    ),
  'cut marks on a roll': () => 'A roll is cut already. Leave the cut marks out.',
  'margin too small for cut marks': ({ neededMm }) =>
    `Cut marks need a margin of at least ${neededMm} mm on each side.`,
  'code too small': ({ title, widthMm, smallestMm, remedies }) =>
    withRemedies(
      `A side of ${formatMm(widthMm)} mm is too small for ${title}: phones read it reliably from ${smallestMm} mm.`,
      remedies,
    ),
  'no codes to print': () =>
    'No codes to print were found. Create codes first, or search for another text.',
  'no images': () => 'No codes with an image were found. Search for another text.',
  'too many codes to print': ({ max }) =>
    `There are more than ${formatNumber(max)} codes. Print a folder, or search for a part of them.`,
  'too many images': ({ max, found }) =>
    `An archive holds at most ${formatCount(max, 'code')}, and ${formatNumber(found)} match. Search for a part of them.`,
};

// More would hide the rest of a warning.
const maxListedTexts = 20;

function listOf(texts: readonly string[]): string {
  const shown = texts.slice(0, maxListedTexts).map((text) => JSON.stringify(text));
  const more = texts.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
}

export const cautionSentences: Sentences<Caution> = {
  'no font': ({ texts, packages }) =>
    `No font has all characters of ${listOf(texts)}: the code is printed instead of a name, and other lines are left out. ` +
    `Install fonts (on Debian and Ubuntu: ${packages.join(' ')}), or set WAYMARK_FONTS to a folder with fonts.`,
  'texts cut': ({ titles }) =>
    `The texts of ${listOf(titles)} don’t fit and end with “…”. Use shorter or fewer lines, smaller codes or larger labels.`,
  'not for black and white': (caution) =>
    `${readabilitySentences['not for black and white'](caution)} --black prints in black only.`,
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
