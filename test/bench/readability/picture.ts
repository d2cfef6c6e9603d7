import { linearOfTone } from '../../../src/render/readability/light.ts';

/** Linear light, three channels a pixel, 1 being full white. */
export interface LinearPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgb: Float32Array;
}

/** Input of a decoder: one byte of luma a pixel. */
export interface LumaPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly luma: Uint8Array;
}

const linearOfCode = Float32Array.from({ length: 256 }, (_, code) => linearOfTone(code / 255));

/** Converts opaque sRGB pixels (RGBA bytes) to linear light. */
export function linearPicture(rgba: Uint8Array, widthPx: number, heightPx: number): LinearPicture {
  const rgb = new Float32Array(widthPx * heightPx * 3);
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      rgb[pixel * 3 + channel] = linearOfCode[rgba[pixel * 4 + channel] ?? 0] ?? 0;
    }
  }
  return { widthPx, heightPx, rgb };
}
