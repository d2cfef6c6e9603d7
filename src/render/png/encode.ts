import type { FoldedRaster, IndexedRaster } from '../folded.ts';
import { join } from '../logo/picture.ts';
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
export function encodePng(raster: FoldedRaster | IndexedRaster, repeatPx: number): Uint8Array {
  const rows = rowsOf(raster);
  const { palette, depth } = rows;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, raster.widthPx);
  view.setUint32(4, raster.widthPx);
  header.set([depth, palette === null ? 2 : 3], 8);
  const pixelBytes = palette === null ? 3 : 1;
  return join([
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
 * Puts a filter byte in front of every row (W3C PNG, clause 9). Rows stay as they are while DEFLATE
 * can still see the module above; where it cannot, a row becomes its difference to the one above
 * if that has no more changes in it.
 */
function filtered({ repeats, rowBytes, pack }: Rows, repeatPx: number): Uint8Array {
  const lineBytes = rowBytes + 1;
  const lines = new Uint8Array(lineBytes * repeats.length);
  const seesModuleAbove = repeatPx * lineBytes <= windowBytes;
  let [row, above] = [new Uint8Array(rowBytes), new Uint8Array(rowBytes)];
  for (let y = 0; y < repeats.length; y++) {
    const start = y * lineBytes;
    if (repeats[y] === 1) {
      if (seesModuleAbove) lines.copyWithin(start, start - lineBytes, start);
      else lines[start] = filterUp;
      continue;
    }
    const line = lines.subarray(start + 1, start + lineBytes);
    pack(y, line);
    if (seesModuleAbove) continue;
    [row, above] = [above, row];
    row.set(line);
    if (y === 0 || !isCalmerAsDifference(row, above)) continue;
    lines[start] = filterUp;
    subtract(line, above);
  }
  return lines;
}

/** Whether the difference to the row above changes from byte to byte no more often than the row itself. */
function isCalmerAsDifference(row: Uint8Array, above: Uint8Array): boolean {
  let saved = 0;
  let byteBefore = 0;
  let differenceBefore = 0;
  for (let x = 0; x < row.length; x++) {
    const byte = row[x] ?? 0;
    const difference = (byte - (above[x] ?? 0)) & 255;
    if (byte !== byteBefore) saved++;
    if (difference !== differenceBefore) saved--;
    byteBefore = byte;
    differenceBefore = difference;
  }
  return saved >= 0;
}

function subtract(row: Uint8Array, above: Uint8Array): void {
  for (let x = 0; x < row.length; x++) row[x] = (row[x] ?? 0) - (above[x] ?? 0);
}
