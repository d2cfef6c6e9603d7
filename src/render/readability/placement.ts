import type { LogoPlacement } from '../../core/designs/design.ts';
import type { ReadabilityReason } from '../../core/designs/readability.ts';
import { type Picture, withPlacement } from '../path/picture.ts';
import { createAlignmentMargin, toleratedModules } from './alignment.ts';
import { type Assessment, assess, type Measured, measure } from './assessment.ts';
import { misalignmentFault } from './faults.ts';

/** Smallest alignment margin with which a picture is accepted. */
const sufficient = toleratedModules + 1;

/** Margin that ends the search: in a picture of another size one or two modules more match. */
const comfortable = sufficient + 2;

/**
 * Assesses a picture with the least changed logo placement that misleads no scanner.
 * A placement that the design already has is kept. Deterministic.
 *
 * @returns the assessment, whose design has the placement
 */
export function assessPlaced(picture: Picture, shortLink: string): Assessment {
  const asSet = measure(picture);
  // Another placement helps against a misleading logo only.
  if (asSet.faults.length > 0) return assess(asSet, shortLink);
  const marginOf = createAlignmentMargin(picture);
  let margin = marginOf(picture.layout, sufficient);
  let best: Measured = margin >= sufficient ? asSet : { ...asSet, faults: [misalignmentFault] };
  const candidates = picture.design.logoPlacement === undefined ? placements : [];
  for (const placement of candidates) {
    if (margin >= comfortable) break;
    const placed = withPlacement(picture, placement);
    const atLeast = Math.max(sufficient, margin + 1);
    const found = marginOf(placed.layout, atLeast);
    if (found < atLeast) continue;
    const measured = measure(placed);
    if (measured.faults.length === 0) [best, margin] = [measured, found];
  }
  return assess(best, shortLink);
}

/** Sizes of the logo in percent of the size that is set, in the order in which they are tried. */
const sizesPercent = [100, 95, 90, 85, 80, 75, 70, 65] as const;

/** Offsets to the right or down, in modules. */
const offsetsModules = [0, 0.5, -0.5, 1, -1, 1.5, -1.5] as const;

/** All placements but the design's, the least visible change first. */
const placements: readonly LogoPlacement[] = sizesPercent
  .flatMap((sizePercent) =>
    offsetsModules.flatMap((downModules) =>
      offsetsModules.map((rightModules) => ({ sizePercent, rightModules, downModules })),
    ),
  )
  .sort((a, b) => visibility(a) - visibility(b))
  .slice(1);

/** Returns how visible a change is: an offset of a module counts like a tenth of the size. */
function visibility({ sizePercent, rightModules, downModules }: LogoPlacement): number {
  return (100 - sizePercent) / 10 + Math.hypot(rightModules, downModules);
}

/** Returns how a logo placement differs from the design. */
export function placementReason({
  sizePercent,
  rightModules,
  downModules,
}: LogoPlacement): ReadabilityReason {
  const isMoved = rightModules !== 0 || downModules !== 0;
  return { kind: 'logo placed elsewhere', sizePercent, isMoved };
}
