import { deflate } from '../png/deflate/deflate.ts';
import { colorTypes, filters, paeth, pngFile } from '../png/file.ts';
import { type Picture, totalModules } from './picture.ts';
import { type IndexedRaster, pixelGrid, type RgbaRaster, rasterize } from './raster.ts';

/**
 * Draws a square PNG exactly `widthPx` wide.
 * Modules lie on whole pixels; the remainder widens the quiet zone on all sides.
 *
 * @throws RangeError when the symbol has more modules than the picture has pixels
 */
export function pngOf(picture: Picture, widthPx: number): Uint8Array {
  return encodePng(rasterize(picture, pixelGrid(totalModules(picture.layout), widthPx)));
}

/** Encodes a raster as PNG, with a palette if it has one, else in RGB. */
export function encodePng(raster: IndexedRaster | RgbaRaster): Uint8Array {
  const size = { widthPx: raster.widthPx, heightPx: raster.widthPx };
  if ('rgba' in raster) {
    const header = { ...size, depth: 8, colorType: colorTypes.rgb } as const;
    return pngFile(header, [['IDAT', deflate(rgbRows(raster))]]);
  }
  const depth = depthFor(raster.colors.length);
  return pngFile({ ...size, depth, colorType: colorTypes.palette }, [
    ['PLTE', paletteOf(raster.colors)],
    ['IDAT', deflate(indexedRows(raster, depth))],
  ]);
}

/** Returns the bits per palette index. */
function depthFor(colors: number): 1 | 2 | 4 | 8 {
  if (colors <= 2) return 1;
  if (colors <= 4) return 2;
  return colors <= 16 ? 4 : 8;
}

function paletteOf(colors: readonly number[]): Uint8Array {
  return Uint8Array.from(colors.flatMap((color) => [color, color >> 8, color >> 16]));
}

/**
 * Packs indexes into rows, the first in the highest bits (W3C PNG, clause 7.2).
 * A row that equals the one above becomes zeros with the filter Up, which compress best; others stay unfiltered.
 */
function indexedRows({ widthPx, indexes }: IndexedRaster, depth: number): Uint8Array {
  const rowBytes = 1 + Math.ceil((widthPx * depth) / 8);
  const rows = new Uint8Array(rowBytes * widthPx);
  const background = Buffer.alloc(widthPx);
  for (let y = 0; y < widthPx; y++) {
    const row = rowOf(indexes, widthPx, y);
    const start = y * rowBytes;
    if (row.equals(background)) continue;
    if (y > 0 && row.equals(rowOf(indexes, widthPx, y - 1))) {
      rows[start] = filters.up;
      continue;
    }
    for (let x = 0, bit = 0; x < widthPx; x++, bit += depth) {
      const at = start + 1 + (bit >> 3);
      rows[at] = (rows[at] ?? 0) | ((row[x] ?? 0) << (8 - depth - (bit & 7)));
    }
  }
  return rows;
}

/** Writes pixels as RGB rows. The filter Paeth suits photographs; equal rows get Up as above. */
function rgbRows({ widthPx, rgba }: RgbaRaster): Uint8Array {
  const stride = widthPx * 4;
  const rows = new Uint8Array((1 + widthPx * 3) * widthPx);
  let above: Buffer = Buffer.alloc(stride);
  for (let y = 0; y < widthPx; y++) {
    const row = rowOf(rgba, stride, y);
    let to = y * (1 + widthPx * 3);
    if (row.equals(above)) {
      rows[to] = filters.up;
      continue;
    }
    rows[to++] = filters.paeth;
    for (let x = 0; x < stride; x++) {
      if ((x & 3) === 3) continue;
      const left = x < 4 ? 0 : (row[x - 4] ?? 0);
      const corner = x < 4 ? 0 : (above[x - 4] ?? 0);
      rows[to++] = (row[x] ?? 0) - paeth(left, above[x] ?? 0, corner);
    }
    above = row;
  }
  return rows;
}

function rowOf(pixels: Uint8Array, rowBytes: number, y: number): Buffer {
  return Buffer.from(pixels.buffer, pixels.byteOffset + y * rowBytes, rowBytes);
}
