import type { ReadabilityResult } from '../../core/designs/design.ts';
import type { Picture } from '../draw/svg.ts';
import { adviceFor } from './advice.ts';
import { examineFitted, fitText } from './logo-fit.ts';

/**
 * Judges whether a phone would read a picture: measures it, scans it as a camera would, looks for a
 * drawing of the logo that misleads no scanner, and for a refused design for the nearest one that
 * passes. The same picture always gets the same verdict.
 */
export async function verdictOf(picture: Picture, shortLink: string): Promise<ReadabilityResult> {
  const { logoFit, examination } = await examineFitted(picture, shortLink);
  const { faults, cautions, score } = examination;
  const isReadable = faults.length === 0;
  const weaknesses = logoFit === null ? cautions : [fitText(logoFit), ...cautions];
  return {
    isReadable,
    score,
    reasons: isReadable ? weaknesses : faults.map(({ text }) => text),
    advice: isReadable ? null : await adviceFor(picture.design, shortLink, faults),
    logoPlacement: logoFit ?? picture.design.logoPlacement ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
