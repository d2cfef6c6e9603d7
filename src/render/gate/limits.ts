import type { Measures } from './measures.ts';

/**
 * What scanners take. Tuned on seed 1 of test/bench/readability.ts, where these limits part the designs
 * that independent scanners read in simulated captures from those that they cannot.
 */
export const limits = {
  /** Symbol contrast: ISO/IEC 15415 gives grade F below 0.2, and grade C at 0.4. */
  symbolContrast: 0.25,
  /**
   * Scanners of ZXing's Java family take a block of pixels without a step of brightness for paper and
   * set the threshold to half of it, smoothed with its neighbours: paler dark parts drown beside it.
   */
  printContrast: 0.34,
  /** Finders so much darker than the modules are found anyway, and pull the thresholds down … */
  darkFinderShare: 1.3,
  /** … which lets paler modules be read, unless many of them are missing. */
  printContrastBesideDarkFinders: 0.25,
  printContrastPerDamage: 0.15,
  /** Paler finders are lost: zxing-cpp takes its threshold from the whole neighbourhood. */
  finderShare: 0.415,
  /** Modules this pale beside dark finders or a dark logo are taken for ground. */
  toneShare: 0.235,
  /** ISO/IEC 18004 asks for a quiet zone of four modules. */
  quietZoneModules: 4,
  /** Codewords left for dirt and scratches: every other block can lose one more. */
  sparePerBlock: 0.5,
  /** Format information is written twice in a code that repairs three bits; one stays for dirt. */
  coveredFormat: 2,
  /** Of 25 modules; scanners accept the pattern with six wrong ones. */
  coveredAlignment: 6,
} as const;

/** The print contrast that a design needs, from 0 to 1. */
export function printContrastLimit({ finderShare, damage }: Measures): number {
  if (finderShare < limits.darkFinderShare) return limits.printContrast;
  return (
    limits.printContrastBesideDarkFinders + limits.printContrastPerDamage * Math.min(1, damage)
  );
}
