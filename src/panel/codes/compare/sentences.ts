import type { ComparisonResult } from '../../../core/scans/comparison.ts';
import type { Texts } from '../../../languages/generated/texts.ts';

/** Says what a comparison shows. */
export function comparisonSentence(
  result: ComparisonResult,
  isPerCode: boolean,
  { compare: t, formats }: Texts,
): string {
  switch (result.kind) {
    case 'none was scanned':
      return t.noneWasScanned;
    case 'one was scanned':
      return t.onlyOneWasScanned({ name: result.first });
    case 'equal': {
      const { first, second } = result;
      return t.equallyOften({ isPerCode, first, second });
    }
    case 'more': {
      const { first, second, ratio } = result;
      const of = { isPerCode, first, second };
      if (ratio >= 1.95 && ratio < 2.05) return t.twiceAsOften(of);
      if (ratio >= 2) return t.timesAsOften({ ...of, times: ratio, ratio: formats.mean(ratio) });
      const percent = (ratio - 1) * 100;
      return percent < 1
        ? t.slightlyMoreOften({ ...of, percent: formats.percent(1) })
        : t.moreOften({ ...of, percent: formats.percent(Math.round(percent)) });
    }
  }
}

/**
 * Says why what was chosen is not compared.
 *
 * @param chosen null for all codes of a list
 */
export function comparisonRefusal(chosen: number | null, { compare: t }: Texts): string {
  if (chosen === null) return t.allAreSelected;
  if (chosen === 0) return t.nothingIsChosen;
  return chosen === 1 ? t.onlyOneIsChosen : t.tooManyAreChosen({ chosen });
}
