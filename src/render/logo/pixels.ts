import { deflateSync, inflateSync } from 'node:zlib';
import type { Logo } from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/errors.ts';
import { pngChunk, pngSignature } from '../png/file.ts';

/** Decoded picture: red, green, blue and alpha of each pixel, row by row, not premultiplied. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

/** A longer strip would be thinner than a module of the symbol. */
const maxAspectRatio = 20;

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

/** Digests by byte array, since stored logos are immutable. */
const digests = new WeakMap<Uint8Array, string>();

/** Returns the SHA-256 of a logo's PNG, the key of all caches by logo. */
export function digestOf({ png }: Logo): string {
  const digest = digests.get(png) ?? new Bun.CryptoHasher('sha256').update(png).digest('hex');
  digests.set(png, digest);
  return digest;
}

/**
 * Decodes an 8-bit RGBA PNG without interlacing, the only kind that Bun.Image and resvg write.
 * Bun.Image itself gives no pixels.
 *
 * @throws Error for any other PNG
 */
export function decodeRgbaPng(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const widthPx = view.getUint32(16);
  const heightPx = view.getUint32(20);
  if (view.getUint16(24) !== 0x0806 || png[28] !== 0) throw new Error('Not a plain RGBA PNG');
  const data: Uint8Array[] = [];
  for (let offset = 8; offset + 12 <= png.length; ) {
    const length = view.getUint32(offset);
    const isData = view.getUint32(offset + 4) === 0x49444154; // "IDAT"
    if (isData) data.push(png.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const length = heightPx * (1 + widthPx * 4);
  // One chunk: zlib would collect small ones and join them, at twice the memory.
  const rows = inflateSync(Buffer.concat(data), {
    chunkSize: length + 64,
    maxOutputLength: length + 64,
  });
  if (rows.length !== length) throw new Error('PNG rows have another length');
  return { widthPx, heightPx, rgba: unfilter(rows, widthPx * 4, heightPx) };
}

/** Reverses the row filters of PNG (clause 9) in place and removes the filter bytes. */
function unfilter(rows: Uint8Array, stride: number, heightPx: number): Uint8Array {
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < heightPx; y++) {
    const start = y * (stride + 1);
    const filter = rows[start] ?? 0;
    const row = rows.subarray(start + 1, start + 1 + stride);
    for (let x = 0; x < stride && filter !== 0; x++) {
      const left = x < 4 ? 0 : (row[x - 4] ?? 0);
      const corner = x < 4 ? 0 : (above[x - 4] ?? 0);
      row[x] = (row[x] ?? 0) + predict(filter, left, above[x] ?? 0, corner);
    }
    rows.copyWithin(y * stride, start + 1, start + 1 + stride);
    above = rows.subarray(y * stride, (y + 1) * stride);
  }
  return rows.subarray(0, stride * heightPx);
}

/** Predicts a byte from its neighbours: filter types Sub, Up, Average and Paeth. */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const fromLeft = Math.abs(up - corner);
  const fromUp = Math.abs(left - corner);
  const fromCorner = Math.abs(left + up - 2 * corner);
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

/** Encodes pixels as a plain PNG, hardly compressed: input for Bun.Image. */
export function encodeRgbaPng({ widthPx, heightPx, rgba }: Pixels): Uint8Array {
  const stride = widthPx * 4;
  const rows = new Uint8Array(heightPx * (stride + 1));
  for (let y = 0; y < heightPx; y++) {
    rows.set(rgba.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, widthPx);
  view.setUint32(4, heightPx);
  header.set([8, 6], 8);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/**
 * Reduces a picture by averaging areas, with colours weighted by alpha. Never enlarges. Bun.Image's
 * own resizing does not weigh them, so the hidden colour of transparent pixels would show at edges.
 */
export function reduce(pixels: Pixels, longerSidePx: number): Pixels {
  const factor = Math.min(1, longerSidePx / Math.max(pixels.widthPx, pixels.heightPx));
  if (factor === 1) return pixels;
  const widthPx = Math.max(1, Math.round(pixels.widthPx * factor));
  const heightPx = Math.max(1, Math.round(pixels.heightPx * factor));
  const area = (pixels.widthPx / widthPx) * (pixels.heightPx / heightPx);
  const columns = edges(pixels.widthPx, widthPx);
  const rows = edges(pixels.heightPx, heightPx);
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  const sums = new Float64Array(4);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      sumArea(pixels, columns, x, rows, y, sums);
      const [red = 0, green = 0, blue = 0, alpha = 0] = sums;
      if (alpha === 0) continue;
      const at = (y * widthPx + x) * 4;
      rgba[at] = Math.round(red / alpha);
      rgba[at + 1] = Math.round(green / alpha);
      rgba[at + 2] = Math.round(blue / alpha);
      rgba[at + 3] = Math.round(alpha / area);
    }
  }
  return { widthPx, heightPx, rgba };
}

/** Returns where each target pixel begins among the source pixels, and where the last one ends. */
function edges(from: number, to: number): Float64Array {
  return Float64Array.from({ length: to + 1 }, (_, index) => (index * from) / to);
}

/** Sums one target pixel's area into `sums`: colours times alpha, and alpha. */
function sumArea(
  { widthPx, rgba }: Pixels,
  columns: Float64Array,
  x: number,
  rows: Float64Array,
  y: number,
  sums: Float64Array,
): void {
  const [left = 0, right = 0] = columns.subarray(x, x + 2);
  const [top = 0, bottom = 0] = rows.subarray(y, y + 2);
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let row = Math.floor(top); row < bottom; row++) {
    const share = Math.min(row + 1, bottom) - Math.max(row, top);
    for (let column = Math.floor(left); column < right; column++) {
      const at = (row * widthPx + column) * 4;
      const covered = share * (Math.min(column + 1, right) - Math.max(column, left));
      const weight = covered * (rgba[at + 3] ?? 0);
      red += weight * (rgba[at] ?? 0);
      green += weight * (rgba[at + 1] ?? 0);
      blue += weight * (rgba[at + 2] ?? 0);
      alpha += weight;
    }
  }
  sums.set([red, green, blue, alpha]);
}
