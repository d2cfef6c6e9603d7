import type { PixelBox, RgbaRaster } from '../draw/raster.ts';

/** Light in linear measure, 0 (none) to 1 (white paper), of a square picture. */
export interface LightMap {
  readonly widthPx: number;
  readonly pxPerModule: number;
  readonly light: Float32Array;
}

/** sRGB's transfer function (IEC 61966-2-1): linear light from 0 to 1, of a value from 0 to 1. */
function decoded(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** The inverse. */
function encoded(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Linear light of each of sRGB's 256 codes. */
const linearOfCode = Float32Array.from({ length: 256 }, (_, code) => decoded(code / 255));

/** The inverse, for linear light in steps of 1/4096: finer than any camera. */
const codeOfLinear = Float32Array.from({ length: 4097 }, (_, step) => encoded(step / 4096));

/** What a camera's tone curve makes of linear light; both from 0 to 1. */
export function toneOf(linear: number): number {
  return codeOfLinear[Math.max(0, Math.min(4096, Math.round(linear * 4096)))] ?? 0;
}

/** The inverse of `toneOf`, for tones in steps of 1/255. */
export function linearOfTone(tone: number): number {
  return linearOfCode[Math.max(0, Math.min(255, Math.round(tone * 255)))] ?? 0;
}

/** Luma (ITU-R BT.601) of an sRGB colour from 0 to 1: what scanners make of a pixel. */
export function lumaOf(red: number, green: number, blue: number): number {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** Luma of `#rrggbb`. */
export function lumaOfColor(color: string): number {
  return lumaOf(...channelsOf(color));
}

/**
 * The grey, as luma, that `#rrggbb` cannot be told from through a lens that spreads a share of full white
 * over the picture (veiling glare, ISO 9358). That lifts the darkest channel most: turquoise, which has
 * no red, looks as pale as a grey of more luma. A grey is itself.
 *
 * @param flare what is spread, as a share of full white, from 0 to 1
 * @returns luma from 0 to 1
 */
export function greyThroughFlare(color: string, flare: number): number {
  const lit = (code: number) => 255 * encoded((decoded(code / 255) + flare) / (1 + flare));
  const [red, green, blue] = channelsOf(color);
  const luma = lumaOf(lit(red), lit(green), lit(blue));
  return encoded(Math.max(0, decoded(luma) * (1 + flare) - flare));
}

function channelsOf(color: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * Takes a picture as light that a lens can blur. Colours are reduced to the grey that scanners see,
 * which is exact where a lens leaves a colour pure and near enough between two of them.
 */
export function lightOf({ rgba, widthPx }: RgbaRaster, pxPerModule: number): LightMap {
  const light = new Float32Array(widthPx * widthPx);
  for (let pixel = 0; pixel < light.length; pixel++) {
    const at = pixel * 4;
    const luma = lumaOf(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0);
    light[pixel] = linearOfCode[Math.round(luma * 255)] ?? 0;
  }
  return { widthPx, pxPerModule, light };
}

/** Converts a raster to grey code values, 0 to 255. */
export function lumaCodesOf({ rgba }: RgbaRaster): Uint8Array {
  const codes = new Uint8Array(rgba.length / 4);
  setCodes(codes, 0, rgba, 0, codes.length);
  return codes;
}

/** Updates the code values of a box. */
export function setLumaCodes(
  codes: Uint8Array,
  { rgba, widthPx }: RgbaRaster,
  box: PixelBox,
): void {
  for (let y = box.top; y < box.bottom; y++) {
    const start = y * widthPx + box.left;
    setCodes(codes, start, rgba, start, box.right - box.left);
  }
}

function setCodes(
  codes: Uint8Array,
  to: number,
  rgba: Uint8Array,
  from: number,
  count: number,
): void {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset + from * 4, count);
  // Most pixels are as the one before; 0 would be transparent.
  let known = 0;
  let code = 0;
  for (let pixel = 0; pixel < count; pixel++) {
    const color = pixels[pixel] ?? 0;
    if (color !== known) {
      const at = (from + pixel) * 4;
      code = Math.round(255 * lumaOf(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0));
      known = color;
    }
    codes[to + pixel] = code;
  }
}

/**
 * The tone, 0 to 1, that a blurring lens leaves at the middle of each module, row by row.
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
