import { blackAndWhiteCaution } from '../../core/designs/black-and-white.ts';
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { type Picture, totalModules, withPlacement } from '../path/picture.ts';
import { svgOf } from '../path/svg.ts';
import { drawWithResvg } from '../resvg.ts';
import { adviceFor } from './advice.ts';
import { pxPerModule, readBack } from './assessment.ts';
import { lightOf } from './light.ts';
import { assessPlaced, placementReason } from './placement.ts';

/**
 * Checks whether phones would read a picture.
 * Measures it, compares the measures with the limits (faults.ts), and decodes simulated captures. Looks for a logo
 * placement that misleads no scanner or, if the picture is rejected, for changes that pass. Deterministic.
 */
export function checkReadability(picture: Picture, shortLink: string): ReadabilityResult {
  const { design, faults, cautions, score } = assessPlaced(picture, shortLink);
  const isReadable = faults.length === 0;
  const isPlacementChosen = design !== picture.design && design.logoPlacement !== undefined;
  const weaknesses = isPlacementChosen
    ? [placementReason(design.logoPlacement), ...cautions]
    : cautions;
  return {
    isReadable,
    score,
    reasons: isReadable ? weaknesses : faults.map(({ reason }) => reason),
    advice: isReadable ? null : adviceFor(picture.design, shortLink, faults),
    logoPlacement: design.logoPlacement ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
  };
}

/**
 * Checks readability, and has the SVG of a readable picture drawn by resvg and read back as well.
 * Phones meet the SVG as other programs draw it, and resvg shares no code with our rasterizer.
 *
 * @param svg as it is downloaded
 */
export async function checkReadabilityWithResvg(
  picture: Picture,
  shortLink: string,
  svg = svgOf,
): Promise<ReadabilityResult> {
  const result = checkReadability(picture, shortLink);
  if (!result.isReadable) return result;
  const placed = withPlacement(picture, result.logoPlacement);
  const drawn = await drawWithResvg(svg(placed), totalModules(placed.layout) * pxPerModule);
  if (readBack(placed, lightOf(drawn, pxPerModule), shortLink).length === 0) {
    const caution = blackAndWhiteCaution(picture.design);
    return caution === null ? result : { ...result, reasons: [...result.reasons, caution] };
  }
  return {
    ...result,
    isReadable: false,
    score: Math.min(49, result.score),
    reasons: [{ kind: 'not read as SVG' }],
  };
}
