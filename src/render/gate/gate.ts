import type { Verdict } from '../../core/design.ts';
import type { Picture } from '../svg.ts';
import { adviceFor } from './advice.ts';
import { measured } from './examination.ts';
import { fitText, fittedExamination } from './logo-fit.ts';
import { steadinessIn } from './steady.ts';

/**
 * Judges whether a phone would read a picture: measures it, scans it as a camera would, looks for a
 * drawing of the logo that misleads no scanner, and for a refused design for the nearest one that
 * passes. The same picture always gets the same verdict.
 */
export async function verdictOf(picture: Picture, shortLink: string): Promise<Verdict> {
  const steadinessOf = steadinessIn(picture);
  const steadiness = steadinessOf(picture.layout, 1) ?? 0;
  const asSet = measured(picture, shortLink, steadiness > 0);
  const known = { faults: asSet.faults, steadiness };
  const fitted = await fittedExamination(picture, shortLink, known, steadinessOf);
  const { faults, cautions, score } = fitted?.examination ?? asSet.scanned();
  const readable = faults.length === 0;
  const weaknesses = fitted === null ? cautions : [fitText(fitted.logoFit), ...cautions];
  return {
    readable,
    score,
    reasons: readable ? weaknesses : faults.map(({ text }) => text),
    advice: readable ? null : await adviceFor(picture.design, shortLink, faults),
    logoFit: fitted?.logoFit ?? picture.design.logoFit ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
