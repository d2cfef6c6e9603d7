import type { ColorMeasures, Measures } from './measures.ts';

/**
 * Limits of the measures.
 * They separate designs that independent scanners read in photographs from those that they don't:
 * test/bench/readability.md, "The numbers of the limits", names designs on either side of each.
 */
export const limits = {
  /** Symbol contrast of the finder patterns. ISO/IEC 15415 gives grade F below 0.2. */
  finderContrast: 0.27,
  /** Symbol contrast of modules that are paler than the finder patterns. */
  symbolContrast: 0.18,
  /** zxing-cpp takes its threshold from a large neighbourhood, and loses finders below. */
  finderShare: 0.37,
  /** Paler modules next to dark finders or a dark logo are taken for background below. */
  toneShare: 0.28,
  /** ISO/IEC 18004 requires four. */
  quietZoneModules: 4,
  /**
   * Codewords per block that must be left for dirt and scratches.
   * One in the four blocks of a version 4 symbol.
   */
  unusedPerBlock: 0.25,
  /**
   * Covered modules of the format information.
   * Its code repairs three (ISO/IEC 18004, 7.9), one is left for dirt.
   */
  coveredFormat: 2,
  /**
   * Covered modules of the alignment pattern at the lower right:
   * ZBar accepts six wrong ones of 25 (alignment.ts).
   */
  coveredAlignment: 6,
} as const;

/** Terms of the print contrast signal that a design needs, measured like the limits. */
const needed = {
  /**
   * The error correction that plain designs use.
   * Scanners like ZXing set the threshold of a block of pixels without contrast to half of its brightness, so that
   * paler modules next to it are lost.
   */
  plain: 0.32,
  /** More where error correction is used, from a share on. */
  perErrorCorrectionUsed: 0.03,
  errorCorrectionUsedFrom: 0.2,
  /** Beside finders this many times as dark as the modules or more, which pull thresholds down. */
  darkFinderShare: 2,
  besideDarkFinders: 0.2,
  besideDarkFindersPerErrorCorrectionUsed: 0.14,
  /** More with finders below this share, which are lost at thresholds that suit the modules. */
  paleFinderShare: 0.5,
  withPaleFinders: 0.025,
  /**
   * More where a logo hides alignment patterns, which ZBar needs.
   * From version 8 on, and by used error correction.
   */
  largeSide: 49,
  withoutAlignmentInLargeSymbol: 0.05,
  withoutAlignmentPerErrorCorrectionUsed: 0.04,
  /** More by what the logo's share misses: a dark logo pulls thresholds down too. */
  darkLogoShare: 0.36,
  perDarkLogoShare: 0.5,
  /** More by what the symbol contrast misses: codes on a dull background are lost on a white page. */
  dullContrast: 0.31,
  perDullContrast: 3,
} as const;

/** Measures that determine the contrast the modules need. */
type ContrastMeasures = ColorMeasures &
  Pick<Measures, 'logoShare' | 'errorCorrectionUsed' | 'hidesAlignment' | 'side'>;

/** Returns the minimum print contrast signal of a design, from 0 to 1. */
export function printContrastSignalLimit(measures: ContrastMeasures): number {
  const { symbolContrast, finderContrast, finderShare, logoShare, side } = measures;
  const used = Math.min(1, measures.errorCorrectionUsed);
  const plain =
    needed.plain + needed.perErrorCorrectionUsed * above(used, needed.errorCorrectionUsedFrom);
  const besideDarkFinders = Math.min(
    plain,
    needed.besideDarkFinders + needed.besideDarkFindersPerErrorCorrectionUsed * used,
  );
  // 0 for finders like the modules, 1 for dark ones.
  const finderDarkness = Math.max(1, Math.min(needed.darkFinderShare, finderShare)) - 1;
  const paleness = above(needed.paleFinderShare, finderShare);
  const withoutAlignment =
    (side >= needed.largeSide ? needed.withoutAlignmentInLargeSymbol : 0) +
    needed.withoutAlignmentPerErrorCorrectionUsed * used +
    paleness;
  const contrast = between(symbolContrast, finderContrast, finderDarkness);
  return (
    between(plain, besideDarkFinders, finderDarkness) +
    (paleness > 0 ? needed.withPaleFinders : 0) +
    (measures.hidesAlignment ? withoutAlignment : 0) +
    needed.perDarkLogoShare * above(needed.darkLogoShare, logoShare) +
    needed.perDullContrast * above(needed.dullContrast, contrast)
  );
}

function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Returns by how much a value is above another, or 0. */
function above(value: number, other: number): number {
  return Math.max(0, value - other);
}

/** Returns the score, 50 at the limits and 100 at best; the weakest measure decides. */
export function scoreOf(measures: Measures): number {
  const { errorCorrectionUsed } = measures;
  const budget =
    errorCorrectionUsed <= 1 ? 100 - 50 * errorCorrectionUsed : 50 / errorCorrectionUsed ** 2;
  return Math.round(Math.min(colorScoreOf(measures), budget));
}

/**
 * Measures that score 100.
 * Symbol contrast: start of grade A of ISO/IEC 15415; the others lie near black on white.
 */
const best = {
  symbolContrast: 0.7,
  finderContrast: 0.7,
  printContrastSignal: 0.75,
  finderShare: 0.9,
  toneShare: 0.7,
} as const;

/** Returns the score of the colours alone. */
export function colorScoreOf(measures: Measures): number {
  const least = { ...limits, printContrastSignal: printContrastSignalLimit(measures) };
  // The cast is safe: the keys of `best`.
  const names = Object.keys(best) as (keyof typeof best)[];
  return Math.min(...names.map((name) => scaled(measures[name], least[name], best[name])));
}

/** Scales a measure to 0 at zero, 50 at its limit and 100 at its best value. */
function scaled(value: number, limit: number, best: number): number {
  if (value < limit) return Math.max(0, (50 * value) / limit);
  return Math.min(100, 50 + (50 * (value - limit)) / (best - limit));
}
