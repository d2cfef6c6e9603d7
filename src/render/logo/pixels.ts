import { deflateSync, inflateSync } from 'node:zlib';
import { pngChunk, pngSignature } from '../png/file.ts';
import { join, latin1, viewOf } from './picture.ts';

/** A picture as bytes: red, green, blue and alpha of each pixel, row by row, not premultiplied. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
}

/**
 * Takes apart a PNG that Bun.Image wrote, which is always 8-bit RGBA and never interlaced; Bun.Image
 * gives no pixels by itself.
 *
 * @throws Error for any other PNG
 */
export function decodeRgbaPng(png: Uint8Array): Pixels {
  const view = viewOf(png);
  const widthPx = view.getUint32(16);
  const heightPx = view.getUint32(20);
  if (view.getUint16(24) !== 0x0806 || png[28] !== 0) throw new Error('Not a plain RGBA PNG');
  const data: Uint8Array[] = [];
  for (let offset = 8; offset + 12 <= png.length; ) {
    const length = view.getUint32(offset);
    if (latin1(png, offset + 4, 4) === 'IDAT')
      data.push(png.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  const length = heightPx * (1 + widthPx * 4);
  // In one piece: by default zlib collects small pieces and joins them, at twice the memory.
  const rows = inflateSync(join(data), { chunkSize: length + 64, maxOutputLength: length + 64 });
  if (rows.length !== length) throw new Error('PNG rows have another length');
  return { widthPx, heightPx, rgba: unfilter(rows, widthPx * 4, heightPx) };
}

/** Undoes the row filters of PNG (clause 9), in place; then closes the gaps of the filter bytes. */
function unfilter(rows: Uint8Array, stride: number, heightPx: number): Uint8Array {
  const zeros = new Uint8Array(stride);
  let above: Uint8Array = zeros;
  for (let y = 0; y < heightPx; y++) {
    const start = y * (stride + 1);
    const filter = rows[start] ?? 0;
    const row = rows.subarray(start + 1, start + 1 + stride);
    if (filter === 1) addLeft(row);
    if (filter === 2) addAbove(row, above);
    if (filter === 3) addAverage(row, above);
    if (filter === 4) addPaeth(row, above);
    rows.copyWithin(y * stride, start + 1, start + 1 + stride);
    above = rows.subarray(y * stride, (y + 1) * stride);
  }
  return rows.subarray(0, stride * heightPx);
}

function addLeft(row: Uint8Array): void {
  for (let x = 4; x < row.length; x++) row[x] = (row[x] ?? 0) + (row[x - 4] ?? 0);
}

function addAbove(row: Uint8Array, above: Uint8Array): void {
  for (let x = 0; x < row.length; x++) row[x] = (row[x] ?? 0) + (above[x] ?? 0);
}

function addAverage(row: Uint8Array, above: Uint8Array): void {
  for (let x = 0; x < row.length; x++) {
    const left = x < 4 ? 0 : (row[x - 4] ?? 0);
    row[x] = (row[x] ?? 0) + ((left + (above[x] ?? 0)) >> 1);
  }
}

function addPaeth(row: Uint8Array, above: Uint8Array): void {
  for (let x = 0; x < row.length; x++) {
    const left = x < 4 ? 0 : (row[x - 4] ?? 0);
    const up = above[x] ?? 0;
    const corner = x < 4 ? 0 : (above[x - 4] ?? 0);
    const fromLeft = Math.abs(up - corner);
    const fromUp = Math.abs(left - corner);
    const fromCorner = Math.abs(left + up - 2 * corner);
    const nearest =
      fromLeft <= fromUp && fromLeft <= fromCorner ? left : fromUp <= fromCorner ? up : corner;
    row[x] = (row[x] ?? 0) + nearest;
  }
}

/** Writes pixels as a plain PNG, hardly compressed: food for Bun.Image. */
export function encodeRgbaPng({ widthPx, heightPx, rgba }: Pixels): Uint8Array {
  const stride = widthPx * 4;
  const rows = new Uint8Array(heightPx * (stride + 1));
  for (let y = 0; y < heightPx; y++) {
    rows.set(rgba.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  const header = new Uint8Array(13);
  viewOf(header).setUint32(0, widthPx);
  viewOf(header).setUint32(4, heightPx);
  header.set([8, 6], 8);
  const data = deflateSync(rows, { level: 1 });
  return join([
    pngSignature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', new Uint8Array()),
  ]);
}
