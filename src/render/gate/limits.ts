import type { ColorMeasures, Measures } from './measures.ts';

/**
 * Limits of the measures, tuned on the corpora of test/bench/readability.md: they separate the designs
 * that independent scanners read in simulated captures from those that they don't.
 */
export const limits = {
  /**
   * Symbol contrast of the finder patterns, which are found first or not at all. ISO/IEC 15415, which
   * takes the darkest of a symbol, gives grade F below 0.2.
   */
  finderContrast: 0.27,
  /** The same of modules that are paler than the finder patterns. */
  symbolContrast: 0.18,
  /**
   * Scanners of ZXing's Java family take a block of pixels without a step of brightness for paper and
   * set the threshold to half of it, smoothed with its neighbours: paler dark parts drown beside it.
   */
  printContrast: 0.32,
  /** What pale modules lose and what a logo hides add up: from this share of the budget on … */
  damage: 0.2,
  /** … each hundredth more asks for 0.03 hundredths more print contrast. */
  printContrastPerDamage: 0.03,
  /** Finders twice as dark as the modules are found anyway, and pull the thresholds down … */
  darkFinderShare: 2,
  /** … so that paler modules are read beside them … */
  printContrastBesideDarkFinders: 0.2,
  /** … where no logo hides many: each hundredth of the budget used asks for 0.14 hundredths more. */
  printContrastPerDamageBesideDarkFinders: 0.14,
  /** Finders paler than the modules are lost at thresholds that suit the modules: below this share … */
  paleFinderShare: 0.5,
  /** … they need so much more print contrast … */
  printContrastOfPaleFinders: 0.025,
  /** … and a hundredth more for each hundredth less where a logo hides alignment patterns from ZBar. */
  printContrastPerFinderShareWithoutAlignment: 1,
  /** A dark logo pulls at the thresholds too, and finds no finders: below this share of its tones … */
  logoShare: 0.36,
  /** … each hundredth less asks for half a hundredth more print contrast. */
  printContrastPerLogoShare: 0.5,
  /** On dull ground codes are lost beside a white page: below this symbol contrast … */
  plainContrast: 0.31,
  /** … each hundredth less asks for three hundredths more print contrast. */
  printContrastPerContrast: 3,
  /**
   * ZBar loses codes of which a logo hides alignment patterns, so that others have to read them: each
   * hundredth of the budget used asks for 0.04 hundredths more print contrast.
   */
  printContrastPerDamageWithoutAlignment: 0.04,
  /** In symbols of so many modules (version 8) and more ZBar loses four in ten shots of such a code … */
  largeSymbolModules: 49,
  /** … which therefore needs so much more print contrast, for others to read it. */
  printContrastOfLargeSymbols: 0.05,
  /** Paler finders are lost: zxing-cpp takes its threshold from the whole neighbourhood. */
  finderShare: 0.37,
  /** Modules this pale beside dark finders or a dark logo are taken for ground. */
  toneShare: 0.28,
  /** ISO/IEC 18004 asks for a quiet zone of four modules. */
  quietZoneModules: 4,
  /** Codewords left for dirt and scratches: every fourth block can lose one more. */
  sparePerBlock: 0.25,
  /** Format information is written twice in a code that repairs three bits; one stays for dirt. */
  coveredFormat: 2,
  /** Of 25 modules; scanners accept the pattern with six wrong ones. */
  coveredAlignment: 6,
} as const;

/** Measures that determine the contrast the modules need. */
type ContrastMeasures = ColorMeasures &
  Pick<Measures, 'logoShare' | 'damage' | 'hidesAlignment' | 'side'>;

/** Returns the print contrast that a design needs, from 0 to 1. */
export function printContrastLimit(measures: ContrastMeasures): number {
  const { symbolContrast, finderContrast, finderShare, logoShare } = measures;
  const damage = Math.min(1, measures.damage);
  // From 0 for finders like the modules to 1 for finders twice as dark.
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
