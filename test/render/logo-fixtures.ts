import { crc32, deflateSync } from 'node:zlib';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { decodeRgbaPng, type Pixels } from '../../src/render/png/rgba.ts';

/** One pixel: red, green, blue, alpha. */
export type Rgba = readonly [number, number, number, number];

export const blue: Rgba = [10, 40, 220, 255];
export const clear: Rgba = [0, 0, 0, 0];

export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

interface PngOptions {
  readonly bitDepth?: number;
  readonly colorType?: number;
  /** Chunks between IHDR and IDAT. */
  readonly extra?: readonly Uint8Array[];
}

/** A PNG around rows that are filtered already. */
export function pngOf(
  widthPx: number,
  heightPx: number,
  rows: Uint8Array,
  { bitDepth = 8, colorType = 6, extra = [] }: PngOptions = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx >>> 0);
  header.writeUInt32BE(heightPx >>> 0, 4);
  header.set([bitDepth, colorType, 0, 0, 0], 8);
  const data = pngChunk('IDAT', deflateSync(rows, { level: 6 }));
  return Buffer.concat([signature, pngChunk('IHDR', header), ...extra, data, pngChunk('IEND')]);
}

/** An 8-bit RGBA PNG whose pixels a function gives. */
export function rgbaPng(
  widthPx: number,
  heightPx: number,
  at: (x: number, y: number) => Rgba,
  extra: readonly Uint8Array[] = [],
): Buffer {
  const rows = Buffer.alloc(heightPx * (1 + widthPx * 4));
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) rows.set(at(x, y), y * (1 + widthPx * 4) + 1 + x * 4);
  }
  return pngOf(widthPx, heightPx, rows, { extra });
}

/** A picture with an edge in each direction, so that a turn or a cut would show. */
export function corner(widthPx: number, heightPx: number): Buffer {
  return rgbaPng(widthPx, heightPx, (x, y) =>
    x < widthPx / 2 && y < heightPx / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255],
  );
}

/** The same picture as JPEG or WebP. */
export function asJpeg(png: Uint8Array, progressive = false): Promise<Uint8Array> {
  return new Bun.Image(png).jpeg({ quality: 90, progressive }).bytes();
}

export function asWebp(png: Uint8Array, lossless = true): Promise<Uint8Array> {
  return new Bun.Image(png).webp(lossless ? { lossless } : { quality: 80 }).bytes();
}

/** A JPEG segment to put behind the start of the image. */
export function withSegment(jpeg: Uint8Array, marker: number, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.set([0xff, marker]);
  length.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), length, data, jpeg.subarray(2)]);
}

/** EXIF data (little-endian TIFF) that holds nothing but an orientation. */
export function orientationTiff(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}

/** A WebP file around chunks. */
export function webpOf(chunks: readonly (readonly [type: string, data: Uint8Array])[]): Buffer {
  const body = chunks.map(([type, data]) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  });
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), ...body]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Sixteen red pixels a side in CMYK with Adobe's marker, as print programs write them. */
export const cmykJpeg = Buffer.from(
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwDpK46uOr0Ciiiiiiiiiiiiv//Z',
  'base64',
);

/** An SVG of 100 × 100 units. */
export function svg(body: string, attributes = 'viewBox="0 0 100 100"'): Uint8Array {
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${body}</svg>`,
  );
}

/** Converts a logo that must be accepted, and returns its pixels. */
export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  return decodeRgbaPng((await convertLogo(bytes)).png);
}

/** The pixel at a place given as fractions of the sides. */
export function pixelAt(
  { widthPx, heightPx, rgba }: Pixels,
  right: number,
  down: number,
): number[] {
  const at = (Math.floor(down * heightPx) * widthPx + Math.floor(right * widthPx)) * 4;
  return [...rgba.subarray(at, at + 4)];
}

/** The chunk types of a PNG, in order. */
export function chunkTypes(png: Uint8Array): string[] {
  const types: string[] = [];
  const bytes = Buffer.from(png);
  for (let offset = 8; offset < bytes.length; offset += 12 + bytes.readUInt32BE(offset)) {
    types.push(bytes.toString('latin1', offset + 4, offset + 8));
  }
  return types;
}
