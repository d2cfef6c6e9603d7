import type { Measures } from './contrast.ts';
import { limits, printContrastLimit } from './limits.ts';
import { percent } from './reasons.ts';

/** Below these a design is accepted, with a word of caution. */
const caution = {
  /** Where grade C of ISO/IEC 15415 starts; here it is asked of the paler of modules and finders. */
  symbolContrast: 0.4,
  /** zxing-cpp 1.4, in Debian, loses some clean pictures of paler codes, and of darker ones none. */
  printContrast: 0.42,
  toneShare: 0.4,
  damage: 0.75,
} as const;

/** What is weak about an accepted design, in plain words. */
export function cautionsOf(measures: Measures): string[] {
  const { symbolContrast, printContrast, damage, toneShare } = measures;
  const words: string[] = [];
  if (printContrast < caution.printContrast || symbolContrast < caution.symbolContrast) {
    words.push('The contrast is low: most phones read it, some older scanners do not.');
  } else if (toneShare < caution.toneShare) {
    words.push(
      'Colours of very different darkness stand side by side: in poor light some scanners lose the paler ones.',
    );
  }
  if (damage > caution.damage) {
    words.push(
      `The logo uses ${percent(damage)} of the damage that can be repaired: keep the print clean, or make the logo smaller.`,
    );
  }
  return words;
}

/** 50 where the gate stands, 100 where nothing is left to wish for; the weakest measure decides. */
export function scoreOf(measures: Measures): number {
  const { damage } = measures;
  const budget = damage <= 1 ? 100 - 50 * damage : 50 / damage ** 2;
  return Math.round(Math.min(colorScoreOf(measures), budget));
}

/** The same for the colours alone. */
export function colorScoreOf(measures: Measures): number {
  return Math.min(
    scaled(measures.symbolContrast, limits.symbolContrast, 0.7),
    scaled(measures.finderContrast, limits.finderContrast, 0.7),
    scaled(measures.printContrast, printContrastLimit(measures), 0.75),
    scaled(measures.finderShare, limits.finderShare, 0.9),
    scaled(measures.toneShare, limits.toneShare, 0.7),
  );
}

/** From 0 over 50 at the limit to 100 at what is as good as it gets. */
function scaled(value: number, limit: number, best: number): number {
  if (value < limit) return Math.max(0, (50 * value) / limit);
  return Math.min(100, 50 + (50 * (value - limit)) / (best - limit));
}
