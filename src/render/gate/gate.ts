import type { Verdict } from '../../core/designs/design.ts';
import type { Picture } from '../draw/svg.ts';
import { adviceFor } from './advice.ts';
import { examineFitted, fitText } from './logo-fit.ts';

/**
 * Judges whether a phone would read a picture: measures it, scans it as a camera would, looks for a
 * drawing of the logo that misleads no scanner, and for a refused design for the nearest one that
 * passes. The same picture always gets the same verdict.
 */
export async function verdictOf(picture: Picture, shortLink: string): Promise<Verdict> {
  const { logoFit, examination } = await examineFitted(picture, shortLink);
  const { faults, cautions, score } = examination;
  const readable = faults.length === 0;
  const weaknesses = logoFit === null ? cautions : [fitText(logoFit), ...cautions];
  return {
    readable,
    score,
    reasons: readable ? weaknesses : faults.map(({ text }) => text),
    advice: readable ? null : await adviceFor(picture.design, shortLink, faults),
    logoFit: logoFit ?? picture.design.logoFit ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
