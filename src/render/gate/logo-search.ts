import type { LogoPlacement } from '../../core/designs/design.ts';
import { fullySteady, nearlySteady } from './steady.ts';

/** Drawings that are seen about equally, in symbols of 45 modules and more on a side. */
interface Bound {
  /** In percent of what is set. */
  readonly sizes: readonly number[];
  /** How far from the middle, to the right or down, the logo is drawn at most, in modules … */
  readonly reachModules: number;
  /** … and at least, to either of them: nearer ones stand in an earlier bound. */
  readonly fromModules?: number;
  /** Between one drawing and the next, in modules. */
  readonly stepModules: number;
  /** How steady (steady.ts) a drawing has to be for none in a later bound to be looked at. */
  readonly enough: number;
}

/**
 * What is hardly seen without the two side by side, then what is seen and better than a code that some
 * scanners lose, or none. Where steps are half a module, narrower ones find no more and take a third longer
 * (test/bench/readability.md).
 */
export const bounds: readonly Bound[] = [
  { sizes: [100, 95, 90], reachModules: 0.75, stepModules: 0.25, enough: fullySteady },
  {
    sizes: [100, 95, 90],
    fromModules: 1,
    reachModules: 1.5,
    stepModules: 0.5,
    enough: nearlySteady,
  },
  { sizes: [85, 80], reachModules: 1.5, stepModules: 0.25, enough: nearlySteady },
  {
    sizes: [100, 95, 90, 85, 80],
    fromModules: 2,
    reachModules: 2,
    stepModules: 0.5,
    enough: nearlySteady,
  },
  { sizes: [75, 70, 65], reachModules: 1.5, stepModules: 0.5, enough: nearlySteady },
];

/** All drawings but the one that is set, by bound. What is changed least comes first. */
const fitsByBound = bounds.map((bound) => ({
  enough: bound.enough,
  fits: bound.sizes.flatMap((sizePercent): LogoPlacement[] =>
    moves(bound)
      .map((moved) => ({ sizePercent, ...moved }))
      .filter((logoFit) => !isAsSet(logoFit)),
  ),
}));

function isAsSet({ sizePercent, rightModules, downModules }: LogoPlacement): boolean {
  return sizePercent === 100 && rightModules === 0 && downModules === 0;
}

type Move = Pick<LogoPlacement, 'rightModules' | 'downModules'>;

/** The shortest first. */
function moves({ reachModules, fromModules = 0, stepModules }: Bound): Move[] {
  const steps = [0];
  for (let step = stepModules; step <= reachModules; step += stepModules) steps.push(step, -step);
  return steps
    .flatMap((downModules) => steps.map((rightModules) => ({ rightModules, downModules })))
    .filter(
      ({ rightModules, downModules }) =>
        Math.max(Math.abs(rightModules), Math.abs(downModules)) >= fromModules,
    )
    .sort((a, b) => lengthOf(a) - lengthOf(b));
}

function lengthOf(move: Move): number {
  return Math.abs(move.rightModules) + Math.abs(move.downModules);
}

/**
 * Finds the nearest of the fully steady drawings, or the nearest of the steadiest where there is none. None
 * beyond a bound is looked at where one within it is steady enough.
 *
 * @param steadinessOf as in steady.ts
 * @param asSet how steady the drawing is that is set: others have to be steadier
 * @param accepted what to make of a drawing, or null to go on without it
 * @returns null when none is steadier and accepted
 */
export async function steadiestFit<T extends object>(
  steadinessOf: (logoFit: LogoPlacement, atLeast: number) => number | null,
  asSet: number,
  accepted: (logoFit: LogoPlacement) => T | null | Promise<T | null>,
): Promise<T | null> {
  let best: T | null = null;
  let steadiest = asSet;
  for (const { fits, enough } of fitsByBound) {
    for (const logoFit of fits) {
      const steadiness = steadinessOf(logoFit, steadiest + 1) ?? 0;
      const found = steadiness > steadiest ? await accepted(logoFit) : null;
      if (found !== null) [best, steadiest] = [found, steadiness];
      if (steadiest === fullySteady) return best;
    }
    if (steadiest >= enough) return best;
  }
  return best;
}
