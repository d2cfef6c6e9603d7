import type { Logo } from '../../core/design.ts';
import type { Box } from '../layout.ts';
import { digestOf } from '../logo/digest.ts';
import { decodeRgbaPng, encodeRgbaPng } from '../logo/pixels.ts';
import { reduce } from '../logo/scale.ts';
import type { Picture } from '../svg.ts';
import { type Texels, texelsOf } from './logo-brush.ts';

/** Pixels of the small logo for each that is drawn: enough that drawing it loses nothing. */
const oversampling = 2;

/** By digest and size: an account uses one logo for thousands of codes. */
const knownLogos = new Map<string, Logo>();
const knownLimit = 64;

/**
 * The same picture with a logo no larger than a drawing of so many pixels a module can show. A
 * photograph of 512 pixels would take five times as long to decode as all the rest to draw.
 */
export function withSmallLogo(picture: Picture, pxPerModule: number): Picture {
  const { design, layout } = picture;
  if (design.logo === null || layout.logo === null) return picture;
  const sidePx = smallSidePx(layout.logo, pxPerModule);
  if (Math.max(design.logo.widthPx, design.logo.heightPx) <= sidePx) return picture;

  const key = `${digestOf(design.logo)} ${sidePx}`;
  const logo = knownLogos.get(key) ?? reduced(design.logo, sidePx);
  if (knownLogos.size >= knownLimit) knownLogos.clear();
  knownLogos.set(key, logo);
  return { ...picture, design: { ...design, logo } };
}

function reduced(logo: Logo, sidePx: number): Logo {
  const pixels = reduce(decodeRgbaPng(logo.png), sidePx);
  return { png: encodeRgbaPng(pixels), widthPx: pixels.widthPx, heightPx: pixels.heightPx };
}

/** By digest and size too, but not packed: a logo takes a megabyte at most, and few more than a tenth. */
const knownTexels = new Map<string, Texels>();
const knownTexelsBytes = 2 ** 23;

/** The pixels of that small logo, ready to be drawn in a box of modules. */
export function smallTexels(logo: Logo, box: Box, pxPerModule: number): Texels {
  const sidePx = smallSidePx(box, pxPerModule);
  const key = `${digestOf(logo)} ${sidePx}`;
  const known = knownTexels.get(key);
  if (known !== undefined) return known;

  const texels = texelsOf(reduce(decodeRgbaPng(logo.png), sidePx));
  const bytes = [texels, ...knownTexels.values()].reduce((sum, { rgba }) => sum + rgba.length, 0);
  if (bytes > knownTexelsBytes) knownTexels.clear();
  knownTexels.set(key, texels);
  return texels;
}

function smallSidePx({ width, height }: Box, pxPerModule: number): number {
  return Math.max(1, Math.ceil(Math.max(width, height) * pxPerModule * oversampling));
}
