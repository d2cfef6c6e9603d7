/** XYZ of the primaries of sRGB, adapted to the illuminant D50 (IEC 61966-2-1, ICC.1:2022, annex E). */
const primaries = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const;

const curves = ['rTRC', 'gTRC', 'bTRC'] as const;

/** Tags that count instead of primaries and curves, or change what they mean. */
const otherTags = ['A2B0', 'A2B1', 'A2B2', 'D2B0', 'D2B1', 'cicp'] as const;

/** Profiles round differently. Those of other spaces differ by ten times as much. */
const tolerance = 0.004;

/** Linear light of samples in sRGB: at the dark end, where gammas differ most, up to the light one. */
const curvePoints = [
  [0.04, 0.0031],
  [0.1, 0.01],
  [0.25, 0.0509],
  [0.5, 0.214],
  [0.75, 0.5225],
] as const;

/** Dark values differ by less, and show it more. */
const curveTolerance = (linear: number) => 0.0005 + 0.01 * linear;

const headerBytes = 128;
const tagBytes = 12;

/** Returns whether an ICC profile (ICC.1:2022, clause 7) describes sRGB, by its numbers and not its name. */
export function isSrgbProfile(profile: Uint8Array): boolean {
  try {
    return isSrgb(Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength));
  } catch {
    // A place outside of the profile.
    return false;
  }
}

function isSrgb(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 16, 24) !== 'RGB XYZ ') return false;
  if (bytes.toString('latin1', 36, 40) !== 'acsp') return false;
  const count = bytes.readUInt32BE(headerBytes);
  const tagOf = (signature: string): Buffer | null => {
    for (let index = 0; index < count; index++) {
      const at = headerBytes + 4 + index * tagBytes;
      if (bytes.readUInt32BE(at) !== Buffer.from(signature).readUInt32BE()) continue;
      const start = bytes.readUInt32BE(at + 4);
      return bytes.subarray(start, start + bytes.readUInt32BE(at + 8));
    }
    return null;
  };
  const isPrimary = ([signature, expected]: [string, readonly number[]]) => {
    const tag = tagOf(signature);
    return (
      tag !== null &&
      expected.every((value, axis) => Math.abs(fixed(tag, 8 + 4 * axis) - value) <= tolerance)
    );
  };
  return (
    otherTags.every((signature) => tagOf(signature) === null) &&
    Object.entries(primaries).every(isPrimary) &&
    curves.every((signature) => isSrgbCurve(tagOf(signature)))
  );
}

/** Reads a number with 16 bits of fraction. */
function fixed(tag: Buffer, at: number): number {
  return tag.readInt32BE(at) / 65_536;
}

/** Returns whether a tag is a table or a formula of the curve of sRGB (clauses 10.6 and 10.18). */
function isSrgbCurve(tag: Buffer | null): boolean {
  const type = tag?.toString('latin1', 0, 4);
  if (tag === null || !(type === 'curv' || type === 'para')) return false;
  const linearOf = type === 'curv' ? tableOf(tag) : formulaOf(tag);
  return curvePoints.every(
    ([sample, linear]) => Math.abs(linearOf(sample) - linear) <= curveTolerance(linear),
  );
}

/** Reads a table. A gamma alone is one entry, and the curve of sRGB is none. */
function tableOf(tag: Buffer): (sample: number) => number {
  const last = tag.readUInt32BE(8) - 1;
  if (last < 1) return () => Number.NaN;
  const entry = (index: number) => tag.readUInt16BE(12 + 2 * index) / 65_535;
  return (sample) => {
    const below = Math.floor(sample * last);
    return entry(below) + (sample * last - below) * (entry(below + 1) - entry(below));
  };
}

/** Reads the formula 3, which is that of sRGB: (aX + b)^g from d on, and cX below it. */
function formulaOf(tag: Buffer): (sample: number) => number {
  if (tag.readUInt16BE(8) !== 3) return () => Number.NaN;
  const [g = 0, a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3, 4].map((at) => fixed(tag, 12 + 4 * at));
  return (sample) => (sample >= d ? (a * sample + b) ** g : c * sample);
}
