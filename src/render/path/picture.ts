import { type Design, type LogoPlacement, withLogoPlacement } from '../../core/designs/design.ts';
import { type Layout, layoutOf } from '../symbol/layout.ts';
import { type Matrix, matrixOf } from '../symbol/matrix.ts';
import { type Fill, fillsOf } from './shapes.ts';

/** A symbol as a design draws it. */
export interface Picture {
  readonly design: Design;
  readonly matrix: Matrix;
  readonly layout: Layout;
  /** The dark parts without the logo. */
  readonly fills: readonly Fill[];
}

/** Encodes a link and lays it out. @throws RangeError when the link cannot be encoded */
export function pictureOf(
  shortLink: string,
  design: Design,
  matrix = matrixOf(shortLink),
): Picture {
  const layout = layoutOf(matrix.side, design);
  return { design, matrix, layout, fills: fillsOf(matrix, layout, design) };
}

/** Returns the picture with another logo placement. Null means centered. */
export function withPlacement(picture: Picture, placement: LogoPlacement | null): Picture {
  const design = withLogoPlacement(picture.design, placement);
  // The patch stays in place, and so do the modules.
  return { ...picture, design, layout: layoutOf(picture.matrix.side, design) };
}

/** Returns the modules along one side, quiet zones included. */
export function totalModules({ side, quietZoneModules }: Layout): number {
  return side + 2 * quietZoneModules;
}
