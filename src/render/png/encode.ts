import type { IndexedRaster, RgbaRaster } from '../draw/raster.ts';
import { windowBytes } from './deflate/tokens.ts';
import { compressRows } from './deflate/zlib.ts';
import { pngChunk, pngSignature } from './file.ts';
import { type Rows, rowsOf } from './rows.ts';

/**
 * Writes a raster as PNG, with a palette where its colours fit into one: a third to a thirtieth of what the
 * rasterizer's own encoder makes of it.
 *
 * @param repeatPx rows after which the picture is likely to repeat, which is the height of a module
 */
export function encodePng(raster: IndexedRaster | RgbaRaster, repeatPx: number): Uint8Array {
  const rows = rowsOf(raster);
  const { palette, depth } = rows;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, raster.widthPx);
  view.setUint32(4, raster.widthPx);
  header.set([depth, palette === null ? 2 : 3], 8);
  const pixelBytes = palette === null ? 3 : 1;
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...(palette === null ? [] : [pngChunk('PLTE', palette)]),
    pngChunk('IDAT', compressRows(filtered(rows, repeatPx), rows.rowBytes + 1, pixelBytes)),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/** A row that is written as the difference to the one above. */
const filterUp = 2;

/**
 * Puts a filter byte in front of every row (W3C PNG, clause 9). A row that repeats the one above becomes
 * the difference to it: zeros, which cost less than a copy of a wide row does. Others stay as they are
 * while DEFLATE can still see the module above; where it cannot, a row becomes its difference to the one
 * above if that has no more changes in it.
 */
function filtered({ repeats, rowBytes, pack }: Rows, repeatPx: number): Uint8Array {
  const lineBytes = rowBytes + 1;
  const lines = new Uint8Array(lineBytes * repeats.length);
  const seesModuleAbove = repeatPx * lineBytes <= windowBytes;
  let [row, above] = [createLine(rowBytes), createLine(rowBytes)];
  const difference = createLine(rowBytes);
  let isEmpty = false;
  for (let y = 0; y < repeats.length; y++) {
    const start = y * lineBytes;
    if (repeats[y] === 1) {
      // An empty row without a filter goes on with the zeros before it.
      if (!isEmpty) lines[start] = filterUp;
      continue;
    }
    const line = lines.subarray(start + 1, start + lineBytes);
    pack(y, line);
    isEmpty = isAllZero(line);
    if (seesModuleAbove) continue;
    [row, above] = [above, row];
    row.bytes.set(line);
    if (isEmpty || y === 0) continue;
    subtract(row.words, above.words, difference.words);
    if (changesIn(difference.words) > changesIn(row.words)) continue;
    lines[start] = filterUp;
    line.set(difference.bytes);
  }
  return lines;
}

function isAllZero(bytes: Uint8Array): boolean {
  let at = 0;
  while (bytes[at] === 0) at++;
  return at === bytes.length;
}

/** Room for a row, also as numbers of four bytes, which are subtracted and compared at once. */
function createLine(rowBytes: number) {
  const words = new Int32Array(Math.ceil(rowBytes / 4));
  return { words, bytes: new Uint8Array(words.buffer, 0, rowBytes) };
}

const highBits = 0x8080_8080 | 0;
const lowBits = 0x0101_0101;

/** Subtracts byte by byte: with their highest bits apart, no byte borrows from the one beside it. */
function subtract(row: Int32Array, above: Int32Array, difference: Int32Array): void {
  for (let x = 0; x < row.length; x++) {
    const word = row[x] ?? 0;
    const less = above[x] ?? 0;
    difference[x] = (((word | highBits) - (less & ~highBits)) | 0) ^ (~(word ^ less) & highBits);
  }
}

/** How many bytes differ from the one before them. */
function changesIn(words: Int32Array): number {
  let count = 0;
  let before = 0;
  for (let x = 0; x < words.length; x++) {
    const word = words[x] ?? 0;
    const changed = word ^ ((word << 8) | (before >>> 24));
    before = word;
    if (changed === 0) continue;
    // The highest bit of each byte that is not 0, moved to its lowest, and all four added up.
    const marks = ((((changed & ~highBits) + ~highBits) | changed) >>> 7) & lowBits;
    count += Math.imul(marks, lowBits) >>> 24;
  }
  return count;
}
