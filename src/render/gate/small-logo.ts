import type { Logo } from '../../core/design.ts';
import { makeGenerationalCache } from '../../core/generational-cache.ts';
import type { Box } from '../layout.ts';
import { digestOf } from '../logo/digest.ts';
import { decodeRgbaPng } from '../logo/pixels.ts';
import { reduce } from '../logo/scale.ts';
import { type Texels, texelsOf } from './logo-texels.ts';

/** Pixels of the small logo for each that is drawn: enough that drawing it loses nothing. */
const oversampling = 2;

/**
 * By digest and size: an account uses one logo for thousands of codes. A logo takes a megabyte at most,
 * and few more than a tenth.
 */
const knownTexelsBytes = 2 ** 22;
const knownTexels = makeGenerationalCache<string, Texels>(
  knownTexelsBytes,
  ({ rgba }) => rgba.byteLength,
);

/**
 * A logo no larger than a drawing of so many pixels a module can show, ready to be drawn in a box of
 * modules. A photograph of 512 pixels would take several times as long to draw.
 */
export function smallTexels(logo: Logo, box: Box, pxPerModule: number): Texels {
  const sidePx = smallSidePx(box, pxPerModule);
  const key = `${digestOf(logo)} ${sidePx}`;
  const known = knownTexels.get(key);
  if (known !== undefined) return known;
  const texels = texelsOf(reduce(decodeRgbaPng(logo.png), sidePx));
  knownTexels.set(key, texels);
  return texels;
}

function smallSidePx({ width, height }: Box, pxPerModule: number): number {
  return Math.max(1, Math.ceil(Math.max(width, height) * pxPerModule * oversampling));
}
