import { type LightMap, toneOf } from './light.ts';

/** Square image in black and white. */
export interface BinaryImage {
  readonly widthPx: number;
  readonly pxPerModule: number;
  /** Returns whether the pixel at a point is dark; false outside of the image. */
  isDark(x: number, y: number): boolean;
  /** Returns all pixels row by row, 1 for dark, of which at least these rows are computed. */
  darkRows(first: number, last: number): Uint8Array;
}

/** Below this difference from the mean, in code values of 0 to 255, a pixel counts as light (as in ZBar). */
export const darkByCodes = 3;

/** Scanners take at least this fraction of the picture's width for the window. */
export const windowsPerWidth = 8;

/**
 * Applies a local threshold: a pixel is dark that is darker than the mean of a square window around it.
 * Scanners take a window that no finder pattern fills.
 *
 * @param windowsModules sides of the window, in modules
 * @returns one image for each window
 */
export function binarize(map: LightMap, windowsModules: readonly number[]): BinaryImage[] {
  const { widthPx, pxPerModule } = map;
  const tones = map.light.map(toneOf);
  const seen = { tones, sums: summed(tones, widthPx), widthPx, darkBy: darkByCodes / 255 };
  return windowsModules.map((side) => {
    const half = Math.round((side * pxPerModule) / 2);
    return lazyBinaryImage(map, (dark, row) => compareRow(dark, row, { ...seen, half }));
  });
}

/** Tones and their summed-area table; the window reaches `half` pixels to each side. */
interface Summed {
  readonly tones: Float32Array;
  readonly sums: Float64Array;
  readonly widthPx: number;
  readonly half: number;
  readonly darkBy: number;
}

/**
 * Creates a binary image whose rows are computed on first use: most never are.
 *
 * @param compare writes a row into all pixels, 1 for dark
 */
export function lazyBinaryImage(
  { widthPx, pxPerModule }: Pick<BinaryImage, 'widthPx' | 'pxPerModule'>,
  compare: (dark: Uint8Array, row: number) => void,
): BinaryImage {
  const dark = new Uint8Array(widthPx * widthPx);
  const isKnown = new Uint8Array(widthPx);
  const know = (row: number) => {
    if (isKnown[row] === 1) return;
    compare(dark, row);
    isKnown[row] = 1;
  };
  const isDark = (x: number, y: number) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    if (column < 0 || row < 0 || column >= widthPx || row >= widthPx) return false;
    know(row);
    return dark[row * widthPx + column] === 1;
  };
  const darkRows = (first: number, last: number) => {
    for (let row = Math.max(0, first); row <= Math.min(widthPx - 1, last); row++) know(row);
    return dark;
  };
  return { widthPx, pxPerModule, isDark, darkRows };
}

function compareRow(dark: Uint8Array, row: number, seen: Summed): void {
  const { tones, sums, widthPx, half, darkBy } = seen;
  const top = Math.max(0, row - half);
  const bottom = Math.min(widthPx, row + half);
  const [upper, lower] = [top * (widthPx + 1), bottom * (widthPx + 1)];
  for (let column = 0; column < widthPx; column++) {
    const left = Math.max(0, column - half);
    const right = Math.min(widthPx, column + half);
    const below = (sums[lower + right] ?? 0) - (sums[lower + left] ?? 0);
    const above = (sums[upper + right] ?? 0) - (sums[upper + left] ?? 0);
    const mean = (below - above) / ((right - left) * (bottom - top));
    const place = row * widthPx + column;
    dark[place] = (tones[place] ?? 0) + darkBy < mean ? 1 : 0;
  }
}

/** Computes the summed-area table of the tones, one row and column longer. */
function summed(tones: Float32Array, widthPx: number): Float64Array {
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
