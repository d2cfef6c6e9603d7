import type { UnconvertedColors } from '../../../core/designs/logo-reasons.ts';
import {
  type Chromaticities,
  type ColorSpace,
  d65,
  srgbPrimaries,
  type ToneCurve,
  toXyz,
} from './color-space.ts';
import { parseIccProfile } from './icc.ts';
import type { PngColors, RasterMetadata } from './metadata.ts';

/** Thrown for colours that cannot be converted. */
export class UnconvertibleColors extends Error {
  constructor(readonly colors: UnconvertedColors) {
    super(colors.kind);
  }
}

/** Colour primaries by their number in ITU-T H.273, table 2. */
const primariesByCode: Readonly<Record<number, Chromaticities>> = {
  1: srgbPrimaries,
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, ...d65],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, ...d65],
};

const srgbCurve: ToneCurve = (sample) =>
  sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4;

const gammaCurve =
  (gamma: number): ToneCurve =>
  (sample) =>
    sample ** gamma;

/** Of a screen for television (ITU-R BT.1886), as browsers show these pictures. */
const televisionCurve = gammaCurve(2.4);

/** Transfer functions by their number in ITU-T H.273, table 3, without those of HDR. */
const curvesByCode: Readonly<Record<number, ToneCurve>> = {
  1: televisionCurve,
  4: gammaCurve(2.2),
  5: gammaCurve(2.8),
  6: televisionCurve,
  8: gammaCurve(1),
  13: srgbCurve,
  14: televisionCurve,
  15: televisionCurve,
};

/** Kinds of profiles, and the samples that they apply to. */
const samplesByProfile: Readonly<Record<string, readonly RasterMetadata['samples'][]>> = {
  GRAY: ['gray'],
  RGB: ['gray', 'rgb'],
  CMYK: ['cmyk'],
};

/**
 * Returns the colour space of a picture, or null for sRGB.
 * What is named is read as browsers do: profiles that are damaged, or of another kind of samples, are ignored, and so
 * are primaries without a gamma.
 *
 * @throws UnconvertibleColors
 */
export function colorSpaceOf({ samples, iccProfile, png }: RasterMetadata): ColorSpace | null {
  if (png?.cicp) return spaceOfCodes(png.cicp);
  const profile = iccProfile === null ? null : parseIccProfile(iccProfile);
  if (profile === null) return png === null ? null : spaceOfGamma(png);
  const { name, samples: kind, space, cicp } = profile;
  if (samplesByProfile[kind]?.includes(samples) === false) return null;
  if (cicp !== null) return spaceOfCodes(cicp);
  if (space === null) throw new UnconvertibleColors({ kind: 'profile', name, samples: kind });
  return space;
}

function spaceOfCodes([
  primaries = 0,
  transfer = 0,
  matrix = 0,
  range = 0,
]: readonly number[]): ColorSpace {
  const chromaticities = primariesByCode[primaries];
  const curve = curvesByCode[transfer];
  if (chromaticities === undefined || curve === undefined || matrix !== 0 || range !== 1) {
    const isHdr = transfer === 16 || transfer === 18;
    const codes = [primaries, transfer, matrix, range].join('/');
    throw new UnconvertibleColors({ kind: isHdr ? 'HDR' : 'video', codes });
  }
  return { curves: [curve, curve, curve], toXyz: toXyz(chromaticities) };
}

/** A gamma of 1/2.2 without primaries: what programs write for sRGB. */
const srgbGamma = 0.45455;

/** Share of it by which browsers take another gamma for it. */
const gammaTolerance = 0.05;

function spaceOfGamma({ isSrgb, gamma, chromaticities }: PngColors): ColorSpace | null {
  if (isSrgb || gamma === 0) return null;
  if (chromaticities === null && Math.abs(gamma / srgbGamma - 1) < gammaTolerance) return null;
  // Browsers ignore both then.
  if (chromaticities?.some((value) => value < 0 || value > 1)) return null;
  const curve = gammaCurve(1 / gamma);
  const [whiteX = 0, whiteY = 0, ...primaries] = chromaticities ?? [...d65, ...srgbPrimaries];
  return {
    curves: [curve, curve, curve],
    toXyz: toXyz([...primaries.slice(0, 6), whiteX, whiteY]),
  };
}
