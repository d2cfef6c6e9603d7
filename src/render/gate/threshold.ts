import type { Raster } from '../pixel-grid.ts';
import { type LightMap, lumaCodesOf, toneOf } from './reflectance.ts';

/** A picture in black and white, as a scanner sees it that compares each pixel with its surroundings. */
export interface Binary {
  readonly widthPx: number;
  readonly pxPerModule: number;
  /** For any point in pixels; light outside of the picture. */
  isDark(x: number, y: number): boolean;
}

/** Below this difference from the mean, in code values of 0 to 255, a pixel counts as light (as in ZBar). */
const darkByCodes = 3;

/**
 * Dark is what is darker than the mean of a square around it. Scanners take an eighth of the picture
 * or more for that square, so that no finder pattern fills it.
 *
 * @param windowsModules sides of the square, in modules: one binary picture for each
 */
export function binarized(map: LightMap, windowsModules: readonly number[]): Binary[] {
  const tones = map.light.map(toneOf);
  const sums = summed(tones, map.widthPx);
  return windowsModules.map((side) =>
    compared(tones, sums, map, Math.round((side * map.pxPerModule) / 2), darkByCodes / 255),
  );
}

/** The same of a picture in RGBA, with the code values that a scanner is given. */
export function binaryOf(raster: Raster, pxPerModule: number, windowPx: number): Binary {
  const { widthPx } = raster;
  const codes = lumaCodesOf(raster);
  const sums = summed(codes, widthPx);
  return compared(codes, sums, { widthPx, pxPerModule }, Math.round(windowPx / 2), darkByCodes);
}

function compared(
  tones: Float32Array | Uint8Array,
  sums: Float64Array,
  { widthPx, pxPerModule }: Pick<Binary, 'widthPx' | 'pxPerModule'>,
  half: number,
  darkBy: number,
): Binary {
  const stride = widthPx + 1;
  // Most pixels are never asked for and some often: 0 is not known yet, 1 light, 2 dark.
  const known = new Uint8Array(widthPx * widthPx);
  const isDark = (x: number, y: number) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    if (column < 0 || row < 0 || column >= widthPx || row >= widthPx) return false;
    const place = row * widthPx + column;
    if (known[place] !== 0) return known[place] === 2;
    const left = Math.max(0, column - half);
    const right = Math.min(widthPx, column + half);
    const top = Math.max(0, row - half);
    const bottom = Math.min(widthPx, row + half);
    const lower = (sums[bottom * stride + right] ?? 0) - (sums[bottom * stride + left] ?? 0);
    const upper = (sums[top * stride + right] ?? 0) - (sums[top * stride + left] ?? 0);
    const mean = (lower - upper) / ((right - left) * (bottom - top));
    const dark = (tones[place] ?? 0) + darkBy < mean;
    known[place] = dark ? 2 : 1;
    return dark;
  };
  return { widthPx, pxPerModule, isDark };
}

/** Sums over all that is left of and above each corner of a pixel, one row and column longer. */
function summed(tones: Float32Array | Uint8Array, widthPx: number): Float64Array {
  const stride = widthPx + 1;
  const sums = new Float64Array(stride * stride);
  for (let y = 0; y < widthPx; y++) {
    let row = 0;
    for (let x = 0; x < widthPx; x++) {
      row += tones[y * widthPx + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  return sums;
}
