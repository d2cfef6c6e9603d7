import { decodeRgbaPng, encodeRgbaPng, type Pixels } from '../../png/rgba.ts';
import { type ColorConverter, converterToSrgb } from './color-space.ts';
import { readJpeg } from './jpeg-metadata.ts';
import { noMetadata, type RasterMetadata } from './metadata.ts';
import { colorSpaceOf } from './picture-colors.ts';
import { readPng } from './png-metadata.ts';
import { readWebp } from './webp-metadata.ts';

/** 4,096 × 4,096: 64 MiB when decoded. */
export const maxAreaPx = 4_096 * 4_096;

/** A raster picture of which the header is read. */
export interface Raster {
  readonly format: Bun.Image.Format;
  /** As stored, before the orientation is applied. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** False for a picture that the decoder may reduce: it does not weight colours by transparency. */
  readonly hasAlpha: boolean;
  /** Encodes it as PNG (8-bit RGBA, upright, sRGB), reduced to `maxSidePx` if given. */
  readonly toPng: (maxSidePx?: number) => Promise<Uint8Array>;
  /** Decodes it in the same way. */
  readonly toPixels: (maxSidePx?: number) => Promise<Pixels>;
}

/** Thrown for a file that is cut off. */
export class IncompletePicture extends Error {}

/** How Bun.Image turns a picture upright, by EXIF orientation. */
const turns: Readonly<Record<number, (image: Bun.Image) => Bun.Image>> = {
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.rotate(90).flop(),
  6: (image) => image.rotate(90),
  7: (image) => image.rotate(270).flop(),
  8: (image) => image.rotate(270),
};

/**
 * Opens a picture in a format that Bun.Image decodes.
 * Colours become sRGB, as browsers show them. Of an animated PNG the first frame is used.
 *
 * @throws UnconvertibleColors, IncompletePicture, or an error of Bun.Image, also when it is decoded
 */
export async function openRaster(file: Uint8Array): Promise<Raster> {
  const image = new Bun.Image(file, { maxPixels: maxAreaPx, autoOrient: false });
  const { width, height, format } = await image.metadata();
  const metadata = readMetadata(file);
  if (!metadata.isComplete) throw new IncompletePicture();
  if (metadata.isAmbiguous) throw new Error('Decoders show it in different ways');
  const space = colorSpaceOf(metadata);
  const convert = space === null ? null : converterToSrgb(space);
  turns[metadata.orientation]?.(image);
  const decode = (maxSidePx?: number) => {
    if (maxSidePx !== undefined)
      image.resize(maxSidePx, maxSidePx, { fit: 'inside', withoutEnlargement: true });
    return image.png({ compressionLevel: 1 }).bytes();
  };
  const toPixels = async (maxSidePx?: number) =>
    inSrgb(decodeRgbaPng(await decode(maxSidePx)), convert);
  return {
    format,
    widthPx: width,
    heightPx: height,
    hasAlpha: metadata.hasAlpha,
    toPixels,
    toPng: async (maxSidePx) =>
      convert === null ? decode(maxSidePx) : encodeRgbaPng(await toPixels(maxSidePx)),
  };
}

function inSrgb(pixels: Pixels, convert: ColorConverter | null): Pixels {
  convert?.(pixels.rgba);
  return pixels;
}

/** Reads the metadata of a PNG, JPEG or WebP. Other files, and damaged ones, have none. */
function readMetadata(file: Uint8Array): RasterMetadata {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(1, 4).toString('latin1') === 'PNG') return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  if (bytes.subarray(8, 12).toString('latin1') === 'WEBP') return readWebp(bytes);
  return noMetadata;
}
