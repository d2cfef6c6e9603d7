import type { LinearPicture } from './picture.ts';

/** Gaussian blur in linear light, where light adds. Below a tenth of a pixel there is nothing to do. */
export function blurred(picture: LinearPicture, sigmaPx: number): LinearPicture {
  if (sigmaPx < 0.1) return picture;
  const kernel = gaussian(sigmaPx);
  const { widthPx, heightPx } = picture;
  const across = convolved(picture.rgb, kernel, widthPx, heightPx, 3, widthPx * 3);
  return { widthPx, heightPx, rgb: convolved(across, kernel, heightPx, widthPx, widthPx * 3, 3) };
}

/** Three standard deviations to either side hold 99.7 % of the light. */
function gaussian(sigmaPx: number): Float32Array {
  const radius = Math.max(1, Math.ceil(sigmaPx * 3));
  const kernel = Float32Array.from({ length: 2 * radius + 1 }, (_, tap) =>
    Math.exp(-((tap - radius) ** 2) / (2 * sigmaPx ** 2)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  return kernel.map((weight) => weight / sum);
}

/** Convolves `lines` lines of `length` pixels; the pixels at the ends repeat outwards. */
function convolved(
  rgb: Float32Array,
  kernel: Float32Array,
  length: number,
  lines: number,
  pixelStep: number,
  lineStep: number,
): Float32Array {
  const out = new Float32Array(rgb.length);
  const radius = kernel.length >> 1;
  for (let line = 0; line < lines; line++) {
    for (let pixel = 0; pixel < length; pixel++) {
      const at = line * lineStep + pixel * pixelStep;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = -radius; tap <= radius; tap++) {
        const from = at + (Math.max(0, Math.min(length - 1, pixel + tap)) - pixel) * pixelStep;
        const weight = kernel[tap + radius] ?? 0;
        red += (rgb[from] ?? 0) * weight;
        green += (rgb[from + 1] ?? 0) * weight;
        blue += (rgb[from + 2] ?? 0) * weight;
      }
      out[at] = red;
      out[at + 1] = green;
      out[at + 2] = blue;
    }
  }
  return out;
}
