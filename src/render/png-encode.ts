import { zlibSync } from 'fflate';
import { join } from './logo-picture.ts';
import { pngChunk, pngSignature } from './png-file.ts';
import { type Rows, rowComparison, rowsOf } from './png-rows.ts';
import type { Raster } from './raster.ts';

/** How far back DEFLATE can point (RFC 1951). */
const windowBytes = 32_768;

/** Indexed pictures shrink by a tenth over the level below and hardly at all above. */
const indexedLevel = 8;
/** A logo in many colours is large and hardly shrinks beyond this, at half the time. */
const rgbLevel = 6;

/**
 * Writes a raster as PNG, with a palette where its colours fit into one. The compressor is ours to
 * pin: the one that comes with the runtime gives other bytes from version to version, and images are
 * promised to stay the same to the byte.
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
  const data = zlibSync(filtered(rows, repeatPx), {
    level: palette === null ? rgbLevel : indexedLevel,
  });
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
    if (!seesModuleAbove && sameAsAbove(y)) {
      line[0] = 2;
      continue;
    }
    const row = bytes.subarray(y * stride, (y + 1) * stride);
    line.set(row, 1);
    if (seesModuleAbove || y === 0) continue;
    const above = bytes.subarray((y - 1) * stride, y * stride);
    const difference = row.map((value, x) => value - (above[x] ?? 0));
    if (changesIn(difference) > changesIn(row)) continue;
    line[0] = 2;
    line.set(difference, 1);
  }
  return lines;
}

function changesIn(row: Uint8Array): number {
  let changes = 0;
  for (let x = 1; x < row.length; x++) if (row[x] !== row[x - 1]) changes++;
  return changes;
}
