import type { LogoFit } from '../../core/design.ts';
import { nextTurn } from '../../core/next-turn.ts';
import { fittedPicture, type Picture } from '../svg.ts';
import { type Examination, examine } from './examination.ts';
import type { Finding } from './faults.ts';
import { steadiestFit } from './logo-search.ts';
import { fullySteady, type Steadiness } from './steady.ts';

/** A drawing of the logo that passes, and what was found out about it. */
export interface Fitted {
  readonly logoFit: LogoFit;
  readonly examination: Examination;
}

/**
 * Looks for the drawing of the logo that is nearest to what is set and bends no scanner's grid; where
 * none is fully steady, for the nearest of the steadiest. Most logos need no search: only in symbols of
 * version 7 and more they hide an alignment pattern.
 *
 * @param picture with the logo as set
 * @param asSet what the measures find wrong with it, and how steady it is
 * @returns null when there is no better drawing: because something else is wrong with the design,
 *   because none of the others is steadier, or because the design says already how its logo is drawn
 */
export async function fittedExamination(
  picture: Picture,
  shortLink: string,
  asSet: { faults: readonly Finding[]; steadiness: number },
  steadinessOf: Steadiness,
): Promise<Fitted | null> {
  const { design } = picture;
  if (asSet.steadiness === fullySteady) return null;
  if (design.logo === null || design.logoFit !== undefined) return null;
  if (asSet.faults.length > 0) return null;

  const examined = async (logoFit: LogoFit) => {
    // The native renderer frees its pixels only when the event loop turns.
    await nextTurn();
    const examination = examine(fittedPicture(picture, logoFit), shortLink, true);
    return examination.faults.length === 0 ? { logoFit, examination } : null;
  };
  const steadinessAt = (logoFit: LogoFit, atLeast: number) =>
    steadinessOf(fittedPicture(picture, logoFit).layout, atLeast);
  const likely = await steadiestFit(steadinessAt, asSet.steadiness, (logoFit) => logoFit);
  if (likely === null) return null;
  // Examining takes as long as many drawings: only when this one is refused are others examined.
  return (await examined(likely)) ?? (await steadiestFit(steadinessAt, asSet.steadiness, examined));
}

/** Says to the account holder what is drawn otherwise than set, and why. */
export function fitText({ sizePercent, rightModules, downModules }: LogoFit): string {
  const drawn = [
    ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
    ...(rightModules !== 0 || downModules !== 0 ? ['a little off the middle'] : []),
  ];
  return `The logo is drawn ${drawn.join(' and ')}, because as set a part of it lies where some scanners take it for a pattern of the code. Each code is fitted by itself and keeps its picture.`;
}
