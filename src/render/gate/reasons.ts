import type { Measures } from './contrast.ts';
import type { Readback } from './decode.ts';
import { limits, printContrastLimit } from './limits.ts';

/** What is wrong with a picture, in plain words, and in which part of the design. */
export interface Finding {
  readonly part: 'colors' | 'finders' | 'logo' | 'quietZone' | 'whole';
  readonly text: string;
}

/** Everything that the measures say against a picture; empty when there is nothing. */
export function faultsOf(measures: Measures, quietZoneModules: number): Finding[] {
  const color = colorFault(measures);
  // Where no logo hides anything, it is the colours that turned the modules over.
  const byColor = color !== null && measures.hidden === 0;
  const found = [
    color,
    quietZoneModules < limits.quietZoneModules ? quietZoneFault(quietZoneModules) : null,
    byColor ? null : budgetFault(measures),
    coverFault(measures),
  ];
  return found.filter((fault) => fault !== null);
}

/** Where a piece of the logo bends the grid of scanners (steady.ts). */
export const lookalikeFault: Finding = {
  part: 'logo',
  text: 'A part of the logo looks like a pattern that scanners align to, and is not where it should be. Change the size of the logo, or put a patch behind it.',
};

/** Nothing but another logo helps against this. */
export const codeLogoFault: Finding = {
  part: 'logo',
  text: 'The logo is a QR code itself: a phone may open that one instead. Use a logo without a code.',
};

/** What the scans say, where no measure found a fault. */
export function readbackFaults(readback: Readback): Finding[] {
  if (readback.stray !== null) return [codeLogoFault];
  if (readback.read) return [];
  const text = `None of ${readback.tried} simulated scans gave the link back.`;
  return [{ part: 'whole', text }];
}

/** The first fault of the colours; the others follow from it. */
function colorFault(measures: Measures): Finding | null {
  const { ground, modules, finders } = measures;
  const colors = (text: string): Finding => ({ part: 'colors', text });
  const corners = (text: string): Finding => ({ part: 'finders', text });
  if (modules >= ground) {
    return colors(
      'The code is inverted: the foreground must be darker than the background, because many scanners read nothing else.',
    );
  }
  if (finders >= ground) {
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

/** The measure of contrast that is missed, in words, or null. */
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

/** Rounded apart, so that what is there never looks like what is needed. */
function missed(name: string, share: number, wanted: number): string {
  return `${name} ${Math.floor(100 * share)} %, at least ${Math.ceil(100 * wanted)} % is needed`;
}

function quietZoneFault(quietZoneModules: number): Finding {
  const text = `The quiet zone is ${quietZoneModules} modules wide; scanners need ${limits.quietZoneModules}.`;
  return { part: 'quietZone', text };
}

function budgetFault(measures: Measures): Finding | null {
  const { spare, blocks, hidden, damage } = measures;
  if (spare >= blocks * limits.sparePerBlock) return null;
  const text = `The logo hides too much: ${percent(hidden)} of the code, which uses ${percent(damage)} of the damage that can be repaired in the part hit worst, and something has to be left for dirt and scratches. Make the logo smaller.`;
  return { part: 'logo', text };
}

function coverFault({ covered }: Measures): Finding | null {
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

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
