import { type Design, type LogoPlacement, withLogoPlacement } from '../../core/designs/design.ts';
import { type Layout, layoutOf } from '../symbol/layout.ts';
import { type Matrix, matrixOf } from '../symbol/matrix.ts';
import { type CaptionOutline, placeCaption } from './caption.ts';
import type { Path } from './path.ts';
import { type Fill, fillsOf } from './shapes.ts';

/** A symbol as a design draws it. */
export interface Picture {
  readonly design: Design;
  readonly matrix: Matrix;
  readonly layout: Layout;
  /** The dark parts without the logo and the caption. */
  readonly fills: readonly Fill[];
  /** The letters of the caption in the colour of the pattern. */
  readonly caption?: Path;
}

/**
 * Encodes a link and lays it out.
 *
 * @param outline of the design's caption, see `loadCaption`
 * @throws RangeError when the link cannot be encoded
 */
export function pictureOf(
  shortLink: string,
  design: Design,
  matrix = matrixOf(shortLink),
  outline?: CaptionOutline,
): Picture {
  const layout = layoutOf(matrix.side, design);
  const fills = fillsOf(matrix, layout, design);
  if (design.caption === undefined) return { design, matrix, layout, fills };
  if (outline === undefined) throw new Error('The outline of the caption is not loaded');
  const caption = placeCaption(outline, layout, design.captionPlace ?? 'below');
  return { design, matrix, layout, fills, caption };
}

/** Returns the picture without its caption, which lies beyond the quiet zone. */
export function withoutCaption(picture: Picture): Picture {
  const { caption: _letters, design: captioned, ...rest } = picture;
  const { caption: _, captionPlace: _place, ...design } = captioned;
  return { ...rest, design, layout: layoutOf(picture.matrix.side, design) };
}

/** Returns the picture with another logo placement. Null means centered. */
export function withPlacement(picture: Picture, placement: LogoPlacement | null): Picture {
  const design = withLogoPlacement(picture.design, placement);
  // The patch stays in place, and so do the modules.
  return { ...picture, design, layout: layoutOf(picture.matrix.side, design) };
}

/** Returns the modules along one side, quiet zones and the strip of a caption included. */
export function totalModules({ side, quietZoneModules, captionModules }: Layout): number {
  return side + 2 * quietZoneModules + captionModules;
}
