import type { Logo } from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/errors.ts';
import { encodeRgbaPng, type Pixels } from '../png/rgba.ts';
import { visibleAlpha } from './decoded.ts';
import { decodeRaster } from './raster.ts';
import { reduce } from './resample.ts';
import { drawSvg } from './svg.ts';

/**
 * Longer sides at which a logo is stored, the first that stays below the bound: 512 for drawings (20 mm
 * at 600 dpi), less for photographs. 256 × 256 pixels are below the bound even as noise.
 */
const storedSidesPx = [512, 384, 256] as const;

/** The logo is part of every SVG that is downloaded. */
const maxStoredBytes = 300_000;

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

/**
 * Converts an uploaded PNG, JPEG, WebP or SVG, detected from the content, to the form in which a logo is
 * stored: a PNG (8-bit RGBA, upright, no metadata) of at most 512 pixels and 300 kB. Equal bytes give equal
 * logos.
 *
 * @throws InvalidLogo with a message for the person who uploaded it
 */
export async function convertLogo(bytes: Uint8Array): Promise<Logo> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  const isMarkup = /^(\xef\xbb\xbf)?\s*</.test(start);
  const pixels = isMarkup
    ? await drawSvg(bytes, storedSidesPx[0])
    : await decodeRaster(bytes, storedSidesPx[0]);
  checkPixels(pixels);
  for (const sidePx of storedSidesPx) {
    const reduced = reduce(pixels, sidePx);
    const png = await new Bun.Image(encodeRgbaPng(reduced)).png().bytes();
    const { widthPx, heightPx } = reduced;
    if (png.length <= maxStoredBytes) return { png, widthPx, heightPx };
  }
  throw new Error('A logo of 256 pixels is larger than its pixels');
}

/** @throws InvalidLogo when a picture is unsuitable as a logo */
function checkPixels({ widthPx, heightPx, rgba }: Pixels): void {
  if (Math.max(widthPx, heightPx) > maxAspectRatio * Math.min(widthPx, heightPx)) {
    throw new InvalidLogo(
      `The logo is more than ${maxAspectRatio} times as long as it is wide. Crop it to a more compact shape.`,
    );
  }
  const isEmpty = rgba.every((value, at) => at % 4 !== 3 || value < visibleAlpha);
  if (isEmpty) {
    throw new InvalidLogo(
      'The logo is fully transparent. Check that the right layers were exported.',
    );
  }
}
