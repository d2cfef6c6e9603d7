import { type LightMap, linearOfTone, toneOf } from './light.ts';

/** Conditions of a simulated capture. */
export interface Capture {
  readonly pxPerModule: number;
  readonly rollDegrees: number;
  /** Share by which the right or lower edge is nearer than the left or upper one. */
  readonly tiltX: number;
  readonly tiltY: number;
  /** Standard deviation of the blur in modules: lens, focus and hand together. */
  readonly blurModules: number;
  /** Light at the darkest corner as a share of that at the lightest. */
  readonly unevenness: number;
  /** Standard deviation of the noise at full light, as a share of it, in linear light. */
  readonly noise: number;
  /** Reflectance of the surface around the code. */
  readonly page: number;
}

/** Tones of a code's background and of the lighter of its modules and finders, from 0 to 1. */
export interface CodeTones {
  readonly background: number;
  readonly dark: number;
}

/** Width of the frame as a multiple of the code's width. */
const frameShare = 1.15;

/**
 * Simulates a capture as grey values of 0 to 255 in a square frame.
 * They are stretched so that the code's dark tone is black and its background white: jsQR ignores low contrast.
 */
export function simulateCapture(map: LightMap, capture: Capture, tones: CodeTones) {
  const blurred = blur(map, capture.blurModules * map.pxPerModule);
  const modules = map.widthPx / map.pxPerModule;
  const sidePx = Math.ceil(modules * capture.pxPerModule * frameShare);
  const radians = (capture.rollDegrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const zoom = map.pxPerModule / capture.pxPerModule;
  const center = map.widthPx / 2;
  const gray = new Uint8ClampedArray(sidePx * sidePx);
  const table = toneTable(tones, (1 + capture.unevenness) / 2);
  const { widthPx } = map;
  const { tiltX, tiltY, page } = capture;
  const shade = (1 - capture.unevenness) / (2 * sidePx);
  let random = 1;
  for (let y = 0; y < sidePx; y++) {
    const dy = y + 0.5 - sidePx / 2;
    for (let x = 0; x < sidePx; x++) {
      const dx = x + 0.5 - sidePx / 2;
      const scale = zoom / (1 + (tiltX * dx + tiltY * dy) / sidePx);
      const u = (cos * dx + sin * dy) * scale + center;
      const v = (cos * dy - sin * dx) * scale + center;
      const seen = sample(blurred, widthPx, u, v, page);
      const lit = 1 - shade * (x + y);
      // A linear congruential generator. The sum of three bytes approximates a normal distribution.
      random = (Math.imul(random, 1664525) + 1013904223) | 0;
      const normal =
        ((random >>> 24) + ((random >>> 16) & 255) + ((random >>> 8) & 255) - 382.5) / 127.5;
      // Shot noise grows with the root of the light. The offset stands for the noise of a sensor in the dark.
      const noise = capture.noise * Math.sqrt(0.15 + seen) * normal;
      const step = ((seen * lit + noise) * 1023) | 0;
      gray[y * sidePx + x] = table[Math.max(0, Math.min(1023, step))] ?? 0;
    }
  }
  return { gray, widthPx: sidePx };
}

/**
 * Returns stretched grey values for linear light in 1,024 steps.
 *
 * @param lit light on the code, from 0 to 1
 */
function toneTable({ background, dark }: CodeTones, lit: number): Uint8ClampedArray {
  const black = toneOf(linearOfTone(dark) * lit);
  const span = Math.max(toneOf(linearOfTone(background) * lit) - black, 1 / 255);
  const table = new Uint8ClampedArray(1024);
  for (let step = 0; step < table.length; step++)
    table[step] = (255 * (toneOf(step / 1023) - black)) / span;
  return table;
}

/** Samples bilinearly. Returns `page` outside the code. */
function sample(light: Float32Array, widthPx: number, u: number, v: number, page: number): number {
  const left = u - 0.5;
  const top = v - 0.5;
  const last = widthPx - 1;
  if (left < 0 || top < 0 || left >= last || top >= last) return page;
  // Truncation equals floor here, and keeps an integer for the compiler.
  const x = left | 0;
  const y = top | 0;
  const fx = left - x;
  const fy = top - y;
  const at = y * widthPx + x;
  const upper = (light[at] ?? 0) * (1 - fx) + (light[at + 1] ?? 0) * fx;
  const lower = (light[at + widthPx] ?? 0) * (1 - fx) + (light[at + widthPx + 1] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Approximates a Gaussian blur by two passes of a box in each direction. */
function blur({ light, widthPx }: LightMap, sigmaPx: number): Float32Array {
  // Two boxes of radius r have a variance of 2 r (r + 1) / 3.
  const radius = Math.round((Math.sqrt(1 + 6 * sigmaPx * sigmaPx) - 1) / 2);
  if (radius === 0) return light;
  let out = light;
  for (let pass = 0; pass < 2; pass++) {
    out = boxed(out, widthPx, radius, 1, widthPx);
    out = boxed(out, widthPx, radius, widthPx, 1);
  }
  return out;
}

/** Applies a box along lines of pixels that lie `step` numbers apart; lines lie `lineStep` apart. */
function boxed(
  values: Float32Array,
  widthPx: number,
  radius: number,
  step: number,
  lineStep: number,
): Float32Array {
  const out = new Float32Array(values.length);
  const share = 1 / (2 * radius + 1);
  const last = (widthPx - 1) * step;
  for (let line = 0; line < widthPx; line++) {
    const start = line * lineStep;
    // The box around the first pixel. The edge pixel repeats outwards.
    let sum = (values[start] ?? 0) * (radius + 1);
    for (let pixel = 1; pixel <= radius; pixel++) sum += values[start + pixel * step] ?? 0;
    for (let pixel = 0; pixel < widthPx; pixel++) {
      out[start + pixel * step] = sum * share;
      const entering = Math.min(last, (pixel + radius + 1) * step);
      const leaving = Math.max(0, (pixel - radius) * step);
      sum += (values[start + entering] ?? 0) - (values[start + leaving] ?? 0);
    }
  }
  return out;
}
