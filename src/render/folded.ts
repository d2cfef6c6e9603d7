import type { Raster } from './pixel-grid.ts';

/**
 * A raster that keeps rows only once where several in a row are the same. Most are, because a module is
 * many pixels high: plain squares at 4096 px take half a megabyte instead of 67.
 */
export interface FoldedRaster {
  readonly widthPx: number;
  /** The rows that are kept, in RGBA. */
  readonly rgba: Uint8Array;
  /** For each row of the picture, which row of `rgba` it is. */
  readonly rows: Uint32Array;
}

/** Finds the rows that repeat; pixels are neither copied nor dropped. */
export function folded({ widthPx, rgba }: Raster): FoldedRaster {
  const buffer = Buffer.from(rgba.buffer, rgba.byteOffset, rgba.length);
  const rowBytes = widthPx * 4;
  const rows = new Uint32Array(widthPx);
  for (let y = 1; y < widthPx; y++) {
    const start = y * rowBytes;
    const end = start + rowBytes;
    const isSame = buffer.compare(buffer, start - rowBytes, start, start, end) === 0;
    rows[y] = isSame ? (rows[y - 1] ?? 0) : y;
  }
  return { widthPx, rgba, rows };
}

/** The raster with all of its rows. */
export function unfolded({ widthPx, rgba, rows }: FoldedRaster): Raster {
  const rowBytes = widthPx * 4;
  const all = new Uint8Array(rows.length * rowBytes);
  for (const [y, row] of rows.entries())
    all.set(rgba.subarray(row * rowBytes, (row + 1) * rowBytes), y * rowBytes);
  return { widthPx, rgba: all };
}
