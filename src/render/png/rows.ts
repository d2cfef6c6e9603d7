import { createPalette } from '../draw/palette.ts';
import type { IndexedRaster, RgbaRaster } from '../draw/raster.ts';

/** The scanlines of a PNG, packed as its colour type requires. */
export interface Rows {
  /** 1 for each row that equals the one above it. Most do: a module is many pixels high. */
  readonly repeats: Uint8Array;
  /** Bytes per row, without the filter byte. */
  readonly rowBytes: number;
  /** Writes row `y` into a zeroed row. */
  pack(y: number, row: Uint8Array): void;
  /** RGB colours one after another, or null when the rows hold RGB themselves. */
  readonly palette: Uint8Array | null;
  /** Bits per palette index; 8 for RGB. */
  readonly depth: 1 | 2 | 4 | 8;
}

/** Packs a raster with a palette if it has one or its colours fit into one, else as RGB. */
export function rowsOf(raster: IndexedRaster | RgbaRaster): Rows {
  const pixels = 'rgba' in raster ? raster.rgba : raster.indexes;
  const repeats = repeatedRows(pixels, raster.widthPx);
  const indexed = 'rgba' in raster ? indexedOf(raster, repeats) : raster;
  return indexed === null ? rgbRows(raster as RgbaRaster, repeats) : indexedRows(indexed, repeats);
}

/** Marks the rows of a square raster that equal the one above. */
function repeatedRows(pixels: Uint8Array, widthPx: number): Uint8Array {
  const buffer = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  const rowBytes = pixels.length / widthPx;
  return Uint8Array.from({ length: widthPx }, (_, y) => {
    const start = y * rowBytes;
    if (y === 0) return 0;
    return buffer.compare(buffer, start - rowBytes, start, start, start + rowBytes) === 0 ? 1 : 0;
  });
}

function indexedRows(raster: IndexedRaster, repeats: Uint8Array): Rows {
  const { colors } = raster;
  const depth = colors.length <= 2 ? 1 : colors.length <= 4 ? 2 : colors.length <= 16 ? 4 : 8;
  const palette = new Uint8Array(colors.length * 3);
  fillRgb(palette, Int32Array.from(colors));
  return { ...packing(raster, depth), repeats, palette, depth };
}

/** Indexes a raster, or returns null when it has too many colours. Repeated rows stay empty. */
function indexedOf({ rgba, widthPx }: RgbaRaster, repeats: Uint8Array): IndexedRaster | null {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const indexes = new Uint8Array(pixels.length);
  const palette = createPalette([]);
  for (let y = 0; y < widthPx; y++) {
    if (repeats[y] === 1) continue;
    for (let at = y * widthPx; at < (y + 1) * widthPx; at++) {
      const index = palette.indexOf(pixels[at] ?? 0);
      if (index === null) return null;
      indexes[at] = index;
    }
  }
  return { widthPx, indexes, colors: palette.colors };
}

/** Packs several indexes into a byte, the first in the highest bits (W3C PNG, clause 7.2). */
function packing({ widthPx, indexes }: IndexedRaster, depth: number) {
  const perByte = 8 / depth;
  const pack = (y: number, row: Uint8Array) => {
    const from = widthPx * y;
    if (depth === 8) return row.set(indexes.subarray(from, from + widthPx));
    for (let x = 0; x < widthPx; x++) {
      const shift = 8 - depth - (x % perByte) * depth;
      const at = Math.floor(x / perByte);
      row[at] = (row[at] ?? 0) | ((indexes[from + x] ?? 0) << shift);
    }
  };
  return { rowBytes: Math.ceil(widthPx / perByte), pack };
}

function rgbRows({ rgba, widthPx }: RgbaRaster, repeats: Uint8Array): Rows {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  const pack = (y: number, row: Uint8Array) =>
    fillRgb(row, pixels.subarray(y * widthPx, (y + 1) * widthPx));
  return { repeats, rowBytes: widthPx * 3, pack, palette: null, depth: 8 };
}

/** Writes pixels without alpha. */
function fillRgb(rgb: Uint8Array, pixels: Int32Array): void {
  for (let at = 0, to = 0; at < pixels.length; at++, to += 3) {
    const pixel = pixels[at] ?? 0;
    rgb[to] = pixel;
    rgb[to + 1] = pixel >> 8;
    rgb[to + 2] = pixel >> 16;
  }
}
