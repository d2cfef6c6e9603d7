import type { ReadabilityResult } from '../../core/designs/design.ts';
import type { Picture } from '../path/picture.ts';
import { adviceFor } from './advice.ts';
import { assessPlaced, placementText } from './placement.ts';

/**
 * Checks whether phones would read a picture: measures it, compares the measures with the limits (faults.ts),
 * and decodes simulated captures. Looks for a logo
 * placement that misleads no scanner or, if the picture is rejected, for changes that pass. Deterministic.
 */
export function checkReadability(picture: Picture, shortLink: string): ReadabilityResult {
  const { design, faults, cautions, score } = assessPlaced(picture, shortLink);
  const isReadable = faults.length === 0;
  const isPlacementChosen = design !== picture.design && design.logoPlacement !== undefined;
  const weaknesses = isPlacementChosen
    ? [placementText(design.logoPlacement), ...cautions]
    : cautions;
  return {
    isReadable,
    score,
    reasons: isReadable ? weaknesses : faults.map(({ text }) => text),
    advice: isReadable ? null : adviceFor(picture.design, shortLink, faults),
    logoPlacement: design.logoPlacement ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}
