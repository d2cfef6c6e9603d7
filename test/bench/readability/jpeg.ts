import type { LumaPicture } from './picture.ts';

/**
 * Applies JPEG's loss to luma: 8 × 8 DCT, quantization, and back. Entropy coding is lossless, and the
 * decoders use no chroma.
 */
export function jpegLuma(picture: LumaPicture, quality: number): LumaPicture {
  const { widthPx, heightPx, luma } = picture;
  const steps = quantisation(quality);
  const out = new Uint8Array(luma.length);
  const block = new Float32Array(64);
  const scratch = new Float32Array(64);
  for (let top = 0; top < heightPx; top += 8) {
    for (let left = 0; left < widthPx; left += 8) {
      for (let at = 0; at < 64; at++) {
        const y = Math.min(heightPx - 1, top + (at >> 3));
        const x = Math.min(widthPx - 1, left + (at & 7));
        block[at] = (luma[y * widthPx + x] ?? 0) - 128;
      }
      transform(block, scratch, cosines);
      for (let at = 0; at < 64; at++) {
        const step = steps[at] ?? 1;
        block[at] = Math.round((block[at] ?? 0) / step) * step;
      }
      transform(block, scratch, cosinesBack);
      for (let at = 0; at < 64; at++) {
        const [y, x] = [top + (at >> 3), left + (at & 7)];
        if (y >= heightPx || x >= widthPx) continue;
        out[y * widthPx + x] = Math.max(0, Math.min(255, Math.round((block[at] ?? 0) + 128)));
      }
    }
  }
  return { widthPx, heightPx, luma: out };
}

/** The luminance table of ITU-T T.81 (JPEG), table K.1. */
const standardSteps = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
  92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

/** How libjpeg scales the table for a quality from 1 to 100. */
function quantisation(quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return standardSteps.map((step) =>
    Math.max(1, Math.min(255, Math.floor((step * percent + 50) / 100))),
  );
}

/** Row `frequency`, column `place` of the orthonormal DCT. */
const cosines = Float32Array.from({ length: 64 }, (_, at) => {
  const [frequency, place] = [at >> 3, at & 7];
  const scale = frequency === 0 ? Math.sqrt(1 / 8) : 0.5;
  return scale * Math.cos(((2 * place + 1) * frequency * Math.PI) / 16);
});
const cosinesBack = cosines.map((_, at) => cosines[(at & 7) * 8 + (at >> 3)] ?? 0);

/** block := matrix · block · matrixᵀ */
function transform(block: Float32Array, scratch: Float32Array, matrix: Float32Array): void {
  for (let pass = 0; pass < 2; pass++) {
    const [from, to] = pass === 0 ? [block, scratch] : [scratch, block];
    for (let row = 0; row < 8; row++) {
      for (let column = 0; column < 8; column++) {
        let sum = 0;
        for (let k = 0; k < 8; k++) {
          sum += (matrix[row * 8 + k] ?? 0) * (from[k * 8 + column] ?? 0);
        }
        // Written transposed, so that two passes transform rows and columns and turn back.
        to[column * 8 + row] = sum;
      }
    }
  }
}
