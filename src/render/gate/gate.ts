import type { Verdict } from '../../core/design.ts';
import type { Picture } from '../svg.ts';
import { adviceFor } from './advice.ts';
import { examine } from './examination.ts';

/**
 * Judges whether a phone would read a picture: measures it, scans it as a camera would, and for a
 * refused design looks for the nearest one that passes. The same picture always gets the same verdict.
 */
export async function verdictOf(picture: Picture, shortLink: string): Promise<Verdict> {
  const { faults, cautions, score } = examine(picture, shortLink);
  const readable = faults.length === 0;
  return {
    readable,
    score,
    reasons: readable ? cautions : faults.map(({ text }) => text),
    advice: readable ? null : await adviceFor(picture.design, shortLink, faults),
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
