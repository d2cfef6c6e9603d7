import { join } from '../logo/picture.ts';
import type { Raster } from '../pixel-grid.ts';
import { windowBytes } from './deflate/tokens.ts';
import { compressRows } from './deflate/zlib.ts';
import { pngChunk, pngSignature } from './file.ts';
import { type Rows, rowComparison, rowsOf } from './rows.ts';

/**
 * Writes a raster as PNG, with a palette where its colours fit into one: a third to a thirtieth of what the
 * rasterizer's own encoder makes of it.
 *
 * @param repeatPx rows after which the picture is likely to repeat, which is the height of a module
 */
export function encodePng(raster: Raster, repeatPx: number): Uint8Array {
  const rows = rowsOf(raster);
  const { palette, depth } = rows;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, raster.widthPx);
  view.setUint32(4, raster.widthPx);
  header.set([depth, palette === null ? 2 : 3], 8);
  const data = compressRows(filtered(rows, repeatPx), rows.stride + 1);
  return join([
    pngSignature,
    pngChunk('IHDR', header),
    ...(palette === null ? [] : [pngChunk('PLTE', palette)]),
    pngChunk('IDAT', data),
    pngChunk('IEND', new Uint8Array()),
  ]);
}

/**
 * Puts a filter byte in front of every row (W3C PNG, clause 9). Rows stay as they are while DEFLATE
 * can still see the module above; where it cannot, a row becomes its difference to the one above
 * if that has fewer changes in it.
 */
function filtered({ bytes, stride }: Rows, repeatPx: number): Uint8Array {
  const height = bytes.length / stride;
  const lines = new Uint8Array(height * (stride + 1));
  const seesModuleAbove = repeatPx * (stride + 1) <= windowBytes;
  const sameAsAbove = rowComparison(bytes, stride);
  for (let y = 0; y < height; y++) {
    const line = lines.subarray(y * (stride + 1), (y + 1) * (stride + 1));
    const row = bytes.subarray(y * stride, (y + 1) * stride);
    if (seesModuleAbove || y === 0) {
      line.set(row, 1);
      continue;
    }
    line[0] = filterUp;
    if (sameAsAbove(y)) continue;
    const above = bytes.subarray((y - 1) * stride, y * stride);
    if (fillDifference(line, row, above)) continue;
    line[0] = 0;
    line.set(row, 1);
  }
  return lines;
}

/** A row that is written as the difference to the one above. */
const filterUp = 2;

/**
 * Writes the difference of two rows behind the filter byte of a line.
 *
 * @returns whether it changes from byte to byte no more often than the row itself
 */
function fillDifference(line: Uint8Array, row: Uint8Array, above: Uint8Array): boolean {
  let saved = 0;
  let [byteBefore, differenceBefore] = [0, 0];
  for (let x = 0; x < row.length; x++) {
    const byte = row[x] ?? 0;
    const difference = (byte - (above[x] ?? 0)) & 255;
    if (byte !== byteBefore) saved++;
    if (difference !== differenceBefore) saved--;
    line[x + 1] = difference;
    byteBefore = byte;
    differenceBefore = difference;
  }
  return saved >= 0;
}
