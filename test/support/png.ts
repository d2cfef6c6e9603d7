import { inflateSync } from 'node:zlib';

/** Decoded pixels. */
export interface Bitmap {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Four bytes a pixel: red, green, blue, alpha. */
  readonly rgba: Uint8ClampedArray;
}

/** Reads width and height from the header (PNG specification, 11.2.2 IHDR). */
export function pngSize(png: Uint8Array): { widthPx: number; heightPx: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { widthPx: view.getUint32(16), heightPx: view.getUint32(20) };
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
// Samples per pixel by colour type (PNG specification, table 11.1).
const samplesOfType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Decodes a PNG without interlacing, up to 8 bits per sample. Shares no code with the server's encoder. */
export function decodePng(png: Uint8Array): Bitmap {
  if (!signature.every((byte, index) => png[index] === byte)) throw new Error('not a PNG');
  const { widthPx, heightPx } = pngSize(png);
  const [depth = 8, type = 6, , , interlaced] = png.subarray(24, 29);
  const samples = samplesOfType[type];
  if (samples === undefined || depth > 8 || interlaced !== 0)
    throw new Error('unsupported kind of PNG');

  const data = inflateSync(Buffer.concat(chunksOf(png, 'IDAT')));
  const bytesPerPixel = Math.max(1, (samples * depth) / 8);
  const rowBytes = Math.ceil((widthPx * samples * depth) / 8);
  const colorOf = colorReader(png, type, depth);
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < heightPx; y++) {
    const start = y * (rowBytes + 1);
    const row = Uint8Array.from(data.subarray(start + 1, start + 1 + rowBytes));
    unfilter(data[start] ?? 0, row, above, bytesPerPixel);
    for (let x = 0; x < widthPx; x++) colorOf(row, x, rgba, (y * widthPx + x) * 4);
    above = row;
  }
  return { widthPx, heightPx, rgba };
}

type ColorReader = (row: Uint8Array, x: number, rgba: Uint8ClampedArray, at: number) => void;

/** Returns a function that converts the pixel at `x` of a row to RGBA (table 11.1). */
function colorReader(png: Uint8Array, type: number, depth: number): ColorReader {
  if (type === 6)
    return (row, x, rgba, at) => {
      for (let i = 0; i < 4; i++) rgba[at + i] = row[x * 4 + i] ?? 0;
    };
  if (type === 2)
    return (row, x, rgba, at) => {
      for (let i = 0; i < 3; i++) rgba[at + i] = row[x * 3 + i] ?? 0;
      rgba[at + 3] = 255;
    };
  if (type === 4)
    return (row, x, rgba, at) => {
      rgba.fill(row[x * 2] ?? 0, at, at + 3);
      rgba[at + 3] = row[x * 2 + 1] ?? 0;
    };

  const palette = chunksOf(png, 'PLTE')[0] ?? new Uint8Array();
  const transparency = chunksOf(png, 'tRNS')[0] ?? new Uint8Array();
  const largest = 2 ** depth - 1;
  return (row, x, rgba, at) => {
    const bit = x * depth;
    const sample = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & largest;
    for (let i = 0; i < 3; i++)
      rgba[at + i] = type === 3 ? (palette[sample * 3 + i] ?? 0) : (sample * 255) / largest;
    rgba[at + 3] = type === 3 ? (transparency[sample] ?? 255) : 255;
  };
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

/** Undoes a row's filter in place (PNG specification, 9.2). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter === 0) return;
  for (let i = 0; i < row.length; i++) {
    const left = i < step ? 0 : (row[i - step] ?? 0);
    const up = above[i] ?? 0;
    const corner = i < step ? 0 : (above[i - step] ?? 0);
    row[i] = (row[i] ?? 0) + predicted(filter, left, up, corner);
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
