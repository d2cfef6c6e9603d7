import { gunzipSync } from 'node:zlib';
import { type Logo, maxLogoBytes, storedLogoBounds } from '../../core/designs/design.ts';
import { Refused } from '../../core/errors.ts';
import { encodeRgbaPng, type Pixels } from '../png/rgba.ts';
import { visibleAlpha } from './decoded.ts';
import { openRaster } from './raster/decode.ts';
import { undrawnFormat } from './raster/formats.ts';
import { UnconvertibleColors } from './raster/picture-colors.ts';
import { reduce } from './resample.ts';
import { isMarkup } from './svg/source.ts';
import { drawSvg } from './svg.ts';

const { sidePx: maxSidePx, bytes: maxStoredBytes } = storedLogoBounds;

/** Longer sides, tried until the PNG is small enough. At 256 pixels, even noise is. */
const storedSidesPx = [maxSidePx, 384, 256] as const;

/** A larger photograph takes seconds. The decoder's own reduction is less exact than the one after it. */
const decodedSidePx = 4 * maxSidePx;

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

/**
 * Converts an uploaded PNG, JPEG, WebP or SVG to the form in which a logo is stored.
 * That is a PNG (8-bit RGBA, upright, no metadata) of at most 512 pixels and 300 kB. The format is detected from the
 * content. Equal bytes give equal logos.
 *
 * @throws Refused with a LogoReason
 */
export async function convertLogo(file: Uint8Array): Promise<Logo> {
  const bytes = decompress(file);
  const pixels = isMarkup(bytes) ? await drawSvg(bytes, maxSidePx) : await decodeRaster(bytes);
  checkPixels(pixels);
  for (const sidePx of storedSidesPx) {
    const reduced = reduce(pixels, sidePx);
    const png = await new Bun.Image(encodeRgbaPng(reduced)).png().bytes();
    const { widthPx, heightPx } = reduced;
    if (png.length <= maxStoredBytes) return { png, widthPx, heightPx };
  }
  throw new Error('A logo of 256 pixels is larger than its pixels');
}

/** Decompresses an SVG that is compressed (SVGZ). */
function decompress(file: Uint8Array): Uint8Array {
  if (file[0] !== 0x1f || file[1] !== 0x8b) return file;
  try {
    return gunzipSync(file, { maxOutputLength: maxLogoBytes });
  } catch {
    throw new Refused({ kind: 'compressed logo damaged' });
  }
}

/** @throws Refused when a picture is unsuitable as a logo */
function checkPixels({ widthPx, heightPx, rgba }: Pixels): void {
  if (Math.max(widthPx, heightPx) > maxAspectRatio * Math.min(widthPx, heightPx))
    throw new Refused({ kind: 'logo too long', maxAspectRatio });
  const isEmpty = rgba.every((value, at) => at % 4 !== 3 || value < visibleAlpha);
  if (isEmpty) throw new Refused({ kind: 'logo transparent' });
}

/** A smaller picture is a tracking pixel or a mistake. */
const minSidePx = 8;

const acceptedFormats = ['png', 'jpeg', 'webp'];

/**
 * Decodes a PNG, JPEG or WebP, detected from the content.
 *
 * @throws Refused
 */
async function decodeRaster(bytes: Uint8Array): Promise<Pixels> {
  const undrawn = undrawnFormat(bytes);
  if (undrawn !== null) throw new Refused({ kind: 'logo of another format', format: undrawn });
  try {
    const raster = await openRaster(bytes);
    const { format, widthPx, heightPx, hasAlpha } = raster;
    if (!acceptedFormats.includes(format)) throw new Refused({ kind: 'logo is no picture' });
    if (Math.min(widthPx, heightPx) < minSidePx)
      throw new Refused({ kind: 'logo too small', widthPx, heightPx, minSidePx });
    return await raster.toPixels(hasAlpha ? undefined : decodedSidePx);
  } catch (error) {
    throw error instanceof Refused ? error : refusalFor(error);
  }
}

/** Translates an error of a picture. */
function refusalFor(error: unknown): Refused {
  if (error instanceof UnconvertibleColors)
    return new Refused({ kind: 'logo of other colours', colors: error.colors });
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') return new Refused({ kind: 'logo of too many pixels' });
  const isUnknown = code === 'ERR_IMAGE_UNKNOWN_FORMAT' || code === 'ERR_IMAGE_FORMAT_UNSUPPORTED';
  return new Refused({ kind: isUnknown ? 'logo is no picture' : 'logo damaged' });
}
