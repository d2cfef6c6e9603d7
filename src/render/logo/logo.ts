import { gunzipSync } from 'node:zlib';
import { type Logo, maxLogoBytes, storedLogoBounds } from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/errors.ts';
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

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

/**
 * Converts an uploaded PNG, JPEG, WebP or SVG, detected from the content, to the form in which a logo is
 * stored: a PNG (8-bit RGBA, upright, no metadata) of at most 512 pixels and 300 kB. Equal bytes give equal
 * logos.
 *
 * @throws InvalidLogo with a message for the person who uploaded it
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
    throw new InvalidLogo(
      'The file is compressed and too large or damaged. Save the logo as SVG without compression, or as PNG.',
    );
  }
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

/** A smaller picture is a tracking pixel or a mistake. */
const minSidePx = 8;

const acceptedFormats = ['png', 'jpeg', 'webp'];

/**
 * Decodes a PNG, JPEG or WebP, detected from the content.
 *
 * @throws InvalidLogo
 */
async function decodeRaster(bytes: Uint8Array): Promise<Pixels> {
  refuseFormat(undrawnFormat(bytes));
  try {
    const raster = await openRaster(bytes);
    const { format, widthPx, heightPx } = raster;
    if (!acceptedFormats.includes(format)) refuseFormat(`a ${format.toUpperCase()}`);
    if (Math.min(widthPx, heightPx) < minSidePx) {
      throw new InvalidLogo(
        `The logo is only ${widthPx} × ${heightPx} pixels. Upload one of at least ${minSidePx} pixels a side; 256 or more look good.`,
      );
    }
    // A JPEG has no transparency, which the decoder would not weight.
    return await raster.toPixels(format === 'jpeg' ? maxSidePx : undefined);
  } catch (error) {
    if (error instanceof InvalidLogo) throw error;
    throw rejectionFor(error);
  }
}

/** @throws InvalidLogo when there is a name of a format that is not drawn */
function refuseFormat(name: string | null): void {
  if (name !== null)
    throw new InvalidLogo(`The file is ${name}. Upload the logo as PNG, JPEG, WebP or SVG.`);
}

/** Translates an error of a picture. */
function rejectionFor(error: unknown): InvalidLogo {
  if (error instanceof UnconvertibleColors) {
    return new InvalidLogo(
      `The picture has ${error.colors}, which can't be converted. Save it with sRGB colours and upload the new file. In Photoshop: Edit → Convert to Profile → sRGB.`,
    );
  }
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') {
    return new InvalidLogo(
      'The logo is too large. Reduce it to at most 4,096 × 4,096 pixels; 512 × 512 are enough.',
    );
  }
  if (code === 'ERR_IMAGE_UNKNOWN_FORMAT' || code === 'ERR_IMAGE_FORMAT_UNSUPPORTED') {
    return new InvalidLogo(
      'The file is not a picture that can be read. Upload the logo as PNG, JPEG, WebP or SVG.',
    );
  }
  return new InvalidLogo(
    'The picture is damaged, incomplete or animated. Save the logo again as a still picture and upload the new file.',
  );
}
