import { captureCount } from './decode.ts';
import { limits, printContrastSignalLimit } from './limits.ts';
import type { Measures } from './measures.ts';

/** Reason why a picture is rejected. */
export interface Fault {
  /** Whether other colours would remove it. */
  readonly isOfColors: boolean;
  readonly text: string;
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
    ...(color === null ? [] : [{ isOfColors: true, text: color }]),
    ...others.filter((text) => text !== null).map((text) => ({ isOfColors: false, text })),
  ];
}

/** A part of the logo looks like an alignment pattern (alignment.ts). */
export const misalignmentFault: Fault = {
  isOfColors: false,
  text: 'Part of the logo looks like an alignment pattern in the wrong place, which misleads scanners. Use a smaller logo, put a patch behind it, or set a shorter short URL.',
};

/** The logo is a code itself. No change of the design helps. */
export const codeLogoFault: Fault = {
  isOfColors: false,
  text: 'The logo is a QR code itself, and a phone may open that one instead. Use a logo without a code.',
};

/**
 * Returns the faults that decoding shows.
 *
 * @param decoded null if no simulated scan was decoded
 */
export function decodeFaults(decoded: string | null, shortLink: string): Fault[] {
  if (decoded === shortLink) return [];
  if (decoded !== null) return [codeLogoFault];
  return [{ isOfColors: false, text: `None of ${captureCount} simulated scans read the link.` }];
}

/** Returns the first problem of the colours; further ones would follow from it. */
function colorProblem(measures: Measures): string | null {
  const { background, modules, finders } = measures;
  if (modules >= background) {
    return 'The code is inverted, and many scanners read only dark on light. Make the foreground darker than the background.';
  }
  if (finders >= background) {
    return 'The finder patterns in the corners are lighter than the background, so that scanners do not find the code. Make them darker.';
  }
  const contrast = missedContrast(measures);
  if (contrast !== null) {
    return finders > modules
      ? `The finder patterns in the corners are too close to the background (${contrast}). Make them darker.`
      : `Foreground and background are too close (${contrast}). Make the foreground darker or the background lighter.`;
  }
  if (measures.finderShare < limits.finderShare) {
    return 'The finder patterns in the corners are much paler than the modules, so that scanners take them for background. Make them as dark as the modules.';
  }
  if (measures.toneShare >= limits.toneShare) return null;
  return 'The modules are much paler than the finder patterns or the logo, so that scanners take them for background. Make the foreground darker.';
}

/** Returns which contrast is too low and by how much, or null. */
function missedContrast(measures: Measures): string | null {
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
function missed(name: string, share: number, wanted: number): string {
  return `${name} ${Math.floor(100 * share)} %, at least ${Math.ceil(100 * wanted)} % is needed`;
}

function quietZoneProblem(quietZoneModules: number): string | null {
  if (quietZoneModules >= limits.quietZoneModules) return null;
  return `The quiet zone is ${quietZoneModules} modules wide; scanners need ${limits.quietZoneModules}.`;
}

function errorCorrectionProblem({
  errorCorrectionUnused,
  blocks,
  hidden,
  errorCorrectionUsed,
}: Measures): string | null {
  if (errorCorrectionUnused >= blocks * limits.unusedPerBlock) return null;
  return `The logo hides too much: ${percent(hidden)} of the code, which uses ${percent(errorCorrectionUsed)} of the error correction where it is hit worst and leaves too little for dirt and scratches. Make the logo smaller.`;
}

function coverProblem({ covered }: Measures): string | null {
  const { finder, functionPattern, version, format } = covered;
  if (finder + functionPattern + version > 0 || format > limits.coveredFormat) {
    return 'The logo reaches into the corners and edges that scanners need to find the code. Make it smaller.';
  }
  if (covered.alignment <= limits.coveredAlignment) return null;
  return 'The logo hides the small square at the lower right that scanners align to. Make it smaller.';
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
export function cautionsOf(measures: Measures): string[] {
  const { symbolContrast, printContrastSignal, errorCorrectionUsed, toneShare } = measures;
  const cautions: string[] = [];
  if (
    printContrastSignal < caution.printContrastSignal ||
    symbolContrast < caution.symbolContrast
  ) {
    cautions.push('The contrast is low: most phones read the code, some older scanners do not.');
  } else if (toneShare < caution.toneShare) {
    cautions.push(
      'Some colours are much paler than others: in poor light some scanners lose them.',
    );
  }
  if (errorCorrectionUsed > caution.errorCorrectionUsed) {
    cautions.push(
      `The logo uses ${percent(errorCorrectionUsed)} of the error correction: keep the print clean, or make the logo smaller.`,
    );
  }
  return cautions;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
