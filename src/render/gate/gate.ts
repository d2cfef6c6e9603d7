import type { ReadabilityResult } from '../../core/designs/design.ts';
import type { Picture } from '../draw/svg.ts';
import { adviceFor } from './advice.ts';
import { assessPlaced, placementText } from './placement.ts';

/**
 * Checks whether phones would read a picture: measures it, decodes simulated captures of it, and
 * looks for a logo placement that misleads no scanner, or for the nearest design that passes.
 * Deterministic.
 */
export function checkReadability(picture: Picture, shortLink: string): ReadabilityResult {
  const { logoPlacement, assessment } = assessPlaced(picture, shortLink);
  const { faults, cautions, score } = assessment;
  const isReadable = faults.length === 0;
  const weaknesses =
    logoPlacement === null ? cautions : [placementText(logoPlacement), ...cautions];
  return {
    isReadable,
    score,
    reasons: isReadable ? weaknesses : faults.map(({ text }) => text),
    advice: isReadable ? null : adviceFor(picture.design, shortLink, faults),
    logoPlacement: logoPlacement ?? picture.design.logoPlacement ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
