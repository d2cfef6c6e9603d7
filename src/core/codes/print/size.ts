/** Smallest printed width, quiet zone included, at which phones read a code from a distance. */
export interface PrintAdvice {
  /** Text for people, such as `in the hand`. */
  readonly use: string;
  readonly distanceMm: number;
  readonly widthMm: number;
}

// Below this, ink spreads into neighboring modules at 300 dpi (five dots a module).
const minModuleMm = 0.4;
// A phone's camera preview has some 1,920 pixels over 65 degrees, so a pixel covers 1/1,500 of the
// distance. A module of 1/400 covers 3.7 pixels. Decoders need three.
const modulesPerDistance = 400;

const printUses = [
  { use: 'in the hand', distanceMm: 200 },
  { use: 'at arm’s length', distanceMm: 500 },
  { use: 'on a sign a metre away', distanceMm: 1000 },
  { use: 'on a poster at three metres', distanceMm: 3000 },
  { use: 'on a billboard at fifteen metres', distanceMm: 15_000 },
] as const;

/** Returns the smallest printed width for common distances, rounded up to whole millimetres. */
export function printAdvice(symbol: { modules: number; quietZoneModules: number }): PrintAdvice[] {
  const modules = symbol.modules + 2 * symbol.quietZoneModules;
  return printUses.map(({ use, distanceMm }) => {
    const moduleMm = Math.max(minModuleMm, distanceMm / modulesPerDistance);
    // Rounded to ten decimals first: 20.500000000000004 becomes 21, and 20.000000000000004 stays 20.
    const widthMm = Math.ceil(Number((modules * moduleMm).toFixed(10)));
    return { use, distanceMm, widthMm };
  });
}
