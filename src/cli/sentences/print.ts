import type { LayoutChoice } from '../../core/codes/print/sheet-layout.ts';
import type { PrintUse } from '../../core/codes/print/size.ts';
import type { Caution, PrintReason, Remedy, Sentences } from '../../core/reasons.ts';
import { readabilitySentences } from '../../http/sentences/readability.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { formatCount, formatDecimal, formatNumber } from '../../lib/numbers.ts';
import {
  cautionSentences as commonCautionSentences,
  printSentences as commonPrintSentences,
} from '../../sentences/print.ts';
import { straight } from '../../sentences/straight.ts';

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

export function printSentences(t: Texts): Sentences<PrintReason> {
  const common = straight(commonPrintSentences(t));
  return {
    ...common,
    'codes do not fit': (reason) =>
      withRemedies(common['codes do not fit'](reason), reason.remedies),
    'code too small': (reason) => withRemedies(common['code too small'](reason), reason.remedies),
    'unknown lines of text': ({ known }) =>
      `Lines below codes are ${known.join(', ')}, such as name,link.`,
    'unknown layout': ({ name }) =>
      `There is no layout ${JSON.stringify(name)}. "waymark code sheet --layouts" lists them. For other labels, use a4-grid with columns and rows, or roll with a page such as 62x29.`,
    'line above too long': ({ maxLength }) =>
      `The line above codes can have at most ${maxLength} characters.`,
    'labels of fixed dimensions': ({ layout }) =>
      `${layout} is a label with fixed dimensions. Use a4-grid, letter-grid or roll to choose your own.`,
    'one label on a roll': () =>
      'A roll has one label a page. Choose its size with a page such as 62x29.',
    'no codes to print': () =>
      'No codes to print were found. Create codes first, or search for another text.',
    'no images': () => 'No codes with an image were found. Search for another text.',
    'too many codes to print': ({ max }) =>
      `There are more than ${formatNumber(max)} codes. Print a folder, or search for a part of them.`,
    'too many images': ({ max, found }) =>
      `An archive holds at most ${formatCount(max, 'code')}, and ${formatNumber(found)} match. Search for a part of them.`,
  };
}

// More would hide the rest of a warning.
const maxListedTexts = 20;

function listOf(texts: readonly string[]): string {
  const shown = texts.slice(0, maxListedTexts).map((text) => JSON.stringify(text));
  const more = texts.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${formatNumber(more)} more` : '');
}

export const cautionSentences = (t: Texts): Sentences<Caution> => ({
  ...commonCautionSentences(t, listOf),
  'no font': ({ texts, packages }) =>
    `No font has all characters of ${listOf(texts)}: the code is printed instead of a name, and other lines are left out. ` +
    `Install fonts (on Debian and Ubuntu: ${packages.join(' ')}), or set WAYMARK_FONTS to a folder with fonts.`,
  'not for black and white': (caution) =>
    `${readabilitySentences(t)['not for black and white'](caution)} --black prints in black only.`,
});

/** Describes a layout: `Avery L7160: 21 labels, 63.5 × 38.1 mm, A4`. */
export function layoutText(layout: LayoutChoice): string {
  if (layout.kind === 'grid') return `${layout.paper}, free grid`;
  if (layout.kind === 'roll') return layoutInGroup(layout);
  const text = `${layout.maker} ${layoutInGroup(layout)}`;
  return layout.kind === 'thermal' ? text : `${text}, ${layout.paper}`;
}

/** Describes a layout without its maker and paper: `L7160: 21 labels, 63.5 × 38.1 mm`. */
function layoutInGroup(layout: LayoutChoice): string {
  if (layout.kind === 'grid') return 'Free grid';
  if (layout.kind === 'roll') return 'Label roll, one label a page';
  const { model, widthMm, heightMm } = layout;
  const size = `${formatDecimal(widthMm)} × ${formatDecimal(heightMm)} mm`;
  return layout.kind === 'thermal'
    ? `${model}: thermal, ${size}`
    : `${model}: ${formatCount(layout.labels, 'label')}, ${size}`;
}

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
