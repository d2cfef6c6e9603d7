import { roundedMm } from '../core/codes/print/paper.ts';
import type { Caution, PrintReason, Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why a print run cannot be made as asked. The surfaces add what to do with their options and fields. */
export function printSentences({ printReasons: t, formats }: Texts) {
  return {
    'wrong page': ({ papers, ...bounds }) =>
      t.wrongPage({ papers: formats.list(papers), ...bounds }),
    'wrong lengths': t.wrongLengths,
    'wrong size of codes': t.wrongSize,
    'start beyond the sheet': t.startBeyondSheet,
    'no room for codes': () => t.noRoom,
    'codes do not fit': (reason) => {
      const largestMm = roundedMm(reason.largestMm);
      if (reason.sizeMm === null) return t.doNotFit({ largestMm });
      return t.sizeDoesNotFit({ sizeMm: roundedMm(reason.sizeMm), largestMm });
    },
    'cut marks on a roll': () => t.cutMarksOnRoll,
    'margin too small for cut marks': t.cutMarksNeedMargin,
    'code too small': (reason) => t.codeTooSmall({ ...reason, widthMm: roundedMm(reason.widthMm) }),
  } satisfies Partial<Sentences<PrintReason>>;
}

/** @param list lists texts in quotation marks */
export function cautionSentences(
  { printReasons: t }: Texts,
  list: (texts: readonly string[]) => string,
) {
  return {
    'texts cut': ({ titles }) => t.textsCut({ titles: list(titles) }),
  } satisfies Partial<Sentences<Caution>>;
}
