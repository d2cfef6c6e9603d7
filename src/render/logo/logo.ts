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

/**
 * Converts an uploaded PNG, JPEG, WebP or SVG, told by content, to the form in which a logo is stored:
 * a PNG (8-bit RGBA, upright, no metadata) of at most 512 pixels and 300 kB, equal for equal bytes.
 *
 * @throws InvalidLogo with a message for the person who uploaded it
 */
export async function convertLogo(bytes: Uint8Array): Promise<Logo> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 512));
  const isMarkup = /^(\xef\xbb\xbf)?\s*</.test(start);
  const pixels = isMarkup
    ? await drawSvg(bytes, storedSidesPx[0])
    : await decodeRaster(bytes, storedSidesPx[0]);
  return encode(clearInvisible(reduce(pixels, storedSidesPx[0])));
}

/**
 * Blackens the colour of fully transparent pixels: it may hide something, and it costs bytes.
 *
 * @throws InvalidLogo when no pixel is visible
 */
function clearInvisible({ widthPx, heightPx, rgba }: Pixels): Pixels {
  const cleared = rgba.slice();
  let strongest = 0;
  for (let at = 0; at < cleared.length; at += 4) {
    const alpha = cleared[at + 3] ?? 0;
    strongest = Math.max(strongest, alpha);
    if (alpha === 0) cleared.fill(0, at, at + 3);
  }
  if (strongest < visibleAlpha) {
    throw new InvalidLogo(
      'The logo is fully transparent. Check that the right layers were exported.',
    );
  }
  return { widthPx, heightPx, rgba: cleared };
}

async function encode(pixels: Pixels): Promise<Logo> {
  for (const sidePx of storedSidesPx) {
    const reduced = reduce(pixels, sidePx);
    const png = await new Bun.Image(encodeRgbaPng(reduced)).png().bytes();
    const { widthPx, heightPx } = reduced;
    if (png.length <= maxStoredBytes) return { png, widthPx, heightPx };
  }
  throw new Error('A logo of 256 pixels is larger than its pixels');
}
