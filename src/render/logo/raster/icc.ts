import { type ColorSpace, d50, type ToneCurve } from './color-space.ts';
import { columns, type Vector3 } from './matrix.ts';

/** What a colour profile is, as far as pictures need it. */
export interface IccProfile {
  /** For people. */
  readonly name: string;
  /** Colours that it describes, such as `RGB`. */
  readonly samples: string;
  /** Null when it describes them by tables (LUT), or in a way that pictures do not have. */
  readonly space: ColorSpace | null;
  /** Codes of ITU-T H.273 that count instead (ICC.1:2022, clause 9.2.17). */
  readonly cicp: readonly number[] | null;
}

const headerBytes = 128;
const tagBytes = 12;
/** Each tag begins with its type. */
const minTagBytes = 4;

/** The last version that browsers read. Version 5 is iccMAX. */
const maxVersion = 4;

/** Largest difference of the illuminant from D50, which all profiles have. */
const illuminantTolerance = 0.01;

/**
 * Parses an ICC profile (ICC.1:2022, clause 7).
 *
 * @returns null for one that browsers ignore, because it is damaged or of a later version
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
  if (!hasUsualHeader(bytes)) return null;
  const tags = readTags(bytes);
  if (tags === null) return null;
  const samples = readSignature(bytes, 16);
  const name = readName(tags.get('desc'));
  const other = { name, samples, space: null, cicp: null };
  if (tags.has('A2B0') || tags.has('A2B1') || !['GRAY', 'RGB'].includes(samples)) return other;
  const cicp = tags.get('cicp');
  if (cicp !== undefined) return { ...other, cicp: [...cicp.subarray(8, 12)] };
  const space = samples === 'GRAY' ? readGray(tags, readSignature(bytes, 20)) : readRgb(tags);
  return space === null ? null : { name, samples, space, cicp: null };
}

function readSignature(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4).trim();
}

function hasUsualHeader(bytes: Buffer): boolean {
  const length = bytes.readUInt32BE(0);
  const isWhole = length <= bytes.length && length >= headerBytes + 4;
  const isD50 = d50.every(
    (value, axis) => Math.abs(fixed(bytes, 68 + 4 * axis) - value) < illuminantTolerance,
  );
  return (
    isWhole &&
    isD50 &&
    (bytes[8] ?? 0) <= maxVersion &&
    readSignature(bytes, 36) === 'acsp' &&
    ['XYZ', 'Lab'].includes(readSignature(bytes, 20))
  );
}

/** Returns the first tag of each signature, or null when one is outside of the profile. */
function readTags(bytes: Buffer): ReadonlyMap<string, Buffer> | null {
  const length = bytes.readUInt32BE(0);
  const count = bytes.readUInt32BE(headerBytes);
  const end = headerBytes + 4 + count * tagBytes;
  if (end > length) return null;
  const tags = new Map<string, Buffer>();
  for (let at = headerBytes + 4; at < end; at += tagBytes) {
    const signature = bytes.toString('latin1', at, at + 4);
    const start = bytes.readUInt32BE(at + 4);
    const tagEnd = start + bytes.readUInt32BE(at + 8);
    if (tagEnd > length || tagEnd < start + minTagBytes) return null;
    if (!tags.has(signature)) tags.set(signature, bytes.subarray(start, tagEnd));
  }
  return tags;
}

/** Reads a profile of greys. Browsers ignore those whose curve gives the lightness of Lab. */
function readGray(tags: ReadonlyMap<string, Buffer>, connection: string): ColorSpace | null {
  const curve = readCurve(tags.get('kTRC'));
  if (curve === null || connection === 'Lab') return null;
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
  if (tag === undefined || readSignature(tag, 0) !== 'XYZ') return null;
  return [fixed(tag, 8), fixed(tag, 12), fixed(tag, 16)];
}

/** Reads a curve: a gamma, a table, or a formula (clauses 10.6 and 10.18). */
function readCurve(tag: Buffer | undefined): ToneCurve | null {
  if (tag === undefined) return null;
  const type = tag.toString('latin1', 0, 4);
  if (type === 'curv') return readSampledCurve(tag);
  return type === 'para' ? readFormula(tag) : null;
}

function readSampledCurve(tag: Buffer): ToneCurve | null {
  const count = tag.readUInt32BE(8);
  if (count === 0) return (value) => value;
  if (count === 1) {
    const gamma = tag.readUInt16BE(12) / 256;
    return gamma > 0 ? (value) => value ** gamma : null;
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
 * Formulas 1 and 2 have no d, which is -b/a. Formula 2 adds its c to both parts.
 */
function readFormula(tag: Buffer): ToneCurve | null {
  const formula = tag.readUInt16BE(8);
  const names = formulas[formula];
  if (names === undefined) return null;
  const given = Object.fromEntries(
    Array.from(names, (name, index) => [name, fixed(tag, 12 + 4 * index)]),
  );
  const { g = 1, a = 1, b = 0, d = -b / a } = given;
  const { c = 0, e = 0, f = 0 } = formula === 2 ? { c: 0, e: given['c'], f: given['c'] } : given;
  const isUsual = g > 0 && [a, c, d, a * d + b + rounding].every((term) => term >= 0);
  if (!isUsual) return null;
  return (value) => (value >= d ? Math.max(0, a * value + b) ** g + e : c * value + f);
}

const rounding = 1e-6;

/** Reads the name of a profile, for people. */
function readName(tag: Buffer | undefined): string {
  try {
    return readText(tag);
  } catch {
    // A place outside of the tag.
    return '';
  }
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
