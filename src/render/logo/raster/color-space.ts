import { apply, columns, invert, type Matrix3, multiply, type Vector3 } from './matrix.ts';

/** Returns the linear value of a sample; both are 0 to 1. */
export type ToneCurve = (sample: number) => number;

/** A colour space of three primaries. */
export interface ColorSpace {
  readonly curves: readonly [red: ToneCurve, green: ToneCurve, blue: ToneCurve];
  /** From linear samples to XYZ of the illuminant D50. */
  readonly toXyz: Matrix3;
}

/** x and y of red, green, blue and white. */
export type Chromaticities = readonly number[];

/** White of most screens. */
export const d65 = [0.3127, 0.329] as const;
/** Primaries and white of sRGB. */
export const srgbPrimaries: Chromaticities = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, ...d65];

/** The illuminant of the space in which profiles are connected. */
export const d50: Vector3 = [0.9642, 1, 0.8249];

/** Cone responses of Bradford, by which a white point is adapted to another. */
const bradford: Matrix3 = [
  0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
];

/**
 * Computes the matrix of primaries to XYZ, adapted to the illuminant D50.
 * Impossible ones are not finite.
 */
export function toXyz(chromaticities: Chromaticities): Matrix3 {
  const [rx = 0, ry = 0, gx = 0, gy = 0, bx = 0, by = 0, wx = 0, wy = 0] = chromaticities;
  const xyz = (x: number, y: number): Vector3 => [x, y, 1 - x - y];
  const white: Vector3 = [wx / wy, 1, (1 - wx - wy) / wy];
  const primaries = columns(xyz(rx, ry), xyz(gx, gy), xyz(bx, by));
  const amounts = apply(invert(primaries), white);
  const toCones = apply(bradford, white);
  const wanted = apply(bradford, d50);
  const adapted = multiply(
    diagonal([wanted[0] / toCones[0], wanted[1] / toCones[1], wanted[2] / toCones[2]]),
    bradford,
  );
  return multiply(multiply(invert(bradford), adapted), multiply(primaries, diagonal(amounts)));
}

function diagonal([x, y, z]: Vector3): Matrix3 {
  return [x, 0, 0, 0, y, 0, 0, 0, z];
}

const srgbFromXyz = invert(toXyz(srgbPrimaries));

/** Steps of the table that encodes linear values: a tenth of a step of the darkest sRGB colours. */
const encodingSteps = 1 << 16;

/** Converts pixels in place; alpha stays. */
export type ColorConverter = (rgba: Uint8Array) => void;

/** Returns a converter to sRGB, or null when it would change nothing, as for a profile of sRGB itself. */
export function converterToSrgb({ curves, toXyz: spaceToXyz }: ColorSpace): ColorConverter | null {
  const matrix = multiply(srgbFromXyz, spaceToXyz);
  const linear = curves.map((curve) =>
    Float32Array.from({ length: 256 }, (_, value) => curve(value / 255)),
  );
  const [red, green, blue] = linear;
  const isUsable = [...matrix, ...linear.flatMap((table) => [...table])].every(Number.isFinite);
  if (!isUsable || red === undefined || green === undefined || blue === undefined) return null;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = matrix;
  const encoded = encodingTable();
  const convert: ColorConverter = (rgba) => {
    for (let at = 0; at < rgba.length; at += 4) {
      const x = red[rgba[at] ?? 0] ?? 0;
      const y = green[rgba[at + 1] ?? 0] ?? 0;
      const z = blue[rgba[at + 2] ?? 0] ?? 0;
      rgba[at] = encode(encoded, a * x + b * y + c * z);
      rgba[at + 1] = encode(encoded, d * x + e * y + f * z);
      rgba[at + 2] = encode(encoded, g * x + h * y + i * z);
    }
  };
  return changesColors(convert) ? convert : null;
}

function encodingTable(): Uint8Array {
  return Uint8Array.from({ length: encodingSteps }, (_, step) => {
    const linear = step / (encodingSteps - 1);
    const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(255 * value);
  });
}

function encode(table: Uint8Array, linear: number): number {
  return table[Math.round(Math.min(1, Math.max(0, linear)) * (encodingSteps - 1))] ?? 0;
}

/** Steps of 255 by which rounded numbers of a profile may change a colour. */
const toleranceSteps = 1;

/** Tries all greys, and places of the colour cube. */
function changesColors(convert: ColorConverter): boolean {
  const levels = [0, 64, 128, 192, 255];
  const cube = levels.flatMap((r) => levels.flatMap((g) => levels.flatMap((b) => [r, g, b, 255])));
  const grays = Array.from({ length: 256 }, (_, level) => [level, level, level, 255]);
  const colors = [...cube, ...grays.flat()];
  const converted = Uint8Array.from(colors);
  convert(converted);
  return converted.some((value, at) => Math.abs(value - (colors[at] ?? 0)) > toleranceSteps);
}
