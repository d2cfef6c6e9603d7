import type { Box } from '../layout.ts';
import type { Pixels } from '../logo/pixels.ts';
import type { PixelBox } from '../logo-paint.ts';
import type { PixelGrid } from '../pixel-grid.ts';
import { type Axis, axisOf, quarters, taps, texelsPerPx } from './logo-axis.ts';

/**
 * Draws a logo as the rasterizer does (tiny-skia 0.10 below resvg 0.34), to the last bit: the gate
 * draws some logos a hundred times a little otherwise, and for the rasterizer each time would be a
 * document of its own, with a PNG to take apart. test/render/logo-brush.test.ts holds the two side by side.
 */

const f32 = Math.fround;

/** A logo to draw with: the pixels that a PNG holds, colours multiplied by alpha. */
export interface Texels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue and alpha of each texel, row by row. */
  readonly rgba: Uint8Array;
  /** The same four as one number. */
  readonly words: Int32Array;
  /** 1 where a texel and the others of the square that begins with it are all of one colour. */
  readonly plain: Uint8Array;
}

/** Prepares a logo to be drawn with. Its own pixels hold colours that alpha has not been multiplied into. */
export function texelsOf({ widthPx, heightPx, rgba }: Pixels): Texels {
  const bytes = new Uint8Array(rgba.length);
  for (let at = 0; at < bytes.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    bytes[at] = Math.round(((rgba[at] ?? 0) * alpha) / 255);
    bytes[at + 1] = Math.round(((rgba[at + 1] ?? 0) * alpha) / 255);
    bytes[at + 2] = Math.round(((rgba[at + 2] ?? 0) * alpha) / 255);
    bytes[at + 3] = alpha;
  }
  const words = new Int32Array(bytes.buffer);
  return { widthPx, heightPx, rgba: bytes, words, plain: plainOf(words, widthPx) };
}

/** Grows squares of one colour from the last texel to the first, each by the three that it touches. */
function plainOf(words: Int32Array, widthPx: number): Uint8Array {
  const sides = new Uint8Array(words.length);
  for (let at = words.length - 1; at >= 0; at--) {
    const [right, below, beyond] = [at + 1, at + widthPx, at + widthPx + 1];
    const word = words[at];
    const grows = words[right] === word && words[below] === word && words[beyond] === word;
    sides[at] =
      grows && right % widthPx !== 0
        ? 1 + Math.min(taps - 1, sides[right] ?? 0, sides[below] ?? 0, sides[beyond] ?? 0)
        : 1;
  }
  return sides.map((side) => (side === taps ? 1 : 0));
}

/**
 * Draws a logo over what a canvas shows, which is opaque everywhere.
 *
 * @param box as the SVG says it, in modules from the corner of the quiet zone
 * @returns the pixels that it touched
 */
export function drawLogo(rgba: Uint8Array, grid: PixelGrid, texels: Texels, box: Box): PixelBox {
  const canvas = { canvasPx: grid.widthPx, pxPerUnit: grid.pxPerModule, originPx: grid.leftPx };
  const across = { ...canvas, start: box.x, length: box.width, texels: texels.widthPx };
  const upright = { ...canvas, start: box.y, length: box.height, texels: texels.heightPx };
  const isSmooth = texelsPerPx(across) !== 1 || texelsPerPx(upright) !== 1;
  const [along, down] = [axisOf(across, isSmooth), axisOf(upright, isSmooth)];
  const { plain, words } = texels;
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, grid.widthPx * grid.widthPx);
  const mixture = { places: new Int32Array(taps * taps), weights: new Float32Array(taps * taps) };
  for (let y = 0; y < down.covered.length; y++) {
    for (let x = 0; x < along.covered.length; x++) {
      const pixel = (down.firstPx + y) * grid.widthPx + along.firstPx + x;
      const coverage = coverageOf(along, x, down, y);
      const first = (down.texels[y * taps] ?? 0) * texels.widthPx + (along.texels[x * taps] ?? 0);
      const word = words[first] ?? 0;
      // What most pixels of most logos come to: nothing over them, or a colour in full.
      if (plain[first] === 1 && word === 0) continue;
      if (plain[first] === 1 && texels.rgba[first * 4 + 3] === 255 && coverage === 255) {
        pixels[pixel] = word;
        continue;
      }
      mix(mixture, texels.widthPx, along, x, down, y);
      blend(rgba, pixel * 4, texels.rgba, mixture, f32(coverage * perCode));
    }
  }
  return { left: along.firstPx, right: along.lastPx, top: down.firstPx, bottom: down.lastPx };
}

