import type { Caution, PrintReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import {
  cautionSentences as commonCautionSentences,
  printSentences as commonPrintSentences,
} from '../../../sentences/print.ts';

/** Why a sheet cannot be printed. Remedies are buttons and words beside it. */
export function printSentences(texts: Texts): Sentences<PrintReason> {
  const { printReasons: t } = texts;
  return {
    ...commonPrintSentences(texts),
    'unknown lines of text': () => t.unknownLines,
    'unknown layout': () => t.unknownLayout,
    'line above too long': ({ maxLength }) => t.lineTooLong({ chars: maxLength }),
    'labels of fixed dimensions': () => t.fixedDimensions,
    'one label on a roll': () => t.oneLabelOnRoll,
    'no codes to print': () => t.noCodes,
    'no images': () => t.noImages,
    'too many codes to print': t.tooManyCodes,
    'too many images': t.tooManyImages,
  };
}

const maxListed = 20;

/** Lists texts in quotation marks. More would hide the rest of the sentence. */
function quotedList(texts: readonly string[], { printReasons: t, formats }: Texts): string {
  const shown = texts.slice(0, maxListed).map((text) => t.quoted({ text }));
  const more = texts.length - shown.length;
  return formats.list(more > 0 ? [...shown, t.moreTexts({ texts: more })] : shown);
}

export function cautionSentences(texts: Texts): Sentences<Caution> {
  const { printReasons: t } = texts;
  const list = (names: readonly string[]) => quotedList(names, texts);
  return {
    ...commonCautionSentences(texts, list),
    'no font': ({ texts: lacking, packages }) =>
      t.noFont({ texts: list(lacking), packages: packages.join(' ') }),
    'not for black and white': t.notForBlackAndWhite,
  };
}
