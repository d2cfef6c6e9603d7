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
  /**
   * Scanners like ZXing set the threshold of a block of pixels without contrast to half of its brightness,
   * so that paler modules next to it are lost.
   */
  printContrast: 0.32,
  /** Damage from which more print contrast is needed … */
  damage: 0.2,
  /** … per unit of damage. */
  printContrastPerDamage: 0.03,
  /** Finders twice as dark as the modules pull thresholds down … */
  darkFinderShare: 2,
  /** … so that less print contrast is needed … */
  printContrastBesideDarkFinders: 0.2,
  /** … and more again per unit of damage. */
  printContrastPerDamageBesideDarkFinders: 0.14,
  /** Finders paler than the modules are lost at thresholds that suit the modules. Below this share … */
  paleFinderShare: 0.5,
  /** … more print contrast is needed … */
  printContrastOfPaleFinders: 0.025,
  /** … and more per unit below where a logo hides alignment patterns. */
  printContrastPerFinderShareWithoutAlignment: 1,
  /** A dark logo pulls thresholds down too. Below this share of its tones … */
  logoShare: 0.36,
  /** … more print contrast is needed per unit below. */
  printContrastPerLogoShare: 0.5,
  /** Codes on a dull background are lost on a white page. Below this symbol contrast … */
  plainContrast: 0.31,
  /** … more print contrast is needed per unit below. */
  printContrastPerContrast: 3,
  /** ZBar loses codes with hidden alignment patterns: more print contrast per unit of damage. */
  printContrastPerDamageWithoutAlignment: 0.04,
  /** In symbols of this many modules (version 8) and more … */
  largeSymbolModules: 49,
  /** … such codes need more print contrast. */
  printContrastOfLargeSymbols: 0.05,
  /** Smallest finder share: zxing-cpp takes its threshold from a large neighbourhood. */
  finderShare: 0.37,
  /** Smallest tone share: paler modules next to dark finders or a dark logo are taken for background. */
  toneShare: 0.28,
  /** ISO/IEC 18004 requires four. */
  quietZoneModules: 4,
  /** Codewords per block that must be left for dirt and scratches. */
  sparePerBlock: 0.25,
  /** Covered modules of the format information, whose code repairs three bits. */
  coveredFormat: 2,
  /** Covered modules of the alignment pattern at the lower right, of 25. */
  coveredAlignment: 6,
} as const;

/** Measures that determine the contrast the modules need. */
type ContrastMeasures = ColorMeasures &
  Pick<Measures, 'logoShare' | 'damage' | 'hidesAlignment' | 'side'>;

/** Returns the print contrast that a design needs, from 0 to 1. */
export function printContrastLimit(measures: ContrastMeasures): number {
  const { symbolContrast, finderContrast, finderShare, logoShare } = measures;
  const damage = Math.min(1, measures.damage);
  // 0 for finders like the modules, 1 for finders twice as dark.
  const darkness =
    (Math.max(1, Math.min(limits.darkFinderShare, finderShare)) - 1) / (limits.darkFinderShare - 1);
  const plain =
    limits.printContrast + limits.printContrastPerDamage * Math.max(0, damage - limits.damage);
  const besideDarkFinders =
    limits.printContrastBesideDarkFinders + limits.printContrastPerDamageBesideDarkFinders * damage;
  const standsOut = between(symbolContrast, finderContrast, darkness);
  return (
    between(plain, Math.min(plain, besideDarkFinders), darkness) +
    (finderShare < limits.paleFinderShare ? limits.printContrastOfPaleFinders : 0) +
    (measures.hidesAlignment ? withoutAlignment(measures) : 0) +
    limits.printContrastPerLogoShare * Math.max(0, limits.logoShare - logoShare) +
    limits.printContrastPerContrast * Math.max(0, limits.plainContrast - standsOut)
  );
}

function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** Returns the additional print contrast needed where a logo hides alignment patterns. */
function withoutAlignment({ side, damage, finderShare }: ContrastMeasures): number {
  const missing = Math.max(0, limits.paleFinderShare - finderShare);
  return (
    (side >= limits.largeSymbolModules ? limits.printContrastOfLargeSymbols : 0) +
    limits.printContrastPerDamageWithoutAlignment * Math.min(1, damage) +
    limits.printContrastPerFinderShareWithoutAlignment * missing
  );
}

/** Returns whether colours suffice without a logo, which shifts thresholds and hides modules. */
export function colorsSuffice(colors: ColorMeasures): boolean {
  return (
    colors.modules < colors.background &&
    colors.symbolContrast >= limits.symbolContrast &&
    colors.finderContrast >= limits.finderContrast &&
    colors.finderShare >= limits.finderShare &&
    colors.printContrast >=
      printContrastLimit({ ...colors, side: 0, logoShare: 1, damage: 0, hidesAlignment: false })
  );
}

/** Returns the score, 50 at the limits and 100 at best; the weakest measure decides. */
export function scoreOf(measures: Measures): number {
  const { damage } = measures;
  const budget = damage <= 1 ? 100 - 50 * damage : 50 / damage ** 2;
  return Math.round(Math.min(colorScoreOf(measures), budget));
}

/** Returns the score of the colours alone. */
export function colorScoreOf(measures: Measures): number {
  return Math.min(
    scaled(measures.symbolContrast, limits.symbolContrast, 0.7),
    scaled(measures.finderContrast, limits.finderContrast, 0.7),
    scaled(measures.printContrast, printContrastLimit(measures), 0.75),
    scaled(measures.finderShare, limits.finderShare, 0.9),
    scaled(measures.toneShare, limits.toneShare, 0.7),
  );
}

/** Scales a measure to 0 at zero, 50 at its limit and 100 at its best value. */
function scaled(value: number, limit: number, best: number): number {
  if (value < limit) return Math.max(0, (50 * value) / limit);
  return Math.min(100, 50 + (50 * (value - limit)) / (best - limit));
}