/** How much of a pixel is covered, of 255. */
function coverageOf(along: Axis, x: number, down: Axis, y: number): number {
  const columns = along.covered[x] ?? 0;
  if (columns === quarters) return down.coverage[y] ?? 0;
  return 16 * columns * (down.covered[y] ?? 0);
}

/** What a pixel is mixed of: texels by their places in the logo, and what each weighs. */
interface Mixture {
  readonly places: Int32Array;
  readonly weights: Float32Array;
}

function mix(
  { places, weights }: Mixture,
  widthPx: number,
  along: Axis,
  x: number,
  down: Axis,
  y: number,
): void {
  for (let row = 0; row < taps; row++) {
    const start = (down.texels[y * taps + row] ?? 0) * widthPx;
    const weight = down.weights[y * taps + row] ?? 0;
    for (let column = 0; column < taps; column++) {
      places[row * taps + column] = start + (along.texels[x * taps + column] ?? 0);
      weights[row * taps + column] = (along.weights[x * taps + column] ?? 0) * weight;
    }
  }
}

/** Lays a pixel of the logo over one of the canvas. */
function blend(
  canvas: Uint8Array,
  at: number,
  texels: Uint8Array,
  mixture: Mixture,
  coverage: number,
): void {
  const alpha = (roughly(texels, mixture, 3) / 255) * coverage;
  for (let channel = at; channel < at + 3; channel++) {
    const below = canvas[channel] ?? 0;
    const above = roughly(texels, mixture, channel - at) * coverage;
    const code = Math.min(255, below * (1 - alpha) + above);
    const nearest = Math.round(code);
    const isCertain = Math.abs(code - nearest) < certain;
    canvas[channel] = isCertain ? nearest : blended(below, texels, mixture, channel - at, coverage);
  }
}

/** The rounding of some fifty steps in single precision is far less than what is missing to a half. */
const certain = 0.49;

/** One channel of that, as the rasterizer rounds at each step. */
function blended(
  belowCode: number,
  texels: Uint8Array,
  mixture: Mixture,
  channel: number,
  coverage: number,
): number {
  const left = f32(1 - f32(sampled(texels, mixture, 3) * coverage));
  const above = f32(sampled(texels, mixture, channel) * coverage);
  return codeOf(f32(f32((shares[belowCode] ?? 0) * left) + above));
}

/** One channel of a pixel as a code value, in a fifth of the time that every rounding step takes. */
function roughly(rgba: Uint8Array, { places, weights }: Mixture, channel: number): number {
  let sum = 0;
  for (let tap = 0; tap < places.length; tap++) {
    sum += (weights[tap] ?? 0) * (rgba[(places[tap] ?? 0) * 4 + channel] ?? 0);
  }
  return Math.max(0, Math.min(255, sum));
}

/** One channel of a pixel, from 0 to 1. */
function sampled(rgba: Uint8Array, { places, weights }: Mixture, channel: number): number {
  let sum = 0;
  for (let tap = 0; tap < places.length; tap++) {
    const code = rgba[(places[tap] ?? 0) * 4 + channel] ?? 0;
    sum = f32(f32((weights[tap] ?? 0) * (shares[code] ?? 0)) + sum);
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
