/** Linear light, three channels a pixel, 1 being full white. */
export interface LinearPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgb: Float32Array;
}

/** What a decoder is given: one byte of luma a pixel. */
export interface LumaPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly luma: Uint8Array;
}

/** sRGB's transfer function (IEC 61966-2-1) for each of its 256 codes. */
const linearOfCode = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

function linearOf(code: number): number {
  return linearOfCode[code] ?? 0;
}

/** Encodes linear light from 0 to 1 to sRGB from 0 to 1. */
export function encoded(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Opaque sRGB pixels (RGBA bytes) in linear light. */
export function linearPicture(rgba: Uint8Array, widthPx: number, heightPx: number): LinearPicture {
  const rgb = new Float32Array(widthPx * heightPx * 3);
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      rgb[pixel * 3 + channel] = linearOf(rgba[pixel * 4 + channel] ?? 0);
    }
  }
  return { widthPx, heightPx, rgb };
}
