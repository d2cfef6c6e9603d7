import type { Advice, Design, DesignChanges } from '../../core/designs/design.ts';
import { designBounds } from '../../core/designs/design.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { pictureOf } from '../draw/svg.ts';
import { type Measured, measure } from './assessment.ts';
import { colorFixes } from './color-advice.ts';
import { assessPlaced } from './logo-placement/place.ts';
import { codeLogoFault, type Fault, misalignmentFault } from './reasons.ts';
import { colorScoreOf } from './score.ts';

/** Damage that a suggested logo may cause: it hides other modules in other codes of the account. */
const advisedDamage = 0.85;

/** Score that suggested colours reach at least: at the limit itself every second scanner fails. */
const advisedColorScore = 60;

/** Percentage points to try first against a false pattern: it seldom persists at the next size. */
const slightlyLess = [1, 2, 3] as const;

/** Assesses changes to a design on one link. */
interface Trial {
  measure(changes: DesignChanges): Measured;
  /** Returns whether the changed design is readable. */
  passes(changes: DesignChanges): Promise<boolean>;
}

/**
 * Finds the nearest design that passes on this link: first colours, then a patch behind the logo or a
 * smaller logo, at last plain shapes and plain colours.
 *
 * @returns null when nothing helps, for example when the logo is a QR code itself
 */
export async function adviceFor(
  design: Design,
  shortLink: string,
  faults: readonly Fault[],
): Promise<Advice | null> {
  if (faults.includes(codeLogoFault)) return null;
  const trial = trialOf(design, shortLink);
  const key = keyOf(design);
  const earlier = known.get(key);
  if (earlier !== undefined && (await trial.passes(earlier))) {
    return { changes: earlier, message: adviceMessage(design, earlier) };
  }
  const colored = faults.some(({ part }) => part === 'colors' || part === 'finders');
  const start: DesignChanges = {
    ...(colored ? await nearestColors(design, trial) : {}),
    quietZoneModules: Math.max(designBounds.quietZoneModules.min, design.quietZoneModules),
  };
  const isMisaligned = faults.includes(misalignmentFault);
  for (const attempt of attempts(design, start)) {
    const changes = await largestLogo(design, pruned(design, attempt), trial, isMisaligned);
    if (changes === null) continue;
    if (known.size >= knownLimit) known.clear();
    known.set(key, changes);
    return { changes, message: adviceMessage(design, changes) };
  }
  return null;
}

function trialOf(design: Design, shortLink: string): Trial {
  const pictureWith = (changes: DesignChanges) => pictureOf(shortLink, { ...design, ...changes });
  return {
    measure: (changes) => measure(pictureWith(changes), shortLink),
    passes: async (changes) => {
      await yieldToEventLoop();
      const { assessment } = await assessPlaced(pictureWith(changes), shortLink);
      return assessment.faults.length === 0;
    },
  };
}

/** Changes that helped a design on another link: repeated attempts cost one assessment, not thirty. */
const known = new Map<string, DesignChanges>();
const knownLimit = 256;

function keyOf({ logo, ...rest }: Design): string {
  const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(rest));
  return (logo === null ? hash : hash.update(logo.png)).digest('hex');
}

/** Removes changes that change nothing. */
function pruned(design: Design, changes: DesignChanges): DesignChanges {
  const kept = Object.entries(changes).filter(
    // The keys of changes are keys of a design by its type.
    ([name, value]) => design[name as keyof Design] !== value,
  );
  return Object.fromEntries(kept);
}

/** Yields ever plainer designs, each of which may still need a smaller logo. */
function* attempts(design: Design, start: DesignChanges): Generator<DesignChanges> {
  yield start;
  const { logo } = design;
  if (logo !== null && design.logoPatch !== 'square') yield { ...start, logoPatch: 'square' };
  yield { ...start, moduleShape: 'square' };
  const square = { ...start, moduleShape: 'square', finderShape: 'square' } as const;
  yield square;
  yield { ...square, foreground: '#000000', background: '#ffffff', finderColor: null };
  yield {
    ...square,
    foreground: '#000000',
    background: '#ffffff',
    finderColor: null,
    logoPatch: 'square',
  };
}

