import type { Logo } from '../core/designs/design.ts';
import type { ScreenImage } from '../core/designs/screen-images.ts';
import { reduce } from './logo/resample.ts';
import { type Picture, totalModules } from './path/picture.ts';
import { pngOf } from './path/png.ts';
import { decodeRgbaPng, encodeRgbaPng } from './png/rgba.ts';

/** Fewer pixels would melt modules into grey. */
const minPxPerModule = 2;

/** WebP qualities, tried until the picture is small enough. */
const qualities = [80, 60, 40, 20] as const;

/** Draws a picture for a page: a PNG, or a WebP where a logo makes that too large. */
export function screenImageOf(
  picture: Picture,
  { widthPx, maxBytes }: ScreenImage,
): Promise<Uint8Array> {
  const modules = totalModules(picture.layout);
  const pxPerModule = Math.max(minPxPerModule, Math.round(widthPx / modules));
  return fitted(pngOf(picture, pxPerModule * modules), maxBytes);
}

/** Draws a logo for a page, in the same formats. */
export async function logoThumbnail(
  { png }: Logo,
  { widthPx, maxBytes }: ScreenImage,
): Promise<Uint8Array> {
  const reduced = encodeRgbaPng(reduce(decodeRgbaPng(png), widthPx));
  return fitted(await new Bun.Image(reduced).png().bytes(), maxBytes);
}

async function fitted(png: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  let smallest = png;
  for (const quality of qualities) {
    if (smallest.length <= maxBytes) break;
    smallest = await new Bun.Image(png).webp({ quality }).bytes();
  }
  return smallest;
}
