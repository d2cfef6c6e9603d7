import type { Pixels } from '../png/rgba.ts';

/** A picture with premultiplied alpha, read row by row: four numbers per pixel, 0 to 255. */
interface Source {
  readonly widthPx: number;
  readonly heightPx: number;
  row(y: number): Float32Array;
}

/** A picture with premultiplied alpha in memory. */
export interface Premultiplied extends Source {
  /** All rows. */
  readonly values: Float32Array;
}

/** Source pixels that contribute to one pixel of the target, with their weights. */
interface Contribution {
  readonly first: number;
  readonly weights: Float32Array;
}

/** A filter along one axis. */
interface Axis {
  /** The first pixel of the target that the source touches. */
  readonly first: number;
  readonly contributions: readonly Contribution[];
}

/**
 * Computes a box filter along one axis.
 * Each pixel is the average of the source area below it, and pixels at the ends are covered in part.
 *
 * @param start position of the source, in pixels of the target
 * @param length size of the source, in pixels of the target
 */
export function boxFilter(sourcePx: number, start: number, length: number, targetPx: number): Axis {
  const scale = sourcePx / length;
  const first = Math.max(0, Math.floor(start));
  const count = Math.max(0, Math.min(targetPx, Math.ceil(start + length)) - first);
  const contributions = Array.from({ length: count }, (_, index): Contribution => {
    const begin = Math.max(0, (first + index - start) * scale);
    const end = Math.min(sourcePx, (first + index + 1 - start) * scale);
    const from = Math.min(Math.floor(begin), sourcePx - 1);
    const weights = Float32Array.from(
      { length: Math.max(1, Math.ceil(end) - from) },
      (_, at) => Math.max(0, Math.min(end, from + at + 1) - Math.max(begin, from + at)) / scale,
    );
    return { first: from, weights };
  });
  return { first, contributions };
}

/** Applies filters along both axes. */
export function resample(
  source: Source,
  { contributions: columns }: Axis,
  { contributions: rows }: Axis,
): Premultiplied {
  const stride = columns.length * 4;
  const lines = new Float32Array(source.heightPx * stride);
  for (let y = 0; y < source.heightPx; y++) {
    const line = source.row(y);
    for (const [x, { first, weights }] of columns.entries())
      sumPixels(lines, y * stride + x * 4, line, first * 4, 4, weights);
  }
  const values = new Float32Array(rows.length * stride);
  for (const [y, { first, weights }] of rows.entries())
    for (let x = 0; x < stride; x += 4)
      sumPixels(values, y * stride + x, lines, first * stride + x, stride, weights);
  return {
    widthPx: columns.length,
    heightPx: rows.length,
    values,
    row: (y) => values.subarray(y * stride, (y + 1) * stride),
  };
}

/** Sums weighted pixels, which lie `stride` numbers apart, into one pixel. */
function sumPixels(
  to: Float32Array,
  at: number,
  from: Float32Array,
  start: number,
  stride: number,
  weights: Float32Array,
): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let alpha = 0;
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    const pixel = start + index * stride;
    red += weight * (from[pixel] ?? 0);
    green += weight * (from[pixel + 1] ?? 0);
    blue += weight * (from[pixel + 2] ?? 0);
    alpha += weight * (from[pixel + 3] ?? 0);
  }
  to[at] = red;
  to[at + 1] = green;
  to[at + 2] = blue;
  to[at + 3] = alpha;
}

/** Scales a picture by averaging areas, to whole pixels. */
export function scale(picture: Source, factor: number): Premultiplied {
  const widthPx = Math.max(1, Math.round(picture.widthPx * factor));
  const heightPx = Math.max(1, Math.round(picture.heightPx * factor));
  return resample(
    picture,
    boxFilter(picture.widthPx, 0, widthPx, widthPx),
    boxFilter(picture.heightPx, 0, heightPx, heightPx),
  );
}

/**
 * Reduces a picture to a longer side of at most `maxSidePx`.
 * Averages areas, with colours weighted by alpha. Fully transparent pixels become black. Bun.Image does not weight
 * colours, so that those of transparent pixels would show at edges.
 */
export function reduce(pixels: Pixels, maxSidePx: number): Pixels {
  const factor = Math.min(1, maxSidePx / Math.max(pixels.widthPx, pixels.heightPx));
  const { widthPx, heightPx, values } = scale(premultiply(pixels), factor);
  const rgba = Uint8Array.from(values, (value, at) => {
    const alpha = values[at | 3] ?? 0;
    return Math.round((at & 3) === 3 ? value : (value * 255) / Math.max(alpha, 1e-6));
  });
  return { widthPx, heightPx, rgba };
}

/** Premultiplies row by row: as a whole, a large upload would take four times its memory. */
export function premultiply({ widthPx, heightPx, rgba }: Pixels): Source {
  const values = new Float32Array(widthPx * 4);
  const row = (y: number) => {
    const start = y * values.length;
    for (let at = 0; at < values.length; at++) {
      const alpha = (at & 3) === 3 ? 255 : (rgba[start + (at | 3)] ?? 0);
      values[at] = ((rgba[start + at] ?? 0) * alpha) / 255;
    }
    return values;
  };
  return { widthPx, heightPx, row };
}
