import type { Advice } from './designs/design.ts';
import type { BlackAndWhiteCaution, ReadabilityReason } from './designs/readability.ts';

/**
 * Why something cannot be done, as data: a kind, and the values of its sentence. The surfaces have the sentences:
 * `cli/sentences/` and `panel/ui/sentences/`.
 */
export type Reason = ApiReason | PrintReason;

/** Why a request of the API is rejected. */
export type ApiReason = DesignReason;

/** What makes codes fit on labels, or be large enough to read. */
export type Remedy = 'compact' | 'text' | 'margins' | 'grid' | 'smaller' | 'larger' | 'labels';

/** Why a print run cannot be made as asked. */
export type PrintReason =
  | {
      readonly kind: 'wrong page';
      readonly papers: readonly string[];
      readonly minMm: number;
      readonly maxMm: number;
    }
  | { readonly kind: 'wrong lengths'; readonly of: 'margin' | 'gap' }
  | { readonly kind: 'wrong size of codes'; readonly minMm: number; readonly maxMm: number }
  | { readonly kind: 'unknown lines of text'; readonly known: readonly string[] }
  | { readonly kind: 'unknown layout'; readonly name: string }
  | { readonly kind: 'line above too long'; readonly maxLength: number }
  | { readonly kind: 'start beyond the sheet'; readonly labels: number; readonly start: number }
  | { readonly kind: 'labels of fixed dimensions'; readonly layout: string }
  | { readonly kind: 'one label on a roll' }
  | { readonly kind: 'no room for codes' }
  | {
      readonly kind: 'codes do not fit';
      /** Null for codes that are as large as possible. */
      readonly sizeMm: number | null;
      readonly largestMm: number;
      readonly remedies: readonly Remedy[];
    }
  | { readonly kind: 'cut marks on a roll' }
  | { readonly kind: 'margin too small for cut marks'; readonly neededMm: number }
  | {
      readonly kind: 'code too small';
      /** Name of the code, or the code. */
      readonly title: string;
      readonly widthMm: number;
      readonly smallestMm: number;
      readonly remedies: readonly Remedy[];
    }
  | { readonly kind: 'no codes to print' }
  | { readonly kind: 'no images' }
  | { readonly kind: 'too many codes to print'; readonly max: number }
  | { readonly kind: 'too many images'; readonly max: number; readonly found: number };

/** Something that goes wrong with a sheet or a design, and does not stop it. */
export type Caution =
  | {
      readonly kind: 'no font';
      readonly texts: readonly string[];
      /** Packages of Debian with the fonts. */
      readonly packages: readonly string[];
    }
  | { readonly kind: 'texts cut'; readonly titles: readonly string[] }
  | BlackAndWhiteCaution;

/** Why no code can be created in a design. */
export type DesignReason = {
  readonly kind: 'design unreadable';
  /** Whether it is the default design of the account. */
  readonly isDefault: boolean;
  readonly reasons: readonly ReadabilityReason[];
  readonly advice: Advice | null;
};

/** The sentences of a surface: one for each kind, as a function of its values. */
export type Sentences<R extends { readonly kind: string }> = {
  readonly [Kind in R['kind']]: (values: Extract<R, { readonly kind: Kind }>) => string;
};

/** Returns the sentence of a reason. */
export function sentenceOf<R extends { readonly kind: string }>(
  sentences: Sentences<R>,
  reason: R,
): string {
  // The cast is safe: a reason has the values of its kind.
  const say = sentences[reason.kind as R['kind']] as (values: R) => string;
  return say(reason);
}
