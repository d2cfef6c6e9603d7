import { InvalidLogo } from '../../core/errors.ts';
import { decodeRgbaPng, type Pixels } from '../png/rgba.ts';

/** Below this a logo is a dot; what is sent so small is a tracking pixel or a mistake. */
const minSidePx = 8;

/** 4,096 × 4,096: 64 MiB once decoded. */
const maxAreaPx = 4_096 * 4_096;

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

const acceptedFormats = ['png', 'jpeg', 'webp'];

/**
 * Decodes a PNG, JPEG or WebP, upright by the EXIF orientation of a JPEG. The format is told by content.
 * Colour profiles are ignored: colours are taken as sRGB.
 *
 * @param jpegSidePx longer side to which the decoder reduces a JPEG, which has no transparency
 * @throws InvalidLogo
 */
export async function decodeRaster(bytes: Uint8Array, jpegSidePx: number): Promise<Pixels> {
  const image = new Bun.Image(bytes, { maxPixels: maxAreaPx });
  try {
    const { width, height, format } = await image.metadata();
    if (!acceptedFormats.includes(format)) {
      throw new InvalidLogo(
        `The file is a ${format.toUpperCase()}. Upload the logo as PNG, JPEG, WebP or SVG.`,
      );
    }
    checkSize(width, height);
    if (format === 'png' && isAnimatedPng(bytes)) throw animated();
    if (format === 'jpeg') {
      if (!hasEnd(bytes)) throw damaged();
      image.resize(jpegSidePx, jpegSidePx, { fit: 'inside', withoutEnlargement: true });
    }
    return decodeRgbaPng(await image.png({ compressionLevel: 1 }).bytes());
  } catch (error) {
    if (error instanceof InvalidLogo) throw error;
    throw rejectionFor(error);
  }
}

function checkSize(widthPx: number, heightPx: number): void {
  if (Math.min(widthPx, heightPx) < minSidePx) {
    throw new InvalidLogo(
      `The logo is only ${widthPx} × ${heightPx} pixels. Upload one of at least ${minSidePx} pixels a side; 256 or more look good.`,
    );
  }
  checkShape(widthPx, heightPx);
}

/**
 * Checks the proportions of a logo, in any unit.
 *
 * @throws InvalidLogo
 */
export function checkShape(width: number, height: number): void {
  if (Math.max(width, height) > maxAspectRatio * Math.min(width, height)) {
    throw new InvalidLogo(
      `The logo is more than ${maxAspectRatio} times as long as it is wide. Crop it to a more compact shape.`,
    );
  }
}

/** Returns whether an animation header stands before the picture data. Bun.Image decodes the first frame. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = file.indexOf('acTL', 0, 'latin1');
  return header >= 0 && header < file.indexOf('IDAT', 0, 'latin1');
}

/** Returns whether the last scan of a JPEG is complete. Bun.Image fills what is missing with grey. */
function hasEnd(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [startOfScan, endOfImage] = [Buffer.of(0xff, 0xda), Buffer.of(0xff, 0xd9)];
  return file.lastIndexOf(endOfImage) > file.lastIndexOf(startOfScan);
}

/** Translates an error of Bun.Image. */
function rejectionFor(error: unknown): InvalidLogo {
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
  return damaged();
}

function animated(): InvalidLogo {
  return new InvalidLogo('The picture is animated. Export a still picture.');
}

function damaged(): InvalidLogo {
  return new InvalidLogo(
    'The picture is damaged, incomplete or animated. Save the logo again as a still picture and upload the new file.',
  );
}
