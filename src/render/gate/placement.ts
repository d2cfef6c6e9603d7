import type { LogoPlacement } from '../../core/designs/design.ts';
import { fittedPicture, type Picture } from '../draw/svg.ts';
import { createAlignmentMargin, toleratedModules } from './alignment.ts';
import { type Assessment, type Measured, measure, rejected } from './assessment.ts';
import { misalignmentFault } from './reasons.ts';

/** Assessment of a picture with the logo where it misleads no scanner. */
export interface PlacedAssessment {
  /** Null for the placement that the design sets. */
  readonly logoPlacement: LogoPlacement | null;
  readonly assessment: Assessment;
}

/** Smallest alignment margin with which a picture is accepted. */
const sufficient = toleratedModules + 1;

/** Margin that ends the search: in a picture of another size one or two modules more match. */
const comfortable = sufficient + 2;

/**
 * Assesses a picture with the nearest logo placement that misleads no scanner. A placement that the design
 * already has is kept. Deterministic.
 */
export function assessPlaced(picture: Picture, shortLink: string): PlacedAssessment {
  const asSet = measure(picture, shortLink);
  // Another placement helps against a misleading logo only.
  if (asSet.faults.length > 0) return { logoPlacement: null, assessment: asSet.decode() };
  const marginOf = createAlignmentMargin(picture);
  let margin = marginOf(picture.layout, sufficient);
  let best: { logoPlacement: LogoPlacement | null; measured: Measured } | null =
    margin >= sufficient ? { logoPlacement: null, measured: asSet } : null;
  const candidates = picture.design.logoPlacement === undefined ? placements : [];
  for (const logoPlacement of candidates) {
    if (margin >= comfortable) break;
    const placed = fittedPicture(picture, logoPlacement);
    const atLeast = Math.max(sufficient, margin + 1);
    const found = marginOf(placed.layout, atLeast);
    if (found < atLeast) continue;
    const measured = measure(placed, shortLink);
    if (measured.faults.length === 0) [best, margin] = [{ logoPlacement, measured }, found];
  }
  if (best === null) {
    return { logoPlacement: null, assessment: rejected(asSet.measures, [misalignmentFault]) };
  }
  return { logoPlacement: best.logoPlacement, assessment: best.measured.decode() };
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

/** Returns how visible a change is: a module aside about as much as a tenth of the size. */
function visibility({ sizePercent, rightModules, downModules }: LogoPlacement): number {
  return (100 - sizePercent) / 10 + Math.hypot(rightModules, downModules);
}

/** Describes how and why a logo placement differs from the design. */
export function placementText({ sizePercent, rightModules, downModules }: LogoPlacement): string {
  const changes = [
    ...(sizePercent < 100 ? [`at ${sizePercent} % of the size you set`] : []),
    ...(rightModules !== 0 || downModules !== 0 ? ['a little off the middle'] : []),
  ];
  return `The logo is drawn ${changes.join(' and ')}, because as set a part of it lies where some scanners take it for a pattern of the code. The placement is chosen for each code and does not change later.`;
}
