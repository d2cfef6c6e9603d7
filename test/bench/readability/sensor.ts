import { toneOf } from '../../../src/render/readability/light.ts';
import { type Chance, chanceOf } from './chance.ts';
import { jpegLuma } from './jpeg.ts';
import type { LinearPicture, LumaPicture } from './picture.ts';
import type { Shot } from './scenes.ts';

/**
 * Converts light to the luma that a phone records: uneven light, exposure, colour cast, glare, noise,
 * clipping, tone curve, BT.601 luma and JPEG.
 */
export function exposed(scene: LinearPicture, shot: Shot, chance: Chance): LumaPicture {
  const { widthPx, heightPx, rgb } = scene;
  const light = lightField(shot.unevenness, chance);
  const gain = (shot.exposure * meterTarget) / Math.max(meterFloor, highlight(rgb));
  const casts = [gain * shot.warmth, gain, gain / shot.warmth];
  const tones = toneCurve(shot.gamma);
  let grain = chance.whole(0, 0xffff);
  const luma = new Uint8Array(widthPx * heightPx);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    const lit = light((pixel % widthPx) / widthPx, Math.floor(pixel / widthPx) / heightPx);
    let value = 0;
    for (let channel = 0; channel < 3; channel++) {
      const seen = (rgb[pixel * 3 + channel] ?? 0) * lit * (casts[channel] ?? 1) + shot.glare;
      grain = (Math.imul(grain, 1664525) + 1013904223) | 0;
      // Shot noise grows with the root of the light, read noise is always there.
      const deviation = shot.noise * Math.sqrt(0.25 + 1.5 * seen);
      const noisy = seen + deviation * (normals[grain >>> 16] ?? 0);
      const step = Math.max(0, Math.min(toneSteps, Math.round(noisy * toneSteps)));
      value += (lumaWeights[channel] ?? 0) * (tones[step] ?? 0);
    }
    luma[pixel] = Math.round(value * 255);
  }
  if (shot.jpegQuality === null) return { widthPx, heightPx, luma };
  return jpegLuma({ widthPx, heightPx, luma }, shot.jpegQuality);
}

/** Level of the highlights after metering; a dark scene is amplified threefold at most. */
const meterTarget = 0.85;
const meterFloor = 0.3;

const lumaWeights = [0.299, 0.587, 0.114];

/** Normally distributed numbers, precomputed because each pixel needs three. */
const normals = (() => {
  const chance = chanceOf(65_536);
  return Float32Array.from({ length: 65_536 }, () => chance.normal());
})();

const toneSteps = 4096;

/** Linear light, in steps, to the phone's code value from 0 to 1: sRGB, then the tone curve. */
function toneCurve(gamma: number): Float32Array {
  const curve = (_: unknown, step: number) => toneOf(step / toneSteps) ** gamma;
  return Float32Array.from({ length: toneSteps + 1 }, curve);
}

/** Returns the 98th percentile of the green channel, which meters weigh most. */
function highlight(rgb: Float32Array): number {
  const histogram = new Uint32Array(256);
  for (let at = 1; at < rgb.length; at += 3) {
    const bin = Math.min(255, Math.floor((rgb[at] ?? 0) * 255));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  let above = (rgb.length / 3) * 0.02;
  for (let bin = 255; bin > 0; bin--) {
    above -= histogram[bin] ?? 0;
    if (above < 0) return bin / 255;
  }
  return 0;
}

/** Returns light that falls off along a direction, around a spot, or under a soft-edged shadow. */
function lightField(darkest: number, chance: Chance): (x: number, y: number) => number {
  const kind = chance.one(['slope', 'spot', 'shadow']);
  const angle = chance.between(0, 2 * Math.PI);
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const loss = 1 - darkest;
  if (kind === 'spot') {
    const [cx, cy] = [chance.between(0.2, 0.8), chance.between(0.2, 0.8)];
    return (x, y) => 1 - loss * Math.min(1, (x - cx) ** 2 + (y - cy) ** 2);
  }
  const along = (x: number, y: number) => (x - 0.5) * dx + (y - 0.5) * dy;
  if (kind === 'slope') return (x, y) => 1 - loss * Math.max(0, Math.min(1, 0.5 + along(x, y)));
  const [edge, softness] = [chance.between(-0.25, 0.25), chance.between(0.05, 0.2)];
  return (x, y) => 1 - loss / (1 + Math.exp(-(along(x, y) - edge) / (softness / 2)));
}
