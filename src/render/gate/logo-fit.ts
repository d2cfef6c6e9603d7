import type { LogoFit } from '../../core/design.ts';
import { fittedPicture, type Picture } from '../svg.ts';
import { type Examination, examine } from './examination.ts';
import { lookalikeFault } from './faults.ts';
import { fullySteady, type Steadiness } from './steady.ts';

/** A drawing of the logo that passes, and what was found out about it. */
export interface Fitted {
  readonly logoFit: LogoFit;
  readonly examination: Examination;
}

/** Percent of the size that is set: a tenth less is hardly seen without the two side by side. */
const sizes = [100, 95, 90] as const;

/** Steps to the right and down, in modules, of which these symbols have 45 or more on a side. */
const steps = [0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75] as const;

/** What is changed least comes first. */
const fits: readonly LogoFit[] = sizes.flatMap((sizePercent) =>
  steps
    .flatMap((downModules) =>
      steps.map((rightModules) => ({ sizePercent, rightModules, downModules })),
    )
    .sort((a, b) => movedBy(a) - movedBy(b)),
);

function movedBy({ rightModules, downModules }: LogoFit): number {
  return Math.abs(rightModules) + Math.abs(downModules);
}

/**
 * Looks for the drawing of the logo that is nearest to what is set and bends no scanner's grid; where
 * none is fully steady, for the nearest of the steadiest. Most logos need no search: only in symbols of
 * version 7 and more they hide an alignment pattern.
 *
 * @param picture with the logo as set
 * @param asSet what was found out about it, and how steady it is
 * @returns null when there is no better drawing: because something else is wrong with the design,
 *   because none of the others is steadier, or because the design says already how its logo is drawn
 */
export async function fittedExamination(
  picture: Picture,
  shortLink: string,
  asSet: { examination: Examination; steadiness: number | null },
  steadinessOf: Steadiness,
): Promise<Fitted | null> {
  const { design } = picture;
  if (asSet.steadiness === fullySteady) return null;
  if (design.logo === null || design.logoFit !== undefined) return null;
  if (asSet.examination.faults.some((fault) => fault !== lookalikeFault)) return null;
  let best: Fitted | null = null;
  let steadiest = asSet.steadiness ?? 0;
  for (const logoFit of fits.slice(1)) {
    const fitted = fittedPicture(picture, logoFit);
    const steadiness = steadinessOf(fitted.layout, steadiest + 1);
    if (steadiness === null) continue;
    // The native renderer frees its pixels only when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
    const examination = examine(fitted, shortLink, true);
    if (examination.faults.length > 0) continue;
    best = { logoFit, examination };
    steadiest = steadiness;
    if (steadiness === fullySteady) break;
  }
  return best;
}

/** Says to the account holder what is drawn otherwise than set, and why. */
export function fitText({ sizePercent, rightModules, downModules }: LogoFit): string {
  const drawn = [
    ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
    ...(rightModules !== 0 || downModules !== 0 ? ['a little off the middle'] : []),
  ];
  return `The logo is drawn ${drawn.join(' and ')}, because as set a part of it lies where some scanners take it for a pattern of the code. Each code is fitted by itself and keeps its picture.`;
}
