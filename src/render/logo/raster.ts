import { InvalidLogo } from '../../core/errors.ts';
import { decodeRgbaPng, type Pixels } from '../png/rgba.ts';

/** A smaller picture is a tracking pixel or a mistake. */
const minSidePx = 8;

/** 4,096 × 4,096: 64 MiB when decoded. */
const maxAreaPx = 4_096 * 4_096;

const acceptedFormats = ['png', 'jpeg', 'webp'];

/**
 * Decodes a PNG, JPEG or WebP, upright by the EXIF orientation of a JPEG. The format is detected from the
 * content. Colour profiles are ignored: colours are taken as sRGB. Of an animated PNG the first frame is used.
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
    if (Math.min(width, height) < minSidePx) {
      throw new InvalidLogo(
        `The logo is only ${width} × ${height} pixels. Upload one of at least ${minSidePx} pixels a side; 256 or more look good.`,
      );
    }
    if (format === 'jpeg') {
      image.resize(jpegSidePx, jpegSidePx, { fit: 'inside', withoutEnlargement: true });
    }
    return decodeRgbaPng(await image.png({ compressionLevel: 1 }).bytes());
  } catch (error) {
    if (error instanceof InvalidLogo) throw error;
    throw rejectionFor(error);
  }
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
  return new InvalidLogo(
    'The picture is damaged, incomplete or animated. Save the logo again as a still picture and upload the new file.',
  );
}
