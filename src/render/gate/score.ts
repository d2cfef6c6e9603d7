import { limits, printContrastLimit } from './limits.ts';
import type { Measures } from './measures.ts';

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
