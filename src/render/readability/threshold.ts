import { type LightMap, toneOf } from './light.ts';

/** Square image in black and white. */
export interface BinaryImage {
  readonly widthPx: number;
  readonly pxPerModule: number;
  /** Row by row, 1 for dark. */
  readonly dark: Uint8Array;
}

/** Minimum difference of a dark pixel from the mean, as in ZBar. */
const darkBy = 3 / 255;

/** Minimum window of scanners: the picture's width divided by this. */
export const windowsPerWidth = 8;

/**
 * Applies a local threshold.
 * A pixel that is darker than the mean of a square window around it is dark.
 *
 * @param windowPx side of the window
 */
export function binarize({ light, widthPx, pxPerModule }: LightMap, windowPx: number): BinaryImage {
  const tones = light.map(toneOf);
  const sums = summedAreas(tones, widthPx);
  const stride = widthPx + 1;
  const half = Math.round(windowPx / 2);
  const dark = new Uint8Array(widthPx * widthPx);
  for (let y = 0; y < widthPx; y++) {
    const top = Math.max(0, y - half);
    const bottom = Math.min(widthPx, y + half);
    for (let x = 0; x < widthPx; x++) {
      const left = Math.max(0, x - half);
      const right = Math.min(widthPx, x + half);
      const below = (sums[bottom * stride + right] ?? 0) - (sums[bottom * stride + left] ?? 0);
      const above = (sums[top * stride + right] ?? 0) - (sums[top * stride + left] ?? 0);
      const mean = (below - above) / ((right - left) * (bottom - top));
      dark[y * widthPx + x] = (tones[y * widthPx + x] ?? 0) + darkBy < mean ? 1 : 0;
    }
  }
  return { widthPx, pxPerModule, dark };
}

/** Computes the summed-area table of the tones, one row and column longer. */
function summedAreas(tones: Float32Array, widthPx: number): Float64Array {
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
