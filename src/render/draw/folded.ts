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

/** A raster of few colours, each pixel the number of its colour. */
export interface IndexedRaster {
  readonly widthPx: number;
  readonly indexes: Uint8Array;
  /** For each row of the picture, which row of `indexes` it is. */
  readonly rows: Uint32Array;
  /** Red, green, blue and alpha in one number, in the order of the numbers in `indexes`. */
  readonly colors: Int32Array;
}

/** Finds the rows that repeat; pixels are neither copied nor dropped. */
export function folded({ widthPx, rgba }: Raster): FoldedRaster {
  return { widthPx, rgba, rows: repeating(rgba, widthPx) };
}

/** For each row of a square picture the first of those before it that are the same, or itself. */
export function repeating(pixels: Uint8Array, widthPx: number): Uint32Array {
  const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  const rowBytes = pixels.length / widthPx;
  const rows = new Uint32Array(widthPx);
  for (let y = 1; y < widthPx; y++) {
    const start = y * rowBytes;
    const end = start + rowBytes;
    const isSame = buffer.compare(buffer, start - rowBytes, start, start, end) === 0;
    rows[y] = isSame ? (rows[y - 1] ?? 0) : y;
  }
  return rows;
}

/** The raster with all of its rows. */
export function expanded({ widthPx, rgba, rows }: FoldedRaster): Raster {
  const rowBytes = widthPx * 4;
  const all = new Uint8Array(rows.length * rowBytes);
  for (const [y, row] of rows.entries())
    all.set(rgba.subarray(row * rowBytes, (row + 1) * rowBytes), y * rowBytes);
  return { widthPx, rgba: all };
}

/** An indexed raster that holds all of its rows, where those from `top` to before `bottom` stand for no other. */
export function shownApart(raster: IndexedRaster, top: number, bottom: number): IndexedRaster {
  const rows = raster.rows.map((row, y) => {
    if (y >= top && y < bottom) return y;
    // The first below begins anew if it repeated one of those.
    return row >= top && row < bottom ? bottom : row;
  });
  return { ...raster, rows };
}

/** An indexed raster that holds all of its rows, in RGBA: those that are kept are coloured. */
export function colored({ widthPx, rows, indexes, colors }: IndexedRaster): FoldedRaster {
  const pixels = new Int32Array(indexes.length);
  for (let y = 0; y < widthPx; y++) {
    if (rows[y] !== y) continue;
    const end = (y + 1) * widthPx;
    for (let at = y * widthPx; at < end; at++) pixels[at] = colors[indexes[at] ?? 0] ?? 0;
  }
  return { widthPx, rows, rgba: new Uint8Array(pixels.buffer) };
}
