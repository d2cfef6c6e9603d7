import type { DecodeResult } from './decode.ts';
import { limits, printContrastLimit } from './limits.ts';
import type { Measures } from './measures.ts';

/** Reason why a picture is rejected, and the part of the design at fault. */
export interface Fault {
  readonly part: 'colors' | 'finders' | 'logo' | 'quietZone' | 'whole';
  readonly text: string;
}

/** Returns the faults that the measures show. */
export function faultsOf(measures: Measures, quietZoneModules: number): Fault[] {
  const color = colorFault(measures);
  // Without a logo, wrong modules come from the colours.
  const byColor = color !== null && measures.hidden === 0;
  const found = [
    color,
    quietZoneModules < limits.quietZoneModules ? quietZoneFault(quietZoneModules) : null,
    byColor ? null : budgetFault(measures),
    coverFault(measures),
  ];
  return found.filter((fault) => fault !== null);
}

/** A part of the logo looks like an alignment pattern (alignment.ts). */
export const misalignmentFault: Fault = {
  part: 'logo',
  text: 'A part of the logo looks like a pattern that scanners align to, and is not where it should be. Use a smaller logo, put a patch behind it, or set a shorter short URL.',
};

/** The logo is a code itself. No change of the design helps. */
export const codeLogoFault: Fault = {
  part: 'logo',
  text: 'The logo is a QR code itself: a phone may open that one instead. Use a logo without a code.',
};

/** Returns the faults that decoding shows. */
export function decodeFaults({ text, tried }: DecodeResult, shortLink: string): Fault[] {
  if (text === shortLink) return [];
  if (text !== null) return [codeLogoFault];
  return [{ part: 'whole', text: `None of ${tried} simulated scans read the link.` }];
}

/** Returns the first fault of the colours; further ones would follow from it. */
function colorFault(measures: Measures): Fault | null {
  const { background, modules, finders } = measures;
  const colors = (text: string): Fault => ({ part: 'colors', text });
  const corners = (text: string): Fault => ({ part: 'finders', text });
  if (modules >= background) {
    return colors(
      'The code is inverted: the foreground must be darker than the background, because many scanners read only dark on light.',
    );
  }
  if (finders >= background) {
    return corners(
      'The finder patterns in the corners are lighter than the background. Scanners find a code by three dark corners: make them darker.',
    );
  }
  const contrast = missedContrast(measures);
  if (contrast !== null && finders > modules) {
    return corners(
      'The finder patterns in the corners are too close to the background. Make them darker.',
    );
  }
  if (contrast !== null) {
    return colors(
      `Foreground and background are too close (${contrast}). Make the foreground darker or the background lighter.`,
    );
  }
  if (measures.finderShare < limits.finderShare) {
    return corners(
      'The finder patterns in the corners are much paler than the modules, so that scanners take them for background. Make them as dark as the modules.',
    );
  }
  if (measures.toneShare >= limits.toneShare) return null;
  return colors(
    'The modules are much paler than the finder patterns or the logo, so that scanners take them for background. Make the foreground darker.',
  );
}

/** Returns which contrast is too low and by how much, or null. */
function missedContrast(measures: Measures): string | null {
  const { symbolContrast, finderContrast, printContrast } = measures;
  if (symbolContrast < limits.symbolContrast) {
    return missed('symbol contrast', symbolContrast, limits.symbolContrast);
  }
  if (finderContrast < limits.finderContrast) {
    return missed('symbol contrast', finderContrast, limits.finderContrast);
  }
  const wanted = printContrastLimit(measures);
  return printContrast < wanted ? missed('print contrast', printContrast, wanted) : null;
}

/** Rounds the measured share down and the needed one up, so that they never look equal. */
function missed(name: string, share: number, wanted: number): string {
  return `${name} ${Math.floor(100 * share)} %, at least ${Math.ceil(100 * wanted)} % is needed`;
}

function quietZoneFault(quietZoneModules: number): Fault {
  const text = `The quiet zone is ${quietZoneModules} modules wide; scanners need ${limits.quietZoneModules}.`;
  return { part: 'quietZone', text };
}

function budgetFault(measures: Measures): Fault | null {
  const { spare, blocks, hidden, damage } = measures;
  if (spare >= blocks * limits.sparePerBlock) return null;
  const text = `The logo hides too much: ${percent(hidden)} of the code, which uses ${percent(damage)} of the damage that can be repaired in the part hit worst, and something has to be left for dirt and scratches. Make the logo smaller.`;
  return { part: 'logo', text };
}

function coverFault({ covered }: Measures): Fault | null {
  const steering = covered.finder + covered.separator + covered.timing + covered.version;
  if (steering > 0 || covered.format > limits.coveredFormat) {
    const text =
      'The logo reaches into the corners and edges that scanners steer by. Make it smaller.';
    return { part: 'logo', text };
  }
  if (covered.alignment <= limits.coveredAlignment) return null;
  const text =
    'The logo hides the small square at the lower right that scanners align to. Make it smaller.';
  return { part: 'logo', text };
}

/** Limits below which an accepted design gets a caution. */
const caution = {
  /** Start of grade C of ISO/IEC 15415. */
  symbolContrast: 0.4,
  /** zxing-cpp 1.4 in Debian loses some clean pictures below. */
  printContrast: 0.42,
  toneShare: 0.4,
  damage: 0.75,
} as const;

/** Returns the weaknesses of an accepted design. */
export function cautionsOf(measures: Measures): string[] {
  const { symbolContrast, printContrast, damage, toneShare } = measures;
  const cautions: string[] = [];
  if (printContrast < caution.printContrast || symbolContrast < caution.symbolContrast) {
    cautions.push('The contrast is low: most phones read it, some older scanners do not.');
  } else if (toneShare < caution.toneShare) {
    cautions.push(
      'Colours of very different darkness stand side by side: in poor light some scanners lose the paler ones.',
    );
  }
  if (damage > caution.damage) {
    cautions.push(
      `The logo uses ${percent(damage)} of the damage that can be repaired: keep the print clean, or make the logo smaller.`,
    );
  }
  return cautions;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
