import type { LogoPlacement } from '../../core/designs/design.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { fittedPicture, type Picture } from '../draw/svg.ts';
import { type Examination, measured } from './examination.ts';
import { steadiestFit } from './logo-search.ts';
import { codeLogoFault } from './reasons.ts';
import { fullySteady, type Steadiness, steadinessIn } from './steady.ts';

/** A picture as codes wear it, and what was found out about it. */
export interface Fitted {
  /** Null for the logo as the design sets it. */
  readonly logoFit: LogoPlacement | null;
  readonly examination: Examination;
}

/**
 * Measures a picture and scans it, with its logo drawn so that it misleads no scanner: in the drawing
 * that is nearest to what is set and bends no grid, or where none is fully steady, in the nearest of the
 * steadiest. Most logos need no search: only in symbols of version 7 and more they hide an alignment
 * pattern. The same picture always gives the same answer.
 */
export async function examineFitted(picture: Picture, shortLink: string): Promise<Fitted> {
  const asSet = measured(picture, shortLink);
  // Where something else is wrong, no drawing helps.
  if (asSet.faults.length > 0) return { logoFit: null, examination: asSet.scanned(true) };
  const steadinessOf = steadinessIn(picture);
  const steadiness = steadinessOf(picture.layout, 1) ?? 0;
  // A code that is printed keeps its drawing.
  const fitted =
    steadiness < fullySteady && picture.design.logoPlacement === undefined
      ? await steadiestPassing(picture, shortLink, steadiness, steadinessOf)
      : null;
  return fitted ?? { logoFit: null, examination: asSet.scanned(steadiness > 0) };
}

/** Examining takes as long as many drawings, and what the scans refuse of one they mostly refuse of the next. */
const mostExamined = 8;

/**
 * The steadiest drawing that passes.
 *
 * @param asSet how steady the drawing is that is set
 * @returns null when none of the others that passes is steadier; what was found out where no drawing helps
 */
async function steadiestPassing(
  picture: Picture,
  shortLink: string,
  asSet: number,
  steadinessOf: Steadiness,
): Promise<Fitted | null> {
  const examined = async (logoFit: LogoPlacement): Promise<Fitted> => {
    // The native renderer frees its pixels only when the event loop turns.
    await yieldToEventLoop();
    const examination = measured(fittedPicture(picture, logoFit), shortLink).scanned(true);
    return { logoFit, examination };
  };
  const steadinessAt = (logoFit: LogoPlacement, atLeast: number) =>
    steadinessOf(fittedPicture(picture, logoFit).layout, atLeast);
  const likely = await steadiestFit(steadinessAt, asSet, (logoFit) => logoFit);
  if (likely === null) return null;
  // Only when this one is refused are others examined.
  const first = await examined(likely);
  if (passes(first)) return first;
  if (first.examination.faults.includes(codeLogoFault)) return { ...first, logoFit: null };
  let left = mostExamined;
  return steadiestFit(steadinessAt, asSet, async (logoFit) => {
    if (left === 0) return null;
    left--;
    const next = await examined(logoFit);
    return passes(next) ? next : null;
  });
}

function passes({ examination }: Fitted): boolean {
  return examination.faults.length === 0;
}

/** Says to the account holder what is drawn otherwise than set, and why. */
export function fitText({ sizePercent, rightModules, downModules }: LogoPlacement): string {
  const drawn = [
    ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
    ...(rightModules !== 0 || downModules !== 0 ? ['a little off the middle'] : []),
  ];
  return `The logo is drawn ${drawn.join(' and ')}, because as set a part of it lies where some scanners take it for a pattern of the code. Each code is fitted by itself and keeps its picture.`;
}
