import { InvalidLogo } from '../../core/ports.ts';
import { latin1, viewOf } from './picture.ts';
import type { Pixels } from './pixels.ts';

/** Columns for red, green and blue; rows for X, Y and Z. */
type Matrix = readonly [number, number, number, number, number, number, number, number, number];

/** XYZ (adapted to D50, as profiles state it) to linear sRGB: the inverse of the sRGB profile. */
const xyzToSrgb: Matrix = [
  3.1341359, -1.6172206, -0.4906603, -0.978796, 1.9161416, 0.0334538, 0.0719454, -0.2289914,
  1.4052427,
];

/** Below this, in linear light, a profile is sRGB by another name and the pixels stay as they are. */
const sameMatrix = 0.01;
const sameCurve = 0.01;

/**
 * Converts pixels to sRGB by their ICC profile (ICC.1:2022, matrix and tone curves: what Display P3,
 * Adobe RGB and sRGB are), because the profile itself is not kept. Grey profiles are taken as sRGB.
 *
 * @throws InvalidLogo for profiles of another kind
 */
export function toSrgb(pixels: Pixels, profile: Uint8Array | null): Pixels {
  if (profile === null || latin1(profile, 16, 4) === 'GRAY') return pixels;
  const { matrix, curves } = readProfile(profile);
  if (isSrgb(matrix, curves)) return pixels;
  const rgba = pixels.rgba.slice();
  for (let at = 0; at < rgba.length; at += 4) {
    const red = curves[0][rgba[at] ?? 0] ?? 0;
    const green = curves[1][rgba[at + 1] ?? 0] ?? 0;
    const blue = curves[2][rgba[at + 2] ?? 0] ?? 0;
    rgba[at] = encode(matrix[0] * red + matrix[1] * green + matrix[2] * blue);
    rgba[at + 1] = encode(matrix[3] * red + matrix[4] * green + matrix[5] * blue);
    rgba[at + 2] = encode(matrix[6] * red + matrix[7] * green + matrix[8] * blue);
  }
  return { ...pixels, rgba };
}

type Curves = readonly [Float64Array, Float64Array, Float64Array];

/** The profile as tone curves to linear light and a matrix from there to linear sRGB. */
function readProfile(profile: Uint8Array): { matrix: Matrix; curves: Curves } {
  try {
    if (latin1(profile, 16, 4) !== 'RGB ' || latin1(profile, 20, 4) !== 'XYZ ') throw foreign();
    const [red, green, blue] = [xyz(profile, 'rXYZ'), xyz(profile, 'gXYZ'), xyz(profile, 'bXYZ')];
    const row = (at: 0 | 3 | 6) =>
      [red, green, blue].map(
        ([x, y, z]) =>
          xyzToSrgb[at] * x + (xyzToSrgb[at + 1] ?? 0) * y + (xyzToSrgb[at + 2] ?? 0) * z,
      ) as [number, number, number]; // three in, three out
    return {
      matrix: [...row(0), ...row(3), ...row(6)],
      curves: [curve(profile, 'rTRC'), curve(profile, 'gTRC'), curve(profile, 'bTRC')],
    };
  } catch {
    // A missing tag, or one that points outside: either way not a profile that can be followed.
    throw foreign();
  }
}

function tag(profile: Uint8Array, signature: string): DataView {
  const view = viewOf(profile);
  const count = Math.min(view.getUint32(128), 100);
  for (let index = 0; index < count; index++) {
    const entry = 132 + index * 12;
    if (latin1(profile, entry, 4) !== signature) continue;
    const offset = view.getUint32(entry + 4);
    return viewOf(profile.subarray(offset, offset + view.getUint32(entry + 8)));
  }
  throw foreign();
}

/** Numbers of type s15Fixed16Number. */
function fixed(view: DataView, offset: number): number {
  return view.getInt32(offset) / 65_536;
}

function xyz(profile: Uint8Array, signature: string): [number, number, number] {
  const view = tag(profile, signature);
  return [fixed(view, 8), fixed(view, 12), fixed(view, 16)];
}

/** Linear light for each of the 256 stored values. */
function curve(profile: Uint8Array, signature: string): Float64Array {
  const view = tag(profile, signature);
  const type = view.getUint32(0);
  const evaluate = type === 0x70617261 ? parametric(view) : sampled(view);
  return Float64Array.from({ length: 256 }, (_, value) => clamp(evaluate(value / 255)));
}

/** `curv`: nothing (identity), one gamma, or a table. */
function sampled(view: DataView): (value: number) => number {
  const count = view.getUint32(8);
  if (count === 0) return (value) => value;
  if (count === 1) return (value) => value ** (view.getUint16(12) / 256);
  return (value) => {
    const position = value * (count - 1);
    const below = Math.floor(position);
    const above = Math.min(below + 1, count - 1);
    const low = view.getUint16(12 + 2 * below) / 65_535;
    const high = view.getUint16(12 + 2 * above) / 65_535;
    return low + (high - low) * (position - below);
  };
}

/** `para`, function types 0 to 4: (a·x + b)^g + e from d upwards, c·x + f below. */
function parametric(view: DataView): (value: number) => number {
  const type = view.getUint16(8);
  const counts = [1, 3, 4, 5, 7];
  const count = counts[type];
  if (count === undefined) throw foreign();
  const given = Array.from({ length: count }, (_, index) => fixed(view, 12 + 4 * index));
  const [g = 1, a = 1, b = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = given;
  if (type < 3) {
    return (value) => (a * value + b >= 0 ? (a * value + b) ** g : 0) + (type === 2 ? third : 0);
  }
  return (value) => (value >= fourth ? (a * value + b) ** g + fifth : third * value + sixth);
}

function isSrgb(matrix: Matrix, curves: Curves): boolean {
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const near = matrix.every(
    (value, index) => Math.abs(value - (identity[index] ?? 0)) < sameMatrix,
  );
  return near && curves.every((c) => c.every((v, i) => Math.abs(v - decode(i / 255)) < sameCurve));
}

/** sRGB's own curve, IEC 61966-2-1. */
function decode(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encode(linear: number): number {
  const light = clamp(linear);
  const value = light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(value * 255);
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}

function foreign(): InvalidLogo {
  return new InvalidLogo(
    'The colours of this picture are stored with a colour profile that cannot be converted. Save it again as sRGB.',
  );
}
