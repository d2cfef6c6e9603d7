import type { ReadabilityReason } from '../../core/designs/readability.ts';
import { captureCount } from './decode.ts';
import { limits, printContrastSignalLimit } from './limits.ts';
import type { Measures } from './measures.ts';

/** Reason why a picture is rejected. */
export interface Fault {
  /** Whether other colours would remove it. */
  readonly isOfColors: boolean;
  readonly reason: ReadabilityReason;
}

/** Returns the faults that the measures show. */
export function faultsOf(measures: Measures, quietZoneModules: number): Fault[] {
  const color = colorProblem(measures);
  // Without a logo, wrong modules come from the colours.
  const byColor = color !== null && measures.hidden === 0;
  const others = [
    quietZoneProblem(quietZoneModules),
    byColor ? null : errorCorrectionProblem(measures),
    coverProblem(measures),
  ];
  return [
    ...(color === null ? [] : [{ isOfColors: true, reason: color }]),
    ...others.filter((reason) => reason !== null).map((reason) => ({ isOfColors: false, reason })),
  ];
}

/** A part of the logo looks like an alignment pattern (alignment.ts). */
export const misalignmentFault: Fault = {
  isOfColors: false,
  reason: { kind: 'logo looks like an alignment pattern' },
};

/** The logo is a code itself. No change of the design helps. */
export const codeLogoFault: Fault = {
  isOfColors: false,
  reason: { kind: 'logo is a code' },
};

/**
 * Returns the faults that decoding shows.
 *
 * @param decoded null if no simulated scan was decoded
 */
export function decodeFaults(decoded: string | null, shortLink: string): Fault[] {
  if (decoded === shortLink) return [];
  if (decoded !== null) return [codeLogoFault];
  return [{ isOfColors: false, reason: { kind: 'no scan read it', scans: captureCount } }];
}

/** Returns the first problem of the colours; further ones would follow from it. */
function colorProblem(measures: Measures): ReadabilityReason | null {
  const { background, modules, finders } = measures;
  if (modules >= background) return { kind: 'inverted' };
  if (finders >= background) return { kind: 'finder patterns lighter than the background' };
  const contrast = missedContrast(measures);
  if (contrast !== null) {
    const tone = finders > modules ? 'finder patterns' : 'modules';
    return { kind: 'too close to the background', tone, ...contrast };
  }
  if (measures.finderShare < limits.finderShare)
    return { kind: 'finder patterns paler than modules' };
  if (measures.toneShare >= limits.toneShare) return null;
  return { kind: 'modules paler than finder patterns' };
}

/** Returns which contrast is too low and by how much, or null. */
function missedContrast(measures: Measures) {
  const { symbolContrast, finderContrast, printContrastSignal } = measures;
  if (symbolContrast < limits.symbolContrast) {
    return missed('symbol contrast', symbolContrast, limits.symbolContrast);
  }
  if (finderContrast < limits.finderContrast) {
    return missed('symbol contrast', finderContrast, limits.finderContrast);
  }
  const wanted = printContrastSignalLimit(measures);
  return printContrastSignal < wanted
    ? missed('print contrast signal', printContrastSignal, wanted)
    : null;
}

/** Rounds the measured share down and the needed one up, so that they never look equal. */
function missed(
  measure: 'symbol contrast' | 'print contrast signal',
  share: number,
  wanted: number,
) {
  return { measure, percent: Math.floor(100 * share), neededPercent: Math.ceil(100 * wanted) };
}

function quietZoneProblem(modules: number): ReadabilityReason | null {
  const neededModules = limits.quietZoneModules;
  return modules >= neededModules
    ? null
    : { kind: 'quiet zone too narrow', modules, neededModules };
}

function errorCorrectionProblem({
  errorCorrectionUnused,
  blocks,
  hidden,
  errorCorrectionUsed,
}: Measures): ReadabilityReason | null {
  if (errorCorrectionUnused >= blocks * limits.unusedPerBlock) return null;
  return {
    kind: 'logo hides too much',
    hiddenPercent: percent(hidden),
    errorCorrectionPercent: percent(errorCorrectionUsed),
  };
}

function coverProblem({ covered }: Measures): ReadabilityReason | null {
  const { finder, functionPattern, version, format } = covered;
  if (finder + functionPattern + version > 0 || format > limits.coveredFormat)
    return { kind: 'logo reaches function patterns' };
  if (covered.alignment <= limits.coveredAlignment) return null;
  return { kind: 'logo hides the alignment pattern' };
}

/** Limits of an accepted design without a caution. */
const caution = {
  /** Start of grade C of ISO/IEC 15415. */
  symbolContrast: 0.4,
  /** zxing-cpp 1.4 in Debian loses some clean pictures below. */
  printContrastSignal: 0.42,
  /** Chosen, not fitted, like the next: a design with one of these values scores 64 or 63. */
  toneShare: 0.4,
  errorCorrectionUsed: 0.75,
} as const;

/** Returns the weaknesses of an accepted design. */
export function cautionsOf(measures: Measures): ReadabilityReason[] {
  const { symbolContrast, printContrastSignal, errorCorrectionUsed, toneShare } = measures;
  const cautions: ReadabilityReason[] = [];
  if (
    printContrastSignal < caution.printContrastSignal ||
    symbolContrast < caution.symbolContrast
  ) {
    cautions.push({ kind: 'low contrast' });
  } else if (toneShare < caution.toneShare) {
    cautions.push({ kind: 'some colours pale' });
  }
  if (errorCorrectionUsed > caution.errorCorrectionUsed) {
    const errorCorrectionPercent = percent(errorCorrectionUsed);
    cautions.push({ kind: 'much error correction used', errorCorrectionPercent });
  }
  return cautions;
}

function percent(share: number): number {
  return Math.round(share * 100);
}
