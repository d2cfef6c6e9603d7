import type { Caution, PrintReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount, formatList, formatNumber } from '../../../lib/numbers.ts';
import {
  cautionSentences as commonCautionSentences,
  printSentences as commonPrintSentences,
} from '../../../sentences/print.ts';

/** Why a sheet cannot be printed. Remedies are buttons and words beside it. */
export const printSentences = (t: Texts): Sentences<PrintReason> => ({
  ...commonPrintSentences(t),
  'unknown lines of text': () => 'Choose which lines are printed below codes.',
  'unknown layout': () => 'Choose a paper of the list.',
  'line above too long': ({ maxLength }) =>
    `The line can have at most ${formatCount(maxLength, 'character')}.`,
  'labels of fixed dimensions': () =>
    'These labels have fixed dimensions. Choose a free grid or a roll for your own.',
  'one label on a roll': () => 'A roll has one label a page. Choose its size as the page.',
  'no codes to print': () => 'No codes to print were found. Create codes first, or choose others.',
  'no images': () => 'No codes with an image were found. Choose others.',
  'too many codes to print': ({ max }) =>
    `These are more than ${formatNumber(max)} codes. Choose a folder, or tick codes in the list.`,
  'too many images': ({ max, found }) =>
    `A download has at most ${formatCount(max, 'image')}, and these are ${formatNumber(found)}. Choose fewer codes.`,
});

const maxListed = 20;

/** Lists texts in quotation marks. More would hide the rest of the sentence. */
function quotedList(texts: readonly string[]): string {
  const shown = texts.slice(0, maxListed).map((text) => `“${text}”`);
  const more = texts.length - shown.length;
  return formatList(more > 0 ? [...shown, `${formatNumber(more)} more`] : shown);
}

export const cautionSentences = (t: Texts): Sentences<Caution> => ({
  ...commonCautionSentences(t, quotedList),
  'no font': ({ texts, packages }) =>
    `No font on the server has all characters of ${quotedList(texts)}. The code is printed instead of a name, and other ` +
    `lines are left out. The operator can install fonts (on Debian and Ubuntu: ${packages.join(' ')}).`,
  'not for black and white': ({ color, becomes }) =>
    `Not for black-and-white printers: ${color} becomes ${becomes} or a pattern of dots. Print in black only, or choose a ${becomes === 'white' ? 'darker colour' : 'lighter background'}.`,
});
