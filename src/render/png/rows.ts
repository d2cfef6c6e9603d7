import type { FoldedRaster, IndexedRaster } from '../draw/folded.ts';
import { createPalette } from '../draw/palette.ts';

/** The rows of a PNG, packed as its colour type wants them. */
export interface Rows {
  /** 1 for each row that equals the one above it; most do, because a module is many pixels high. */
  readonly repeats: Uint8Array;
  /** Bytes of one row, the filter byte not counted. */
  readonly rowBytes: number;
  /** Writes row `y` into an empty row. */
  pack(y: number, row: Uint8Array): void;
  /** Colours as RGB behind each other, or null when the rows hold RGB themselves. */
  readonly palette: Uint8Array | null;
  /** Bits of a palette index; 8 for RGB. */
  readonly depth: 1 | 2 | 4 | 8;
}

/**
 * Packs a raster with a palette where its colours fit into one, and as RGB where they do not
 * (palette.ts).
 */
export function rowsOf(raster: FoldedRaster | IndexedRaster): Rows {
  const repeats = Uint8Array.from(raster.rows, (row, y) => (row === raster.rows[y - 1] ? 1 : 0));
  if ('indexes' in raster) return indexedRows(raster, repeats);
  const indexed = indexedOf(raster, repeats);
  return indexed === null ? rgbRows(raster, repeats) : indexedRows(indexed, repeats);
}

function indexedRows(raster: IndexedRaster, repeats: Uint8Array): Rows {
  const { colors } = raster;
  const depth = colors.length <= 2 ? 1 : colors.length <= 4 ? 2 : colors.length <= 16 ? 4 : 8;
  const palette = new Uint8Array(colors.length * 3);
  fillRgb(palette, colors);
  return { ...packing(raster, depth), repeats, palette, depth };
}

/** Null when there are too many colours. Rows that repeat the one above stay empty. */
function indexedOf(
  { rgba, widthPx, rows }: FoldedRaster,
  repeats: Uint8Array,
): IndexedRaster | null {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const indexes = new Uint8Array(pixels.length);
  const palette = createPalette([]);
  let color = pixels[0] ?? 0;
  let index = palette.numberOf(color) ?? 0;
  for (let y = 0; y < widthPx; y++) {
    if (repeats[y] === 1) continue;
    const start = (rows[y] ?? 0) * widthPx;
    for (let at = start; at < start + widthPx; at++) {
      const here = pixels[at] ?? 0;
      if (here !== color) {
        color = here;
        const found = palette.numberOf(here);
        if (found === null) return null;
        index = found;
      }
      indexes[at] = index;
    }
  }
  return { widthPx, rows, indexes, colors: Int32Array.from(palette.colors) };
}

/** Several indexes a byte, the first in the highest bits (W3C PNG, clause 7.2). */
function packing({ widthPx, rows, indexes }: IndexedRaster, depth: number) {
  const perByte = 8 / depth;
  const pack = (y: number, row: Uint8Array) => {
    const from = widthPx * (rows[y] ?? 0);
    if (depth === 8) return row.set(indexes.subarray(from, from + widthPx));
    for (let x = 0; x < widthPx; x++) {
      const shift = 8 - depth - (x % perByte) * depth;
      const at = Math.floor(x / perByte);
      row[at] = (row[at] ?? 0) | ((indexes[from + x] ?? 0) << shift);
    }
  };
  return { rowBytes: Math.ceil(widthPx / perByte), pack };
}

function rgbRows({ rgba, widthPx, rows }: FoldedRaster, repeats: Uint8Array): Rows {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const pack = (y: number, row: Uint8Array) => {
    const start = (rows[y] ?? 0) * widthPx;
    fillRgb(row, pixels.subarray(start, start + widthPx));
  };
  return { repeats, rowBytes: widthPx * 3, pack, palette: null, depth: 8 };
}

/** Writes pixels without their alpha. */
function fillRgb(rgb: Uint8Array, pixels: Int32Array): void {
  for (let at = 0, to = 0; at < pixels.length; at++, to += 3) {
    const pixel = pixels[at] ?? 0;
    rgb[to] = pixel;
    rgb[to + 1] = pixel >> 8;
    rgb[to + 2] = pixel >> 16;
  }
}
