import type { Box } from '../symbol/layout.ts';
import type { FoldedRaster } from './folded.ts';
import { type Axis, axisOf, quarters, taps, texelsPerPx } from './logo-axis.ts';
import { channels, kinds, type Mixtures, type MixturesOf, reckon } from './logo-mixtures.ts';
import type { Texels } from './logo-texels.ts';
import type { PixelBox, PixelGrid } from './pixel-grid.ts';

/**
 * Draws a logo as the rasterizer does (tiny-skia 0.10 below resvg 0.34), to the last bit. For the
 * rasterizer each time would be a document of its own, with a PNG to take apart, and the gate draws some
 * logos a hundred times a little otherwise. test/render/logo-brush.test.ts holds the two side by side;
 * only where it neither scales nor moves, the rasterizer gives an image other edges.
 */

const f32 = Math.fround;

/**
 * Draws a logo over what a canvas shows, which is opaque everywhere.
 *
 * @param box as the SVG says it, in modules from the corner of the quiet zone
 * @returns the pixels that it touched
 */
export type LogoBrush = (canvas: Canvas, texels: Texels, box: Box) => PixelBox;

/** What is drawn on, in RGBA; where `rows` are given, the row of it that each row of the picture is. */
export type Canvas = Pick<FoldedRaster, 'rgba'> & Partial<Pick<FoldedRaster, 'rows'>>;

/**
 * Prepares to draw logos on canvases of one kind.
 *
 * @param mixturesOf remembers what drawings were mixed of
 */
export function createLogoBrush(grid: PixelGrid, mixturesOf: MixturesOf): LogoBrush {
  const place = { canvasPx: grid.widthPx, pxPerUnit: grid.pxPerModule, originPx: grid.leftPx };
  return (canvas, texels, box) => {
    const across = { ...place, start: box.x, length: box.width, texels: texels.widthPx };
    const upright = { ...place, start: box.y, length: box.height, texels: texels.heightPx };
    const isSmooth = texelsPerPx(across) !== 1 || texelsPerPx(upright) !== 1;
    const [along, down] = [axisOf(across, isSmooth), axisOf(upright, isSmooth)];
    draw(canvas, grid.widthPx, { texels, along, down, mixtures: mixturesOf(texels, along, down) });
    return { left: along.firstPx, right: along.lastPx, top: down.firstPx, bottom: down.lastPx };
  };
}

/** A logo on its way to the canvas. */
interface Stroke {
  readonly texels: Texels;
  readonly along: Axis;
  readonly down: Axis;
  readonly mixtures: Mixtures;
}

function draw({ rgba, rows }: Canvas, widthPx: number, stroke: Stroke): void {
  const { texels, along, down, mixtures } = stroke;
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / channels);
  const columns = along.covered.length;
  for (let y = 0; y < down.covered.length; y++) {
    const row = down.firstPx + y;
    const firstPixel = (rows?.[row] ?? row) * widthPx + along.firstPx;
    for (let x = 0; x < columns; x++) {
      const mixture = y * columns + x;
      if (mixtures.kinds[mixture] === kinds.unknown) reckon(mixtures, texels, along, x, down, y);
      const kind = mixtures.kinds[mixture];
      if (kind === kinds.empty) continue;
      if (kind === kinds.full) {
        pixels[firstPixel + x] = mixtures.words[mixture] ?? 0;
        continue;
      }
      const coverage = f32(coverageOf(along, x, down, y) * perCode);
      blend(rgba, (firstPixel + x) * channels, stroke, x, y, coverage);
    }
  }
}

/** How much of a pixel is covered, of 255. */
function coverageOf(along: Axis, x: number, down: Axis, y: number): number {
  const columns = along.covered[x] ?? 0;
  if (columns === quarters) return down.coverage[y] ?? 0;
  return 16 * columns * (down.covered[y] ?? 0);
}

/** Lays a pixel of the logo over one of the canvas. */
function blend(
  canvas: Uint8Array,
  at: number,
  stroke: Stroke,
  x: number,
  y: number,
  coverage: number,
): void {
  const { values } = stroke.mixtures;
  const from = (y * stroke.along.covered.length + x) * channels;
  const share = 1 - ((values[from + 3] ?? 0) / 255) * coverage;
  for (let channel = 0; channel < 3; channel++) {
    const below = canvas[at + channel] ?? 0;
    const code = Math.min(255, below * share + (values[from + channel] ?? 0) * coverage);
    const nearest = Math.round(code);
    const isCertain = Math.abs(code - nearest) < certain;
    canvas[at + channel] = isCertain ? nearest : blended(below, stroke, x, y, channel, coverage);
  }
}

/**
 * Within so much of a code value it is known how the rasterizer rounds: some fifty steps in single
 * precision and mixtures of a drawing almost in the same place are off by less than what is missing to a half.
 */
const certain = 0.47;

/** One channel of that, as the rasterizer rounds at each step. */
function blended(
  belowCode: number,
  stroke: Stroke,
  x: number,
  y: number,
  channel: number,
  coverage: number,
): number {
  const left = f32(1 - f32(sampled(stroke, x, y, 3) * coverage));
  const above = f32(sampled(stroke, x, y, channel) * coverage);
  return codeOf(f32(f32((shares[belowCode] ?? 0) * left) + above));
}

/** One channel of a pixel, from 0 to 1. */
function sampled(
  { texels: { rgba, widthPx }, along, down }: Stroke,
  x: number,
  y: number,
  channel: number,
): number {
  let sum = 0;
  for (let row = y * taps; row < (y + 1) * taps; row++) {
    const start = (down.texels[row] ?? 0) * widthPx;
    for (let column = x * taps; column < (x + 1) * taps; column++) {
      const code = rgba[(start + (along.texels[column] ?? 0)) * 4 + channel] ?? 0;
      const weight = f32((along.weights[column] ?? 0) * (down.weights[row] ?? 0));
      sum = f32(f32(weight * (shares[code] ?? 0)) + sum);
    }
  }
  return Math.max(0, Math.min(1, sum));
}

const perCode = f32(1 / 255);

/** A code value of 0 to 255 as a share of one. */
const shares = Float32Array.from({ length: 256 }, (_, code) => code * perCode);

/** The nearest code value, the even one where two are. */
function codeOf(share: number): number {
  const code = f32(Math.min(1, share) * 255);
  const nearest = Math.round(code);
  return nearest - code === 0.5 && nearest % 2 === 1 ? nearest - 1 : nearest;
}
