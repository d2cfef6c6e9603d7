import type { Advice, Design, DesignChanges } from '../../core/designs/design.ts';
import { designBounds } from '../../core/designs/design.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { pictureOf } from '../draw/svg.ts';
import { adviceMessage } from './advice-message.ts';
import { colorRemedies } from './color-remedies.ts';
import { type Measured, measured } from './examination.ts';
import { examineFitted } from './logo-fit.ts';
import { codeLogoFault, type Finding, lookalikeFault } from './reasons.ts';
import { colorScoreOf } from './score.ts';

/** The budget that an advised logo may use: other codes of the account hide other modules. */
const advisedDamage = 0.85;

/** The score that advised colours reach at least: at the limit itself every second scanner fails. */
const advisedColorScore = 60;

/** A piece that looks like a pattern at one size does so seldom at the next, in percent points. */
const slightlyLess = [1, 2, 3] as const;

/** What becomes of a design on one link when so much of it is changed. */
interface Trial {
  /** What the measures say: quickly found. */
  measure(changes: DesignChanges): Measured;
  /** Whether the gate accepts it. */
  passes(changes: DesignChanges): Promise<boolean>;
}

/**
 * Looks for the nearest design that passes: first colours, then a patch behind the logo or a smaller
 * logo, at last plain shapes and plain colours. What it answers has passed the gate on this link.
 *
 * @returns null when nothing helps, for example when the logo is a QR code itself
 */
export async function adviceFor(
  design: Design,
  shortLink: string,
  faults: readonly Finding[],
): Promise<Advice | null> {
  if (faults.includes(codeLogoFault)) return null;
  const trial = trialOf(design, shortLink);
  const key = keyOf(design);
  const remembered = known.get(key);
  if (remembered !== undefined && (await trial.passes(remembered))) {
    return { changes: remembered, message: adviceMessage(design, remembered) };
  }
  const colored = faults.some(({ part }) => part === 'colors' || part === 'finders');
  const start: DesignChanges = {
    ...(colored ? await nearestColors(design, trial) : {}),
    quietZoneModules: Math.max(designBounds.quietZoneModules.min, design.quietZoneModules),
  };
  const lookalike = faults.includes(lookalikeFault);
  for (const attempt of attempts(design, start)) {
    const changes = await largestLogo(design, pruned(design, attempt), trial, lookalike);
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
    measure: (changes) => measured(pictureWith(changes), shortLink),
    passes: async (changes) => {
      // The native renderer frees its pixels only when the event loop turns.
      await yieldToEventLoop();
      const { examination } = await examineFitted(pictureWith(changes), shortLink);
      return examination.faults.length === 0;
    },
  };
}

/**
 * What helped a design on another link, so that a client that tries again and again costs one
 * examination and not thirty.
 */
const known = new Map<string, DesignChanges>();
const knownLimit = 256;

function keyOf({ logo, ...rest }: Design): string {
  const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(rest));
  return (logo === null ? hash : hash.update(logo.png)).digest('hex');
}

/** Changes without those that change nothing. */
function pruned(design: Design, changes: DesignChanges): DesignChanges {
  const kept = Object.entries(changes).filter(
    // The keys of changes are keys of a design by its type.
    ([name, value]) => design[name as keyof Design] !== value,
  );
  return Object.fromEntries(kept);
}

/** Ever plainer designs, each of which may still need a smaller logo. */
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

/** The cheapest change of colours that leaves nothing to say against them. */
async function nearestColors(design: Design, { measure }: Trial): Promise<DesignChanges> {
  for (const { at } of colorRemedies(design)) {
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
 * The changes with the largest logo that passes, the present size first; null when none does.
 *
 * @param lookalike whether a piece of the logo is at fault, for which sizes close by are tried first
 */
async function largestLogo(
  design: Design,
  changes: DesignChanges,
  trial: Trial,
  lookalike: boolean,
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
  for (const less of lookalike ? slightlyLess : []) {
    const logoSizePercent = present - less;
    if (logoSizePercent >= designBounds.logoSizePercent.min && (await passes(logoSizePercent))) {
      return { ...changes, logoSizePercent };
    }
  }
  // Whether a logo fits is quickly measured, and most that fit pass.
  const fitting = await largestSize(present, fits);
  if (fitting === null) return null;
  const passing = (await passes(fitting)) ? fitting : await largestSize(fitting, passes);
  return passing === null ? null : { ...changes, logoSizePercent: passing };
}

/** The largest size below one that meets a condition, which smaller ones meet as well; null when none does. */
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
