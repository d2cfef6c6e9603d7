import type { LogoFit } from '../../core/design.ts';
import { fullySteady, nearlySteady } from './steady.ts';

/**
 * Sizes in percent of what is set, and how far from the middle, in quarters of a module, of which these
 * symbols have 45 or more on a side. A tenth less is hardly seen without the two side by side; a fifth
 * less is seen, and better than a code that some scanners lose.
 */
const bounds = [
  { sizes: [100, 95, 90], reachQuarters: 3 },
  { sizes: [85, 80], reachQuarters: 5 },
] as const;

/** All drawings but the one that is set, by size. What is changed least comes first. */
const fitsBySize: readonly (readonly LogoFit[])[] = bounds.flatMap(({ sizes, reachQuarters }) =>
  sizes.map((sizePercent) =>
    moves(reachQuarters)
      .map((moved) => ({ sizePercent, ...moved }))
      .filter((logoFit) => !isAsSet(logoFit)),
  ),
);

function isAsSet({ sizePercent, rightModules, downModules }: LogoFit): boolean {
  return sizePercent === 100 && rightModules === 0 && downModules === 0;
}

/** Moves to the right and down, in modules, the shortest first. */
function moves(reachQuarters: number): { rightModules: number; downModules: number }[] {
  const steps = [0];
  for (let step = 1; step <= reachQuarters; step++) steps.push(step / 4, -step / 4);
  return steps
    .flatMap((downModules) => steps.map((rightModules) => ({ rightModules, downModules })))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
}

function lengthOf(move: { rightModules: number; downModules: number }): number {
  return Math.abs(move.rightModules) + Math.abs(move.downModules);
}

/**
 * Finds the nearest of the fully steady drawings, or the nearest of the steadiest where there is none. No
 * logo is drawn smaller where a larger one is nearly steady.
 *
 * @param steadinessOf as in steady.ts
 * @param asSet how steady the drawing is that is set: others have to be steadier
 * @param accepted what to make of a drawing, or null to go on without it
 * @returns null when none is steadier and accepted
 */
export async function steadiestFit<T extends object>(
  steadinessOf: (logoFit: LogoFit, atLeast: number) => number | null,
  asSet: number,
  accepted: (logoFit: LogoFit) => T | null | Promise<T | null>,
): Promise<T | null> {
  let best: T | null = null;
  let steadiest = asSet;
  for (const fits of fitsBySize) {
    for (const logoFit of fits) {
      const steadiness = steadinessOf(logoFit, steadiest + 1) ?? 0;
      const found = steadiness > steadiest ? await accepted(logoFit) : null;
      if (found !== null) [best, steadiest] = [found, steadiness];
      if (steadiest === fullySteady) return best;
    }
    if (steadiest >= nearlySteady) return best;
  }
  return best;
}