/** Finds the smallest change of colours without a fault. */
async function nearestColors(design: Design, { measure }: Trial): Promise<DesignChanges> {
  for (const { at } of colorFixes(design)) {
    const fine = async (share: number) => {
      await yieldToEventLoop();
      const { faults, measures } = measure(at(share));
      const refused = faults.some(({ part }) => part === 'colors' || part === 'finders');
      return !refused && colorScoreOf(measures) >= advisedColorScore;
    };
    if (!(await fine(1))) continue;
    let [low, high] = [0, 1];
    for (let round = 0; round < 6; round++) {
      const middle = (low + high) / 2;
      if (await fine(middle)) high = middle;
      else low = middle;
    }
    return at(high);
  }
  return { foreground: '#000000', background: '#ffffff', finderColor: null };
}

/**
 * Returns the changes with the largest logo that passes, the present size first, or null.
 *
 * @param isMisaligned whether a false pattern in the logo is at fault: close sizes are tried first
 */
async function largestLogo(
  design: Design,
  changes: DesignChanges,
  trial: Trial,
  isMisaligned: boolean,
): Promise<DesignChanges | null> {
  const changed = Object.keys(changes).length > 0;
  if (changed && (await trial.passes(changes))) return changes;
  if (design.logo === null) return null;

  const fits = async (logoSizePercent: number) => {
    await yieldToEventLoop();
    const { faults, measures } = trial.measure({ ...changes, logoSizePercent });
    return faults.length === 0 && measures.damage <= advisedDamage;
  };
  const passes = async (logoSizePercent: number) =>
    (await fits(logoSizePercent)) && trial.passes({ ...changes, logoSizePercent });
  const present = design.logoSizePercent;
  for (const less of isMisaligned ? slightlyLess : []) {
    const logoSizePercent = present - less;
    if (logoSizePercent >= designBounds.logoSizePercent.min && (await passes(logoSizePercent))) {
      return { ...changes, logoSizePercent };
    }
  }
  // Whether a logo fits is quickly measure, and most that fit pass.
  const fitting = await largestSize(present, fits);
  if (fitting === null) return null;
  const passing = (await passes(fitting)) ? fitting : await largestSize(fitting, passes);
  return passing === null ? null : { ...changes, logoSizePercent: passing };
}

/** Finds the largest size below one that meets a condition, by bisection; null when none does. */
async function largestSize(
  below: number,
  meets: (logoSizePercent: number) => Promise<boolean>,
): Promise<number | null> {
  let low: number = designBounds.logoSizePercent.min;
  let high = Math.ceil(below);
  if (low >= high || !(await meets(low))) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (await meets(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Describes changes to a design in one sentence. */
function adviceMessage(design: Design, changes: DesignChanges): string {
  const parts: string[] = [];
  const { foreground, background, finderColor, logoPatch, logoSizePercent } = changes;
  const { moduleShape, finderShape, quietZoneModules } = changes;
  if (foreground !== undefined && foreground !== design.foreground) {
    parts.push(`foreground ${foreground} instead of ${design.foreground}`);
  }
  if (background !== undefined && background !== design.background) {
    parts.push(`background ${background} instead of ${design.background}`);
  }
  if (finderColor !== undefined && finderColor !== design.finderColor) {
    parts.push(
      finderColor === null
        ? 'corners in the foreground colour'
        : `corners ${finderColor} instead of ${design.finderColor ?? design.foreground}`,
    );
  }
  if (logoPatch !== undefined && logoPatch !== design.logoPatch) {
    parts.push(`a ${logoPatch} patch behind the logo`);
  }
  if (logoSizePercent !== undefined && logoSizePercent !== design.logoSizePercent) {
    parts.push(`logo size ${logoSizePercent} % instead of ${design.logoSizePercent} %`);
  }
  if (moduleShape !== undefined && moduleShape !== design.moduleShape) {
    parts.push(`${moduleShape} modules`);
  }
  if (finderShape !== undefined && finderShape !== design.finderShape) {
    parts.push(`${finderShape} finder patterns`);
  }
  if (quietZoneModules !== undefined && quietZoneModules !== design.quietZoneModules) {
    parts.push(`a quiet zone of ${quietZoneModules} modules`);
  }
  const last = parts.pop();
  return `This passes: ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}.`;
}
