import type { Logo } from '../../core/designs/design.ts';
import { createCache } from '../../lib/cache.ts';
import { decodeRgbaPng, digestOf } from '../logo/pixels.ts';
import type { Box } from '../symbol/layout.ts';

/** A picture with premultiplied alpha: four numbers a pixel, 0 to 255, row by row. */
interface Premultiplied {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
}

/**
 * Resamples a logo to a box and composites it onto a raster.
 *
 * @param rgba opaque pixels, `widthPx` a row; changed in place
 * @param box position of the logo in pixels, not necessarily whole ones
 */
export function compositeLogo(rgba: Uint8Array, widthPx: number, logo: Logo, box: Box): void {
  const heightPx = rgba.length / 4 / widthPx;
  const source = reducedTo(logo, Math.max(box.width, box.height));
  const columns = contributions(source.widthPx, box.x, box.width, widthPx);
  const rows = contributions(source.heightPx, box.y, box.height, heightPx);
  const pixels = resample(source, columns.list, rows.list);
  let from = 0;
  for (let y = rows.first; y < rows.first + rows.list.length; y++) {
    const start = (y * widthPx + columns.first) * 4;
    for (let at = start; at < start + columns.list.length * 4; at += 4, from += 4) {
      const behind = 1 - (pixels[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel++)
        rgba[at + channel] = Math.round(
          (pixels[from + channel] ?? 0) + (rgba[at + channel] ?? 0) * behind,
        );
    }
  }
}

/** Source pixels that contribute to one pixel, with their weights. */
interface Contribution {
  readonly first: number;
  readonly weights: Float32Array;
}

/**
 * Computes a box filter along one axis: each pixel is the average of the source area below it, and
 * pixels at the ends are covered in part.
 *
 * @param start where the source begins, in pixels of the target
 * @param targetPx pixels of the target
 * @returns the contributions of the pixels from `first` on
 */
function contributions(sourcePx: number, start: number, length: number, targetPx: number) {
  const scale = sourcePx / length;
  const first = Math.max(0, Math.floor(start));
  const count = Math.max(0, Math.min(targetPx, Math.ceil(start + length)) - first);
  const list = Array.from({ length: count }, (_, index): Contribution => {
    const begin = Math.max(0, (first + index - start) * scale);
    const end = Math.min(sourcePx, (first + index + 1 - start) * scale);
    const from = Math.min(Math.floor(begin), sourcePx - 1);
    const weights = Float32Array.from(
      { length: Math.max(1, Math.ceil(end) - from) },
      (_, at) => Math.max(0, Math.min(end, from + at + 1) - Math.max(begin, from + at)) / scale,
    );
    return { first: from, weights };
  });
  return { first, list };
}

/** Applies the filter along both axes. */
function resample(
  { widthPx, heightPx, values }: Premultiplied,
  columns: readonly Contribution[],
  rows: readonly Contribution[],
): Float32Array {
  const lineLength = columns.length * 4;
  const lines = new Float32Array(heightPx * lineLength);
  for (let y = 0; y < heightPx; y++)
    for (const [x, { first, weights }] of columns.entries())
      addPixels(lines, y * lineLength + x * 4, values, (y * widthPx + first) * 4, 4, weights);
  const result = new Float32Array(rows.length * lineLength);
  for (const [y, { first, weights }] of rows.entries())
    for (let x = 0; x < lineLength; x += 4)
      addPixels(result, y * lineLength + x, lines, first * lineLength + x, lineLength, weights);
  return result;
}

/** Adds weighted pixels, which lie `stride` numbers apart, to one pixel. */
function addPixels(
  to: Float32Array,
  at: number,
  from: Float32Array,
  start: number,
  stride: number,
  weights: Float32Array,
): void {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] ?? 0;
    const pixel = start + index * stride;
    red += weight * (from[pixel] ?? 0);
    green += weight * (from[pixel + 1] ?? 0);
    blue += weight * (from[pixel + 2] ?? 0);
    alpha += weight * (from[pixel + 3] ?? 0);
  }
  to.set([red, green, blue, alpha], at);
}

/** Decoded logos by digest, each with smaller versions: an account uses one for thousands of codes. */
const decoded = createCache<string, Premultiplied[]>(16);

/** Returns a logo reduced by a power of two, so that filtering it to `longerPx` stays cheap. */
function reducedTo(logo: Logo, longerPx: number): Premultiplied {
  const digest = digestOf(logo);
  const original = decoded.get(digest)?.[0] ?? premultiplied(logo);
  const levels = decoded.get(digest) ?? [original];
  decoded.set(digest, levels);
  const longer = Math.max(original.widthPx, original.heightPx);
  const level = Math.max(0, Math.floor(Math.log2(longer / (2 * longerPx))));
  const reduced = levels[level] ?? scaledDown(original, 2 ** level);
  levels[level] = reduced;
  return reduced;
}

function premultiplied(logo: Logo): Premultiplied {
  const { widthPx, heightPx, rgba } = decodeRgbaPng(logo.png);
  const values = Float32Array.from(rgba);
  for (let at = 0; at < values.length; at += 4)
    for (let channel = at; channel < at + 3; channel++)
      values[channel] = ((rgba[channel] ?? 0) * (rgba[at + 3] ?? 0)) / 255;
  return { widthPx, heightPx, values };
}

function scaledDown(picture: Premultiplied, divisor: number): Premultiplied {
  const [widthPx, heightPx] = [picture.widthPx, picture.heightPx].map((px) =>
    Math.max(1, Math.round(px / divisor)),
  ) as [number, number];
  const columns = contributions(picture.widthPx, 0, widthPx, widthPx).list;
  const rows = contributions(picture.heightPx, 0, heightPx, heightPx).list;
  return { widthPx, heightPx, values: resample(picture, columns, rows) };
}
