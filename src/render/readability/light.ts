import { lumaOf } from '../../core/designs/black-and-white.ts';
import type { IndexedRaster, RgbaRaster } from '../path/raster.ts';

/** Linear light of a square picture, from 0 (none) to 1 (white paper). */
export interface LightMap {
  readonly widthPx: number;
  readonly pxPerModule: number;
  readonly light: Float32Array;
}

/** Converts an sRGB value to linear light (IEC 61966-2-1), both from 0 to 1. */
export function decodeSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Inverts `decodeSrgb`. */
export function encodeSrgb(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Linear light of each 8-bit sRGB code. */
const linearOfCode = Float32Array.from({ length: 256 }, (_, code) => decodeSrgb(code / 255));

/** sRGB values of linear light in steps of 1/4096. */
const codeOfLinear = Float32Array.from({ length: 4097 }, (_, step) => encodeSrgb(step / 4096));

/** Looks up the sRGB value (tone) of linear light, both from 0 to 1. */
export function toneOf(linear: number): number {
  return codeOfLinear[Math.max(0, Math.min(4096, Math.round(linear * 4096)))] ?? 0;
}

/** Looks up the linear light of a tone, in steps of 1/255. */
export function linearOfTone(tone: number): number {
  return linearOfCode[Math.max(0, Math.min(255, Math.round(tone * 255)))] ?? 0;
}

/**
 * Returns the luma of the grey that looks like `#rrggbb` through a lens with veiling glare (ISO 9358).
 * Glare lifts the darkest channel most: turquoise, which has no red, looks as pale as a lighter grey.
 *
 * @param glare stray light as a share of full white, from 0 to 1
 * @returns luma from 0 to 1
 */
export function greyThroughGlare(color: string, glare: number): number {
  const lit = (code: number) => 255 * encodeSrgb((decodeSrgb(code / 255) + glare) / (1 + glare));
  const [red = 0, green = 0, blue = 0] = Uint8Array.fromHex(color.slice(1));
  const luma = lumaOf(lit(red), lit(green), lit(blue));
  return encodeSrgb(Math.max(0, decodeSrgb(luma) * (1 + glare) - glare));
}

/** Converts a raster to the linear light of its luma. Blur adds light, so that it applies to this. */
export function lightOf(raster: IndexedRaster | RgbaRaster, pxPerModule: number): LightMap {
  const { widthPx } = raster;
  const light = new Float32Array(widthPx * widthPx);
  if ('rgba' in raster) {
    const pixels = new Int32Array(raster.rgba.buffer);
    for (let at = 0; at < light.length; at++) light[at] = lightOfPixel(pixels[at] ?? 0);
  } else {
    const lights = raster.colors.map(lightOfPixel);
    for (let at = 0; at < light.length; at++) light[at] = lights[raster.indexes[at] ?? 0] ?? 0;
  }
  return { widthPx, pxPerModule, light };
}

/** @param color red in the lowest byte, then green and blue */
function lightOfPixel(color: number): number {
  const luma = lumaOf(color & 255, (color >> 8) & 255, (color >> 16) & 255);
  return linearOfCode[Math.round(luma * 255)] ?? 0;
}

/**
 * Returns the tone, 0 to 1, at the middle of each module behind a blurring lens, row by row.
 *
 * @param firstModule column and row of the first module in the picture: the quiet zone's width
 * @param blurModules standard deviation of the blur, in modules
 */
export function tonesOf(
  map: LightMap,
  firstModule: number,
  side: number,
  blurModules: number,
): Float32Array {
  const { widthPx, pxPerModule, light } = map;
  const kernel = gaussian(blurModules * pxPerModule, pxPerModule);
  const taps = kernel.length;
  // The kernel begins here for module 0; with an even number of pixels a module it has even taps.
  const firstPx = firstModule * pxPerModule + (pxPerModule - taps) / 2;

  const top = Math.max(0, firstPx);
  const bottom = Math.min(widthPx, firstPx + (side - 1) * pxPerModule + taps);
  const across = new Float32Array(side * widthPx);
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < side; x++) {
      across[x * widthPx + y] = weighed(light, kernel, y * widthPx + firstPx + x * pxPerModule);
    }
  }
  const tones = new Float32Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const start = x * widthPx + firstPx + y * pxPerModule;
      tones[y * side + x] = toneOf(weighed(across, kernel, start));
    }
  }
  return tones;
}

function weighed(values: Float32Array, kernel: Float32Array, start: number): number {
  let sum = 0;
  for (let tap = 0; tap < kernel.length; tap++)
    sum += (values[start + tap] ?? 0) * (kernel[tap] ?? 0);
  return sum;
}

/** Two and a half standard deviations to either side; as many taps, even or odd, as pixels a module. */
function gaussian(sigmaPx: number, pxPerModule: number): Float32Array {
  const radius = Math.ceil(sigmaPx * 2.5);
  const taps = 2 * radius + (pxPerModule % 2);
  const kernel = Float32Array.from({ length: taps }, (_, tap) =>
    Math.exp(-((tap - (taps - 1) / 2) ** 2) / (2 * sigmaPx ** 2)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  return kernel.map((weight) => weight / sum);
}
