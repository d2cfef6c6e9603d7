import { type Logo, storedLogoBounds } from '../../core/designs/design.ts';
import { Refused } from '../../core/errors.ts';
import { decodeRgbaPng, encodeRgbaPng, type Pixels } from '../png/rgba.ts';
import { visibleAlpha } from './decoded.ts';
import { reduce } from './resample.ts';
import { readSource } from './source.ts';

const { sidePx: maxSidePx, bytes: maxStoredBytes } = storedLogoBounds;

/** Longer sides, tried until the PNG is small enough. At 256 pixels, even noise is. */
const storedSidesPx = [maxSidePx, 384, 256] as const;

/** 4,096 × 4,096: 64 MiB when decoded. */
const maxAreaPx = 4_096 * 4_096;

/** A larger photograph takes seconds. The decoder's own reduction is less exact than the one after it. */
const decodedSidePx = 4 * maxSidePx;

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

/** A smaller picture is a tracking pixel or a mistake. */
const minSidePx = 8;

/**
 * Converts a PNG or JPEG in sRGB to the form in which a logo is stored.
 * That is a PNG (8-bit RGBA, upright, no metadata) of at most 512 pixels and 300 kB. The format is detected from the
 * content. Equal bytes give equal logos. What else there is, the person's browser draws as a PNG.
 *
 * @throws Refused with a LogoReason
 */
export async function convertLogo(file: Uint8Array): Promise<Logo> {
  const pixels = await decode(file);
  checkPixels(pixels);
  for (const sidePx of storedSidesPx) {
    const reduced = reduce(pixels, sidePx);
    const png = await new Bun.Image(encodeRgbaPng(reduced)).png().bytes();
    const { widthPx, heightPx } = reduced;
    if (png.length <= maxStoredBytes) return { png, widthPx, heightPx };
  }
  throw new Error('A logo of 256 pixels is larger than its pixels');
}

/** @throws Refused when a picture is unsuitable as a logo */
function checkPixels({ widthPx, heightPx, rgba }: Pixels): void {
  if (Math.max(widthPx, heightPx) > maxAspectRatio * Math.min(widthPx, heightPx))
    throw new Refused({ kind: 'logo too long', maxAspectRatio });
  const isEmpty = rgba.every((value, at) => at % 4 !== 3 || value < visibleAlpha);
  if (isEmpty) throw new Refused({ kind: 'logo transparent' });
}

/** @throws Refused */
async function decode(file: Uint8Array): Promise<Pixels> {
  const format = requireUsual(file);
  try {
    const image = new Bun.Image(file, { maxPixels: maxAreaPx });
    const { width, height } = await image.metadata();
    if (Math.min(width, height) < minSidePx)
      throw new Refused({ kind: 'logo too small', widthPx: width, heightPx: height, minSidePx });
    // The decoder does not weight colours by transparency, which a PNG may have.
    if (format === 'jpeg')
      image.resize(decodedSidePx, decodedSidePx, { fit: 'inside', withoutEnlargement: true });
    return decodeRgbaPng(await image.png({ compressionLevel: 1 }).bytes());
  } catch (error) {
    if (error instanceof Refused) throw error;
    const isTooLarge =
      error instanceof Error && 'code' in error && error.code === 'ERR_IMAGE_TOO_MANY_PIXELS';
    throw new Refused({ kind: isTooLarge ? 'logo of too many pixels' : 'logo damaged' });
  }
}

/** Returns the format of a file. @throws Refused for one that is no PNG or JPEG in sRGB */
function requireUsual(file: Uint8Array): 'png' | 'jpeg' {
  const { kind } = readSource(file);
  switch (kind) {
    case 'png':
    case 'jpeg':
      return kind;
    case 'other':
      throw new Refused({ kind: 'logo of another kind' });
    case 'other colours':
      throw new Refused({ kind: 'logo of other colours' });
    case 'incomplete':
      throw new Refused({ kind: 'logo damaged' });
  }
}
