/**
 * Where an image meets the pixels of a canvas, along one of its sides, to the last bit as the rasterizer
 * reckons (tiny-skia 0.10 below resvg 0.34), which does it in single precision: so every step is
 * rounded here too.
 */

const f32 = Math.fround;

/** Bicubic sampling looks at so many texels, the pixels of an image, along each side. */
export const taps = 4;

/** The rasterizer's edges lie on quarters of a pixel. */
export const quarters = 4;

export interface Axis {
  /** Whether pixels between texels are mixed: an image at its own size is not. */
  readonly isSmooth: boolean;
  /** Where in the image, in texels, the middle of the first pixel lies. */
  readonly firstMiddle: number;
  /** Pixels from the first to before the last that the image touches. */
  readonly firstPx: number;
  readonly lastPx: number;
  /** For each of them the texels that it is made of, and what each weighs. */
  readonly texels: Int32Array;
  readonly weights: Float32Array;
  /** For each of them how many quarters of it are covered … */
  readonly covered: Uint8Array;
  /** … and how much that is of 255: 64 for each quarter, but 63 for the last of a pixel. */
  readonly coverage: Uint8Array;
}

/** An image on the canvas, along one side. */
export interface Span {
  /** In the units of the drawing. */
  readonly start: number;
  readonly length: number;
  /** Texels of the image. */
  readonly texels: number;
  readonly canvasPx: number;
  readonly pxPerUnit: number;
  /** Where the drawing's unit 0 lies on the canvas. */
  readonly originPx: number;
}

/** Texels for each pixel. */
export function texelsPerPx({ start, length, texels, pxPerUnit }: Span): number {
  const [begin, end] = [f32(start), f32(f32(start) + f32(length))];
  return f32(1 / f32(f32(pxPerUnit) * f32(f32(end - begin) / texels)));
}

/** Which texels each pixel of a row or column shows, and how much of it the image covers. */
export function axisOf(span: Span, isSmooth: boolean): Axis {
  const begin = f32(span.start);
  const toPx = (place: number) => f32(f32(place * f32(span.pxPerUnit)) + span.originPx);
  const onCanvas = (quarter: number) => Math.max(0, Math.min(span.canvasPx * quarters, quarter));
  const from = onCanvas(toQuarter(toPx(begin)));
  const to = Math.max(from, onCanvas(toQuarter(toPx(f32(begin + f32(span.length))))));
  const firstPx = Math.floor(from / quarters);
  const lastPx = Math.ceil(to / quarters);

  const step = texelsPerPx(span);
  const origin = f32(-toPx(begin) * step);
  const texels = new Int32Array((lastPx - firstPx) * taps);
  const weights = new Float32Array(texels.length);
  for (let px = firstPx; px < lastPx; px++) {
    const here = (px - firstPx) * taps;
    const middle = f32(f32((px + 0.5) * step) + origin);
    weights.set(isSmooth ? weightsAt(middle) : [1, 0, 0, 0], here);
    let texel = f32(middle - (isSmooth ? 1.5 : 0));
    for (let tap = 0; tap < taps; tap++) {
      texels[here + tap] = Math.max(0, Math.min(span.texels - 1, texel));
      texel = f32(texel + 1);
    }
  }
  const firstMiddle = f32(f32((firstPx + 0.5) * step) + origin);
  const coverage = coverageOf(from, to, firstPx, lastPx);
  return { isSmooth, firstMiddle, firstPx, lastPx, texels, weights, ...coverage };
}

function coverageOf(from: number, to: number, firstPx: number, lastPx: number) {
  const covered = new Uint8Array(lastPx - firstPx);
  const coverage = new Uint8Array(lastPx - firstPx);
  for (let px = firstPx; px < lastPx; px++) {
    const last = Math.min(to, (px + 1) * quarters);
    const count = last - Math.max(from, px * quarters);
    covered[px - firstPx] = count;
    coverage[px - firstPx] = 64 * count - (last === (px + 1) * quarters ? 1 : 0);
  }
  return { covered, coverage };
}

/** What the four texels around a place weigh. */
function weightsAt(middle: number): [number, number, number, number] {
  const half = f32(middle + 0.5);
  const share = f32(half - Math.floor(half));
  const rest = f32(1 - share);
  return [far(rest), near(rest), near(share), far(share)];
}

/** To the nearest quarter of a pixel, by way of 256ths. */
function toQuarter(px: number): number {
  return (Math.trunc(px * 256) + 32) >> 6;
}

/** The weight of a texel that is up to one away, by what is missing to one. */
function near(share: number): number {
  const cubic = f32(f32(f32(-21 / 18) * share) + f32(27 / 18));
  const square = f32(f32(share * cubic) + f32(9 / 18));
  return f32(f32(share * square) + f32(1 / 18));
}

/** The weight of one that is up to two away. */
function far(share: number): number {
  return f32(f32(share * share) * f32(f32(f32(7 / 18) * share) + f32(-6 / 18)));
}
