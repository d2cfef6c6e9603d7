import { inflateSync } from 'node:zlib';

/** Pixels as decoders want them. */
export interface Bitmap {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Four bytes a pixel: red, green, blue, alpha. */
  readonly rgba: Uint8ClampedArray;
}

/** Width and height that the file states of itself (PNG specification, 11.2.2 IHDR). */
export function pngSize(png: Uint8Array): { widthPx: number; heightPx: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
// Samples a pixel by colour type (PNG specification, table 11.1).
const samplesOfType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Decodes a PNG, not interlaced, up to 8 bits a sample: written here so that what the server's
 * rasterizer wrote is read by code that shares nothing with it.
 */
export function decodePng(png: Uint8Array): Bitmap {
  if (!signature.every((byte, index) => png[index] === byte)) throw new Error('not a PNG');
  const { widthPx, heightPx } = pngSize(png);
  const [depth = 8, type = 6, , , interlaced] = png.subarray(24, 29);
  const samples = samplesOfType[type];
  if (samples === undefined || depth > 8 || interlaced !== 0) throw new Error('PNG of other kind');

  const data = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')));
  const palette = chunksOf(png, 'PLTE')[0] ?? new Uint8Array();
  const transparency = chunksOf(png, 'tRNS')[0] ?? new Uint8Array();
  const bytesPerPixel = Math.max(1, (samples * depth) / 8);
  const rowBytes = Math.ceil((widthPx * samples * depth) / 8);
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < heightPx; y++) {
    const start = y * (rowBytes + 1);
    const row = Uint8Array.from(data.subarray(start + 1, start + 1 + rowBytes));
    unfilter(data[start] ?? 0, row, above, bytesPerPixel);
    for (let x = 0; x < widthPx; x++) {
      const [a = 0, b = 0, c = 0, d = 0] = samplesAt(row, x, samples, depth);
      const full = type === 3 ? a : (a * 255) / (2 ** depth - 1);
      const pixel = {
        0: [full, full, full, 255],
        2: [a, b, c, 255],
        3: [...palette.subarray(a * 3, a * 3 + 3), transparency[a] ?? 255],
        4: [a, a, a, b],
        6: [a, b, c, d],
      }[type];
      rgba.set(pixel ?? [], (y * widthPx + x) * 4);
    }
    above = row;
  }
  return { widthPx, heightPx, rgba };
}

function chunksOf(png: Uint8Array, name: string): Uint8Array[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found: Uint8Array[] = [];
  for (let at = 8; at + 8 <= png.length; at += view.getUint32(at) + 12) {
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    if (type === name) found.push(png.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return found;
}

function samplesAt(row: Uint8Array, x: number, samples: number, depth: number): number[] {
  if (depth === 8) return [...row.subarray(x * samples, (x + 1) * samples)];
  const bit = x * depth;
  return [((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)];
}

/** Undoes a row's filter in place (PNG specification, 9.2). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = row[i - step] ?? 0;
    const up = above[i] ?? 0;
    const corner = i < step ? 0 : (above[i - step] ?? 0);
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
    row[i] = (row[i] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0;
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
