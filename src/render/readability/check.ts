import { blackAndWhiteCaution } from '../../core/designs/black-and-white.ts';
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { type Picture, totalModules, withoutCaption, withPlacement } from '../path/picture.ts';
import { svgOf } from '../path/svg.ts';
import { drawWithResvg } from '../resvg.ts';
import { adviceFor } from './advice.ts';
import { lightMapOf, pxPerModule, readBack } from './assessment.ts';
import { lightOf } from './light.ts';
import { assessPlaced, placementReason } from './placement.ts';

/**
 * Checks whether phones would read a picture.
 * Measures it, compares the measures with the limits (faults.ts), and decodes simulated captures. Looks for a logo
 * placement that misleads no scanner or, if the picture is rejected, for changes that pass. Deterministic.
 */
export function checkReadability(captioned: Picture, shortLink: string): ReadabilityResult {
  // A caption is beyond the quiet zone, where measures do not look: its captures are decoded below.
  const picture = captioned.caption === undefined ? captioned : withoutCaption(captioned);
  const assessment = assessPlaced(picture, shortLink);
  const { design, cautions, score } = assessment;
  const placed = withPlacement(captioned, design.logoPlacement ?? null);
  const captionFaults =
    captioned.caption === undefined || assessment.faults.length > 0
      ? []
      : readBack(placed, lightMapOf(placed), shortLink);
  const faults = [...assessment.faults, ...captionFaults];
  const isReadable = faults.length === 0;
  const isPlacementChosen = design !== picture.design && design.logoPlacement !== undefined;
  const weaknesses = isPlacementChosen
    ? [placementReason(design.logoPlacement), ...cautions]
    : cautions;
  return {
    isReadable,
    score: captionFaults.length > 0 ? Math.min(49, score) : score,
    reasons: isReadable ? weaknesses : faults.map(({ reason }) => reason),
    advice: isReadable ? null : adviceFor(picture.design, shortLink, faults),
    logoPlacement: design.logoPlacement ?? null,
    modules: picture.layout.side,
    quietZoneModules: picture.layout.quietZoneModules,
    ...(captioned.caption !== undefined && { captionModules: captioned.layout.captionModules }),
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
