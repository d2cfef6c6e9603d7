import type { Advice, Design, DesignChanges } from '../../core/designs/design.ts';
import { designBounds } from '../../core/designs/design.ts';
import { pictureOf } from '../path/picture.ts';
import { measure } from './assessment.ts';
import { nearestColors } from './color-advice.ts';
import { codeLogoFault, type Fault } from './faults.ts';
import { colorScoreOf } from './limits.ts';
import { assessPlaced } from './placement.ts';

/**
 * Error correction that a suggested logo may use.
 * It hides other modules in other codes of the account.
 */
const advisedErrorCorrectionUsed = 0.85;

/** Minimum score of suggested colours: at the limit of 50, every second scanner fails. */
const advisedColorScore = 60;

/**
 * Finds changes with which a rejected design passes on this link.
 * Other colours, a patch behind the logo, a smaller logo, and as a last resort plain shapes in black on white.
 *
 * @returns null when nothing helps, for example when the logo is a QR code itself
 */
export function adviceFor(
  design: Design,
  shortLink: string,
  faults: readonly Fault[],
): Advice | null {
  if (faults.includes(codeLogoFault)) return null;
  const pictureWith = (changes: DesignChanges) => pictureOf(shortLink, { ...design, ...changes });
  const hasColorFault = (all: readonly Fault[]) => all.some(({ isOfColors }) => isOfColors);

  const hasGoodColors = (changes: DesignChanges) => {
    const { faults, measures } = measure(pictureWith(changes));
    return !hasColorFault(faults) && colorScoreOf(measures) >= advisedColorScore;
  };
  const fits = (changes: DesignChanges) => {
    const { faults, measures } = measure(pictureWith(changes));
    return faults.length === 0 && measures.errorCorrectionUsed <= advisedErrorCorrectionUsed;
  };
  const passes = (changes: DesignChanges) =>
    assessPlaced(pictureWith(changes), shortLink).faults.length === 0;

  const quietZoneModules = Math.max(designBounds.quietZoneModules.min, design.quietZoneModules);
  const colors = hasColorFault(faults) ? nearestColors(design, hasGoodColors) : {};
  for (const candidate of candidates(design, { ...colors, quietZoneModules })) {
    const changes = withoutUnchanged(design, candidate);
    if (Object.keys(changes).length > 0 && passes(changes)) return adviceOf(design, changes);
    if (design.logo === null) continue;
    const withLogo = (logoSizePercent: number) => ({ ...changes, logoSizePercent });
    // Whether a logo fits is measured quickly, and most logos that fit pass.
    const fitting = largestSize(design.logoSizePercent, (size) => fits(withLogo(size)));
    if (fitting === null) continue;
    const passing = passes(withLogo(fitting))
      ? fitting
      : largestSize(fitting, (size) => passes(withLogo(size)));
    if (passing !== null) return adviceOf(design, withLogo(passing));
  }
  return null;
}

/** Yields increasingly plain designs, each of which may still need a smaller logo. */
function* candidates(design: Design, start: DesignChanges): Generator<DesignChanges> {
  yield start;
  if (design.logo !== null && design.logoPatch !== 'square')
    yield { ...start, logoPatch: 'square' };
  yield {
    ...start,
    moduleShape: 'square',
    finderShape: 'square',
    foreground: '#000000',
    background: '#ffffff',
    finderColor: null,
  };
}

function withoutUnchanged(design: Design, changes: DesignChanges): DesignChanges {
  // The keys of changes are keys of a design by its type.
  const changed = Object.entries(changes).filter(
    ([name, value]) => design[name as keyof Design] !== value,
  );
  return Object.fromEntries(changed);
}

/** Finds the largest size below one that meets a condition, by bisection; null when none does. */
function largestSize(below: number, meets: (logoSizePercent: number) => boolean): number | null {
  let low: number = designBounds.logoSizePercent.min;
  let high = Math.ceil(below);
  if (low >= high || !meets(low)) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (meets(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the changes with the settings that they replace. */
function adviceOf(design: Design, changes: DesignChanges): Advice {
  // The keys of changes are keys of a design by its type.
  const names = Object.keys(changes) as (keyof DesignChanges)[];
  return { changes, instead: Object.fromEntries(names.map((name) => [name, design[name]])) };
}
