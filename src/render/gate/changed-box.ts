import type { PixelBox, PixelGrid } from '../draw/raster.ts';
import { type Binary, binaryOf, darkByCodes } from './threshold.ts';

/**
 * Black and white, as a scanner sees them that is given code values of 0 to 255, of pictures that differ
 * from one in a box alone. What lies around the box is added up once for all of them.
 *
 * @param codes of the picture that they differ from, row by row
 * @param windowPx side of the square that a pixel is compared with
 */
export function createBinarizer(codes: Uint8Array, grid: PixelGrid, windowPx: number) {
  const { widthPx } = grid;
  const all = { left: 0, right: widthPx, top: 0, bottom: widthPx };
  const sums = summed(all, widthPx, codes, new Uint8Array(codes.length));
  const half = Math.round(windowPx / 2);
  const columnSums = new Int32Array(widthPx + 1);
  /** @param changed the other picture's code values, which are not to change while it is looked at */
  return (changed: Uint8Array, box: PixelBox): Binary => {
    const changes = summed(box, widthPx, changed, codes);
    const inBox = (row: number) => Math.max(box.top, Math.min(box.bottom, row)) - box.top;
    const stride = box.right - box.left + 1;
    return binaryOf(grid, (dark, row) => {
      const top = Math.max(0, row - half);
      const bottom = Math.min(widthPx, row + half);
      const [upper, lower] = [top * (widthPx + 1), bottom * (widthPx + 1)];
      const [upperChange, lowerChange] = [inBox(top) * stride, inBox(bottom) * stride];
      for (let column = 0; column <= widthPx; column++) {
        const change = Math.max(0, Math.min(stride - 1, column - box.left));
        columnSums[column] =
          (sums[lower + column] ?? 0) -
          (sums[upper + column] ?? 0) +
          (changes[lowerChange + change] ?? 0) -
          (changes[upperChange + change] ?? 0);
      }
      const start = row * widthPx;
      for (let column = 0; column < widthPx; column++) {
        const left = Math.max(0, column - half);
        const right = Math.min(widthPx, column + half);
        const total = (columnSums[right] ?? 0) - (columnSums[left] ?? 0);
        const pixels = (right - left) * (bottom - top);
        const code = changed[start + column] ?? 0;
        dark[start + column] = (code + darkByCodes) * pixels < total ? 1 : 0;
      }
    });
  };
}

/** Sums of differences left of and above each corner of a box's pixels, one row and column longer. */
function summed(
  { left, right, top, bottom }: PixelBox,
  widthPx: number,
  codes: Uint8Array,
  without: Uint8Array,
): Int32Array {
  const stride = right - left + 1;
  const sums = new Int32Array(stride * (bottom - top + 1));
  let at = stride + 1;
  for (let y = top; y < bottom; y++) {
    let row = 0;
    for (let pixel = y * widthPx + left; pixel < y * widthPx + right; pixel++) {
      row += (codes[pixel] ?? 0) - (without[pixel] ?? 0);
      sums[at] = (sums[at - stride] ?? 0) + row;
      at++;
    }
    at++;
  }
  return sums;
}
