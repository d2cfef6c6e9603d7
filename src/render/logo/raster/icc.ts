import { type ColorSpace, d50, type ToneCurve } from './color-space.ts';
import { columns, type Vector3 } from './matrix.ts';

/** What a colour profile is, as far as pictures need it. */
export interface IccProfile {
  /** For people. */
  readonly name: string;
  /** Colours that it describes. */
  readonly samples: 'gray' | 'rgb' | 'cmyk';
  /** Null when it describes its colours by tables (LUT). */
  readonly space: ColorSpace | null;
}

/** More than the specification names. */
const maxTags = 200;

const spaces: Readonly<Record<string, IccProfile['samples']>> = {
  GRAY: 'gray',
  'RGB ': 'rgb',
  CMYK: 'cmyk',
};

/**
 * Parses an ICC profile (ICC.1:2022, clause 7).
 *
 * @returns null for one that is damaged or of another kind: browsers ignore it
 */
export function parseIccProfile(bytes: Uint8Array): IccProfile | null {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    // A place outside of the file.
    return null;
  }
}

function parse(bytes: Buffer): IccProfile | null {
  const samples = spaces[bytes.toString('latin1', 16, 20)];
  if (samples === undefined || bytes.toString('latin1', 36, 40) !== 'acsp') return null;
  const tags = readTags(bytes);
  const name = readText(tags.get('desc'));
  if (samples === 'cmyk' || tags.has('A2B0')) return { name, samples, space: null };
  const space = samples === 'gray' ? readGray(tags) : readRgb(tags);
  return space === null ? null : { name, samples, space };
}

function readTags(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const count = Math.min(bytes.readUInt32BE(128), maxTags);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = 132 + index * 12;
      const start = bytes.readUInt32BE(at + 4);
      const tag = bytes.subarray(start, start + bytes.readUInt32BE(at + 8));
      return [bytes.toString('latin1', at, at + 4), tag];
    }),
  );
}

function readGray(tags: ReadonlyMap<string, Buffer>): ColorSpace | null {
  const curve = readCurve(tags.get('kTRC'));
  if (curve === null) return null;
  // Equal samples give grey: white is shared among them.
  const third: Vector3 = [d50[0] / 3, d50[1] / 3, d50[2] / 3];
  return { curves: [curve, curve, curve], toXyz: columns(third, third, third) };
}

function readRgb(tags: ReadonlyMap<string, Buffer>): ColorSpace | null {
  const [red, green, blue] = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => readXyz(tags.get(tag)));
  const [redCurve, greenCurve, blueCurve] = ['rTRC', 'gTRC', 'bTRC'].map((tag) =>
    readCurve(tags.get(tag)),
  );
  if (!red || !green || !blue || !redCurve || !greenCurve || !blueCurve) return null;
  return { curves: [redCurve, greenCurve, blueCurve], toXyz: columns(red, green, blue) };
}

/** Reads a number with 16 bits of fraction. */
function fixed(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536;
}

function readXyz(tag: Buffer | undefined): Vector3 | null {
  return tag === undefined ? null : [fixed(tag, 8), fixed(tag, 12), fixed(tag, 16)];
}

/** Reads a curve: a gamma, a table, or a formula (clauses 10.6 and 10.18). */
function readCurve(tag: Buffer | undefined): ToneCurve | null {
  if (tag === undefined) return null;
  const type = tag.toString('latin1', 0, 4);
  if (type === 'curv') return readSampledCurve(tag);
  return type === 'para' ? readFormula(tag) : null;
}

function readSampledCurve(tag: Buffer): ToneCurve {
  const count = tag.readUInt32BE(8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const gamma = tag.readUInt16BE(12) / 256;
    return (value) => value ** gamma;
  }
  const entry = (index: number) => tag.readUInt16BE(12 + 2 * index) / 65_535;
  entry(count - 1);
  return (value) => {
    const place = value * (count - 1);
    const below = Math.min(Math.floor(place), count - 2);
    return entry(below) + (place - below) * (entry(below + 1) - entry(below));
  };
}

/** Names of the parameters of each formula, in their order. */
const formulas = ['g', 'gab', 'gabc', 'gabcd', 'gabcdef'] as const;

/**
 * Reads Y = (aX + b)^g + e from d on, and cX + f below it.
 * In formulas 1 and 2, d is -b/a and e and f are c.
 */
function readFormula(tag: Buffer): ToneCurve | null {
  const formula = tag.readUInt16BE(8);
  const names = formulas[formula];
  if (names === undefined) return null;
  const given = Object.fromEntries(
    Array.from(names, (name, index) => [name, fixed(tag, 12 + 4 * index)]),
  );
  const { g = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0 } = given;
  const power = (value: number) => Math.max(0, a * value + b) ** g;
  if (formula === 0) return power;
  if (formula === 1) return (value) => (value >= -b / a ? power(value) : 0);
  if (formula === 2) return (value) => (value >= -b / a ? power(value) + c : c);
  return (value) => (value >= d ? power(value) + e : c * value + f);
}

/** Reads the text of a tag of type desc (version 2) or mluc (version 4), the first language. */
function readText(tag: Buffer | undefined): string {
  if (tag === undefined) return '';
  const isUnicode = tag.toString('latin1', 0, 4) === 'mluc';
  const text = isUnicode
    ? Buffer.from(tag.subarray(tag.readUInt32BE(24), tag.readUInt32BE(24) + tag.readUInt32BE(20)))
        .swap16()
        .toString('utf16le')
    : tag.toString('latin1', 12, 12 + tag.readUInt32BE(8));
  return text
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
    .slice(0, 60)
    .trim();
}
