import type { Pixels } from './pixels.ts';

/** The size of a picture whose longer side is brought down to a bound; never up. */
function fitInside(widthPx: number, heightPx: number, longerSidePx: number) {
  const factor = Math.min(1, longerSidePx / Math.max(widthPx, heightPx));
  return {
    widthPx: Math.max(1, Math.round(widthPx * factor)),
    heightPx: Math.max(1, Math.round(heightPx * factor)),
  };
}

/**
 * Reduces a picture by averaging areas, colours weighted by their alpha. Bun.Image's own resizing
 * does not weigh them, so that the invisible colour of transparent pixels bleeds into the edges.
 */
export function reduce(pixels: Pixels, longerSidePx: number): Pixels {
  const { widthPx, heightPx } = fitInside(pixels.widthPx, pixels.heightPx, longerSidePx);
  if (widthPx === pixels.widthPx && heightPx === pixels.heightPx) return pixels;
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  const columns = spans(pixels.widthPx, widthPx);
  const rows = spans(pixels.heightPx, heightPx);
  const sums = new Float64Array(4);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      sumArea(pixels, columns, x, rows, y, sums);
      const [red = 0, green = 0, blue = 0, alpha = 0] = sums;
      if (alpha === 0) continue;
      const area = (pixels.widthPx / widthPx) * (pixels.heightPx / heightPx);
      const at = (y * widthPx + x) * 4;
      rgba[at] = Math.round(red / alpha);
      rgba[at + 1] = Math.round(green / alpha);
      rgba[at + 2] = Math.round(blue / alpha);
      rgba[at + 3] = Math.round(alpha / area);
    }
  }
  return { widthPx, heightPx, rgba };
}

/** Where each target pixel begins and ends among the source pixels; the end is the next begin. */
function spans(from: number, to: number): Float64Array {
  return Float64Array.from({ length: to + 1 }, (_, index) => (index * from) / to);
}

/** Sums one target pixel's area into `sums`: colours times alpha, and alpha. */
function sumArea(
  { widthPx, rgba }: Pixels,
  columns: Float64Array,
  x: number,
  rows: Float64Array,
  y: number,
  sums: Float64Array,
): void {
  const left = columns[x] ?? 0;
  const right = columns[x + 1] ?? 0;
  const top = rows[y] ?? 0;
  const bottom = rows[y + 1] ?? 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let row = Math.floor(top); row < bottom; row++) {
    const share = Math.min(row + 1, bottom) - Math.max(row, top);
    for (let column = Math.floor(left); column < right; column++) {
      const at = (row * widthPx + column) * 4;
      const covered = share * (Math.min(column + 1, right) - Math.max(column, left));
      const weight = covered * (rgba[at + 3] ?? 0);
      red += weight * (rgba[at] ?? 0);
      green += weight * (rgba[at + 1] ?? 0);
      blue += weight * (rgba[at + 2] ?? 0);
      alpha += weight;
    }
  }
  sums.set([red, green, blue, alpha]);
}
