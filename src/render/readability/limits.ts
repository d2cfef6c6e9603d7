import type { ColorMeasures, Measures } from './measures.ts';

/**
 * Limits of the measures. They separate designs that independent scanners read in simulated captures from
 * those that they don't (test/bench/readability.md).
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
  /** Codewords per block that must be left for dirt and scratches. */
  unusedPerBlock: 0.25,
  /** Covered modules of the format information, whose code repairs three bits. */
  coveredFormat: 2,
  /** Covered modules of the alignment pattern at the lower right, of 25. */
  coveredAlignment: 6,
} as const;

/** Measures that determine the contrast the modules need. */
type ContrastMeasures = ColorMeasures &
  Pick<Measures, 'logoShare' | 'errorCorrectionUsed' | 'hidesAlignment' | 'side'>;

/** Returns the minimum print contrast of a design, from 0 to 1. The numbers come from the same captures. */
export function printContrastSignalLimit(measures: ContrastMeasures): number {
  const { symbolContrast, finderContrast, finderShare, logoShare } = measures;
  const errorCorrectionUsed = Math.min(1, measures.errorCorrectionUsed);
  // Scanners like ZXing set the threshold of a block of pixels without contrast to half of its brightness,
  // so that paler modules next to it are lost.
  const plain = 0.32 + 0.03 * Math.max(0, errorCorrectionUsed - 0.2);
  // Dark finders pull thresholds down: 0 for finders like the modules, 1 for finders twice as dark.
  const finderDarkness = Math.max(1, Math.min(2, finderShare)) - 1;
  const besideDarkFinders = Math.min(plain, 0.2 + 0.14 * errorCorrectionUsed);
  // Codes on a dull background are lost on a white page.
  const plainContrast = between(symbolContrast, finderContrast, finderDarkness);
  return (
    between(plain, besideDarkFinders, finderDarkness) +
    (paleness(finderShare) > 0 ? 0.025 : 0) +
    (measures.hidesAlignment ? withoutAlignment(measures) : 0) +
    // A dark logo pulls thresholds down too.
    0.5 * Math.max(0, 0.36 - logoShare) +
    3 * Math.max(0, 0.31 - plainContrast)
  );
}

function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Finders paler than the modules are lost at thresholds that suit the modules. */
function paleness(finderShare: number): number {
  return Math.max(0, 0.5 - finderShare);
}

/** Returns the print contrast that is also needed where a logo hides alignment patterns: ZBar needs them. */
function withoutAlignment({ side, errorCorrectionUsed, finderShare }: ContrastMeasures): number {
  const isLarge = side >= 49; // version 8
  return (isLarge ? 0.05 : 0) + 0.04 * Math.min(1, errorCorrectionUsed) + paleness(finderShare);
}

/** Returns the score, 50 at the limits and 100 at best; the weakest measure decides. */
export function scoreOf(measures: Measures): number {
  const { errorCorrectionUsed } = measures;
  const budget =
    errorCorrectionUsed <= 1 ? 100 - 50 * errorCorrectionUsed : 50 / errorCorrectionUsed ** 2;
  return Math.round(Math.min(colorScoreOf(measures), budget));
}

/** Returns the score of the colours alone. */
export function colorScoreOf(measures: Measures): number {
  return Math.min(
    scaled(measures.symbolContrast, limits.symbolContrast, 0.7),
    scaled(measures.finderContrast, limits.finderContrast, 0.7),
    scaled(measures.printContrastSignal, printContrastSignalLimit(measures), 0.75),
    scaled(measures.finderShare, limits.finderShare, 0.9),
    scaled(measures.toneShare, limits.toneShare, 0.7),
  );
}

/** Scales a measure to 0 at zero, 50 at its limit and 100 at its best value. */
function scaled(value: number, limit: number, best: number): number {
  if (value < limit) return Math.max(0, (50 * value) / limit);
  return Math.min(100, 50 + (50 * (value - limit)) / (best - limit));
}
