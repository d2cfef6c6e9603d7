import type { ColorMeasures, Measures } from './measures.ts';

/**
 * What scanners take. Tuned on the corpora of test/bench/readability.md, where these limits part the
 * designs that independent scanners read in simulated captures from those that they cannot.
 */
export const limits = {
  /**
   * Symbol contrast of the finder patterns, which are found first or not at all. ISO/IEC 15415, which
   * takes the darkest of a symbol, gives grade F below 0.2.
   */
  finderContrast: 0.265,
  /** The same of modules that are paler than the finder patterns. */
  symbolContrast: 0.18,
  /**
   * Scanners of ZXing's Java family take a block of pixels without a step of brightness for paper and
   * set the threshold to half of it, smoothed with its neighbours: paler dark parts drown beside it.
   */
  printContrast: 0.32,
  /** Finders twice as dark as the modules are found anyway, and pull the thresholds down … */
  darkFinderShare: 2,
  /** … so that paler modules are read beside them … */
  printContrastBesideDarkFinders: 0.22,
  /** … unless a logo hides many: each hundredth of damage takes back a hundredth of that. */
  easePerDamage: 1,
  /** The least in any case … */
  leastPrintContrast: 0.255,
  /** … and beside finders darker than this, where scanners lose paler modules even in clean pictures. */
  farDarkerFinderShare: 2.5,
  leastPrintContrastBesideFarDarkerFinders: 0.27,
  /** Finders paler than the modules are lost at thresholds that suit the modules: below this share … */
  paleFinderShare: 0.45,
  /** … or this one where a logo hides alignment patterns, as ZBar then loses most shots … */
  paleFinderShareWithoutAlignment: 0.55,
  /** … each hundredth less asks for a hundredth more print contrast. */
  printContrastPerFinderShare: 1,
  /** On dull ground they are lost as well: below this share finders … */
  paleFinderShareOnDullGround: 0.5,
  /** … need this symbol contrast. */
  paleFinderContrast: 0.6,
  /** A dark logo pulls at the thresholds too, and finds no finders: below this share of its tones … */
  logoShare: 0.36,
  /** … each hundredth less asks for half a hundredth more print contrast. */
  printContrastPerLogoShare: 0.5,
  /** On dull ground codes are lost beside a white page: below this symbol contrast … */
  plainContrast: 0.325,
  /** … each hundredth less asks for 3.6 hundredths more print contrast. */
  printContrastPerContrast: 3.6,
  /** What pale modules lose and what a logo hides add up: from this share of the budget on … */
  damage: 0.4,
  /** … each hundredth more asks for an eighth of a hundredth more print contrast. */
  printContrastPerDamage: 0.125,
  /**
   * ZBar loses codes of which a logo hides alignment patterns, so that others have to read them: each
   * hundredth of the budget used asks for a twentieth of a hundredth more print contrast.
   */
  printContrastPerDamageWithoutAlignment: 0.05,
  /** In symbols of so many modules (version 8) and more ZBar loses four in ten shots of such a code … */
  largeSymbolModules: 49,
  /** … which therefore needs so much more print contrast, for others to read it. */
  printContrastOfLargeSymbols: 0.06,
  /** Paler finders are lost: zxing-cpp takes its threshold from the whole neighbourhood. */
  finderShare: 0.36,
  /** Modules this pale beside dark finders or a dark logo are taken for ground. */
  toneShare: 0.26,
  /** ISO/IEC 18004 asks for a quiet zone of four modules. */
  quietZoneModules: 4,
  /** Codewords left for dirt and scratches: every fourth block can lose one more. */
  sparePerBlock: 0.25,
  /** Format information is written twice in a code that repairs three bits; one stays for dirt. */
  coveredFormat: 2,
  /** Of 25 modules; scanners accept the pattern with six wrong ones. */
  coveredAlignment: 6,
} as const;

/** What decides how much contrast the modules need. */
type ContrastMeasures = ColorMeasures &
  Pick<Measures, 'logoShare' | 'damage' | 'hidesAlignment' | 'side'>;

/** The print contrast that a design needs, from 0 to 1. */
export function printContrastLimit(measures: ContrastMeasures): number {
  const damage = Math.min(1, measures.damage);
  const heavy = Math.max(0, damage - limits.damage);
  // From 0 for finders like the modules to 1 for finders twice as dark.
  const darkness =
    (Math.max(1, Math.min(limits.darkFinderShare, measures.finderShare)) - 1) /
    (limits.darkFinderShare - 1);
  const eased =
    (limits.printContrast - limits.printContrastBesideDarkFinders) *
    darkness *
    Math.max(0, 1 - limits.easePerDamage * heavy);
  const { symbolContrast, finderContrast } = measures;
  const standsOut = symbolContrast + (finderContrast - symbolContrast) * darkness;
  const logo = Math.max(0, limits.logoShare - measures.logoShare);
  const paleShare = measures.hidesAlignment
    ? limits.paleFinderShareWithoutAlignment
    : limits.paleFinderShare;
  const finders = Math.max(0, paleShare - measures.finderShare);
  const dull = Math.max(0, limits.plainContrast - standsOut);
  const wanted =
    limits.printContrast -
    eased +
    (measures.hidesAlignment ? withoutAlignment(measures.side, damage) : 0) +
    limits.printContrastPerLogoShare * logo +
    limits.printContrastPerFinderShare * finders +
    limits.printContrastPerDamage * heavy +
    limits.printContrastPerContrast * dull;
  return Math.max(leastPrintContrast(measures.finderShare), wanted);
}

function leastPrintContrast(finderShare: number): number {
  return finderShare > limits.farDarkerFinderShare
    ? limits.leastPrintContrastBesideFarDarkerFinders
    : limits.leastPrintContrast;
}

/** The print contrast that is asked for in addition where a logo hides alignment patterns. */
function withoutAlignment(side: number, damage: number): number {
  const large = side >= limits.largeSymbolModules ? limits.printContrastOfLargeSymbols : 0;
  return large + limits.printContrastPerDamageWithoutAlignment * damage;
}

/** Whether colours suffice by themselves, with no logo to pull at thresholds or to hide modules. */
export function colorsSuffice(colors: ColorMeasures): boolean {
  return (
    colors.modules < colors.ground &&
    colors.symbolContrast >= limits.symbolContrast &&
    colors.finderContrast >= finderContrastLimit(colors) &&
    colors.finderShare >= limits.finderShare &&
    colors.printContrast >=
      printContrastLimit({ ...colors, side: 0, logoShare: 1, damage: 0, hidesAlignment: false })
  );
}

/** The symbol contrast that finder patterns need, from 0 to 1. */
export function finderContrastLimit({ finderShare }: Pick<ColorMeasures, 'finderShare'>): number {
  return finderShare < limits.paleFinderShareOnDullGround
    ? limits.paleFinderContrast
    : limits.finderContrast;
}
