import type { Raster } from '../pixel-grid.ts';

/** The pixels of a PNG, row by row, packed as its colour type wants them. */
export interface Rows {
  /** Bytes of one row. */
  readonly stride: number;
  readonly bytes: Uint8Array;
  /** Colours as RGB behind each other, or null when the rows hold RGB themselves. */
  readonly palette: Uint8Array | null;
  /** Bits of a palette index; 8 for RGB. */
  readonly depth: 1 | 2 | 4 | 8;
}

/** More colours than an index of 8 bits can name. */
const mostColors = 256;

/** Packs a raster with a palette where its colours fit into one, and as RGB where they do not. */
export function rowsOf(raster: Raster): Rows {
  const indexed = indexedBy(raster);
  if (indexed === null) return rgbRows(raster);
  const { colors, indexes } = indexed;
  const depth = colors.length <= 2 ? 1 : colors.length <= 4 ? 2 : colors.length <= 16 ? 4 : 8;
  return { ...packed(indexes, raster.widthPx, depth), depth, palette: rgbOf(colors) };
}

/** The index of each pixel's colour, in the order in which colours first appear; null over 256. */
function indexedBy({ rgba, widthPx }: Raster) {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, widthPx * widthPx);
  const sameAsAbove = rowComparison(rgba, widthPx * 4);
  const indexes = new Uint8Array(pixels.length);
  const known = new Map<number, number>();
  let [color, index] = [-1, 0];
  for (let y = 0; y < widthPx; y++) {
    const start = y * widthPx;
    if (sameAsAbove(y)) {
      indexes.copyWithin(start, start - widthPx, start);
      continue;
    }
    for (let at = start; at < start + widthPx; at++) {
      const here = pixels[at] ?? 0;
      if (here !== color) {
        color = here;
        index = known.get(here) ?? known.size;
        if (index === mostColors) return null;
        known.set(here, index);
      }
      indexes[at] = index;
    }
  }
  return { colors: Uint32Array.from(known.keys()), indexes };
}

/** Several indexes a byte, the first in the highest bits (W3C PNG, clause 7.2). */
function packed(indexes: Uint8Array, widthPx: number, depth: number) {
  if (depth === 8) return { stride: widthPx, bytes: indexes };
  const perByte = 8 / depth;
  const stride = Math.ceil(widthPx / perByte);
  const bytes = new Uint8Array(stride * widthPx);
  const sameAsAbove = rowComparison(indexes, widthPx);
  for (let y = 0; y < widthPx; y++) {
    if (sameAsAbove(y)) {
      bytes.copyWithin(y * stride, (y - 1) * stride, y * stride);
      continue;
    }
    for (let x = 0; x < widthPx; x++) {
      const at = y * stride + Math.floor(x / perByte);
      bytes[at] =
        (bytes[at] ?? 0) | ((indexes[y * widthPx + x] ?? 0) << (8 - depth - (x % perByte) * depth));
    }
  }
  return { stride, bytes };
}

function rgbRows({ rgba, widthPx }: Raster): Rows {
  return { stride: widthPx * 3, bytes: withoutAlpha(rgba), palette: null, depth: 8 };
}

function rgbOf(colors: Uint32Array): Uint8Array {
  return withoutAlpha(new Uint8Array(colors.buffer));
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from] ?? 0;
    rgb[to + 1] = rgba[from + 1] ?? 0;
    rgb[to + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
}

/** Whether a row equals the one above it; most do, because a module is many pixels high. */
export function rowComparison(bytes: Uint8Array, stride: number): (y: number) => boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (y) => {
    const start = y * stride;
    return y > 0 && buffer.compare(buffer, start - stride, start, start, start + stride) === 0;
  };
}
