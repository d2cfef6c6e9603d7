import type { Logo } from '../../core/designs/design.ts';
import { createCache } from '../../lib/cache.ts';
import { decodeRgbaPng, digestOf, type Pixels, reduce } from '../logo/pixels.ts';
import type { Box } from '../symbol/layout.ts';
import { type Texels, texelsOf } from './logo-texels.ts';

/** Pixels of the small logo for each that is drawn: enough that drawing it loses nothing. */
const oversampling = 2;

/**
 * By digest and size: an account uses one logo for thousands of codes. A logo takes a megabyte at most,
 * half of that in a PNG as it comes, and a fiftieth in the picture that the gate measures.
 */
const knownTexelsBytes = 2 ** 22;
const knownTexels = createCache<string, Texels>(knownTexelsBytes, ({ rgba }) => rgba.byteLength);

/** A logo no larger than a drawing of so many pixels a module can show, ready to be drawn in a box of modules. */
export function smallTexels(logo: Logo, box: Box, pxPerModule: number): Texels {
  const key = `${digestOf(logo)} ${smallSidePx(box, pxPerModule)}`;
  const known = knownTexels.get(key);
  if (known !== undefined) return known;
  const texels = texelsOf(smallLogo(logo, box, pxPerModule));
  knownTexels.set(key, texels);
  return texels;
}

/**
 * Its pixels. The rasterizer mixes each pixel that it draws of sixteen of the image and leaves out those
 * between them, so that fine lines of a larger one would tear.
 */
export function smallLogo(logo: Logo, box: Box, pxPerModule: number): Pixels {
  return reduce(decodeRgbaPng(logo.png), smallSidePx(box, pxPerModule));
}

function smallSidePx({ width, height }: Box, pxPerModule: number): number {
  return Math.max(1, Math.ceil(Math.max(width, height) * pxPerModule * oversampling));
}
