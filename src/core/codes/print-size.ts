/** How wide to print a code, quiet zone included, so that a phone at a distance reads it. */
export interface PrintAdvice {
  /** Where such a code is read, in words. */
  readonly use: string;
  readonly distanceMm: number;
  readonly widthMm: number;
}

/** The quiet zone belongs to the print: without it the symbol is not found. */
interface Extent {
  readonly modules: number;
  readonly quietZoneModules: number;
}

// Below this, ink spreads into the neighbours at the 300 dpi of common printers (five dots a module).
const smallestModuleMm = 0.4;
// A phone's preview is some 1,920 pixels wide over 65 degrees: one pixel sees 1/1,500 of the
// distance. A module this much of the distance is 3.7 pixels; decoders ask for three. For the
// symbols of common short links it comes to the old rule "a tenth of the distance".
const modulesInDistance = 400;

/** Where codes are read, and from how far, in millimetres. */
const printUses = [
  { use: 'in the hand', distanceMm: 200 },
  { use: 'at arm’s length', distanceMm: 500 },
  { use: 'on a sign a metre away', distanceMm: 1000 },
  { use: 'on a poster at three metres', distanceMm: 3000 },
  { use: 'on a billboard at fifteen metres', distanceMm: 15_000 },
] as const;

/** The smallest width to print a code at for each distance, rounded up to whole millimetres. */
export function printAdvice({ modules, quietZoneModules }: Extent): PrintAdvice[] {
  return printUses.map(({ use, distanceMm }) => {
    const moduleMm = Math.max(smallestModuleMm, distanceMm / modulesInDistance);
    // Rounded at the tenth decimal first, so that 20.500000000000004 stays 21 and 20 stays 20.
    const exactMm = Number(((modules + 2 * quietZoneModules) * moduleMm).toFixed(10));
    return { use, distanceMm, widthMm: Math.ceil(exactMm) };
  });
}

/** How wide a picture of so many pixels is at so many dots per inch, in millimetres. */
export function printedWidthMm(widthPx: number, dpi: number): number {
  return (widthPx / dpi) * 25.4;
}
