import type { Verdict } from '../../core/design.ts';
import type { Picture } from '../svg.ts';
import { adviceFor } from './advice.ts';
import { examine } from './examination.ts';
import { fitText, fittedExamination } from './logo-fit.ts';
import { steadinessIn } from './steady.ts';

/**
 * Judges whether a phone would read a picture: measures it, scans it as a camera would, looks for a
 * drawing of the logo that misleads no scanner, and for a refused design for the nearest one that
 * passes. The same picture always gets the same verdict.
 */
export async function verdictOf(picture: Picture, shortLink: string): Promise<Verdict> {
  const steadinessOf = steadinessIn(picture);
  const steadiness = steadinessOf(picture.layout);
  const asSet = { examination: examine(picture, shortLink, steadiness !== null), steadiness };
  const fitted = await fittedExamination(picture, shortLink, asSet, steadinessOf);
  const { faults, cautions, score } = fitted?.examination ?? asSet.examination;
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
