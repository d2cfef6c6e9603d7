import type { Advice } from '../core/designs/design.ts';
import type { ReadabilityReason } from '../core/designs/readability.ts';
import type { Sentences } from '../core/reasons.ts';
import type { Texts } from '../languages/generated/texts.ts';

/** Why codes cannot be read, where settings and fields of a design have the same words. */
export const readabilitySentences = ({ readability: t }: Texts) =>
  ({
    'logo reaches function patterns': () => t.logoReachesCorners,
    'logo hides the alignment pattern': () => t.logoHidesAlignment,
    'no scan read it': t.noScanReadIt,
    'low contrast': () => t.lowContrast,
    'some colours pale': () => t.someColoursPale,
    'much error correction used': ({ errorCorrectionPercent }) =>
      t.errorCorrectionUsed({ percent: errorCorrectionPercent }),
  }) satisfies Partial<Sentences<ReadabilityReason>>;

/** What a check of the readability found. */
export interface Verdict {
  readonly reasons: readonly ReadabilityReason[];
  readonly advice: Advice | null;
}
