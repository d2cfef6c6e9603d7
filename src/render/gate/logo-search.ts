import type { LogoFit } from '../../core/design.ts';
import { fullySteady } from './steady.ts';

/** Percent of the size that is set: a tenth less is hardly seen without the two side by side. */
const sizes = [100, 95, 90] as const;

/** Steps to the right and down, in modules, of which these symbols have 45 or more on a side. */
const steps = [0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75] as const;

/** All drawings but the one that is set. What is changed least comes first. */
const fits: readonly LogoFit[] = sizes
  .flatMap((sizePercent) =>
    steps
      .flatMap((downModules) =>
        steps.map((rightModules) => ({ sizePercent, rightModules, downModules })),
      )
      .sort((a, b) => movedBy(a) - movedBy(b)),
  )
  .slice(1);

function movedBy({ rightModules, downModules }: LogoFit): number {
  return Math.abs(rightModules) + Math.abs(downModules);
}

/**
 * Finds the nearest of the fully steady drawings, or the nearest of the steadiest where there is none.
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
  // Most logos have a fully steady drawing, and most others show at once that they are not.
  const partly: LogoFit[] = [];
  for (const logoFit of fits) {
    const steadiness = steadinessOf(logoFit, fullySteady);
    if (steadiness === null) partly.push(logoFit);
    const found = steadiness === fullySteady ? await accepted(logoFit) : null;
    if (found !== null) return found;
  }
  let best: T | null = null;
  let steadiest = asSet;
  for (const logoFit of partly) {
    const steadiness = steadinessOf(logoFit, steadiest + 1) ?? 0;
    const found = steadiness > steadiest ? await accepted(logoFit) : null;
    if (found !== null) [best, steadiest] = [found, steadiness];
  }
  return best;
}
