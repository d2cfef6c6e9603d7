// Data codewords of versions 1 to 40 at error correction level H (ISO/IEC 18004, table 7).
const dataCodewords = [
  9, 16, 26, 36, 46, 60, 66, 86, 100, 122, 140, 158, 180, 197, 223, 253, 283, 313, 341, 385, 406,
  442, 464, 514, 538, 596, 628, 661, 701, 745, 793, 845, 901, 961, 986, 1054, 1096, 1142, 1222,
  1276,
];

const modeIndicatorBits = 4;

/** Returns whether a text can be encoded in alphanumeric mode (ISO/IEC 18004, table 5). */
export function isAlphanumeric(text: string): boolean {
  return /^[0-9A-Z $%*+\-./:]+$/.test(text);
}

/**
 * Returns the side in modules, without quiet zone, of the smallest symbol that holds a short link at
 * error correction level H.
 *
 * @throws RangeError when no symbol holds it
 */
export function symbolSideModules(shortLink: string): number {
  const dataBits = isAlphanumeric(shortLink) ? alphanumericBits : byteBits;
  const index = dataCodewords.findIndex(
    (codewords, at) => modeIndicatorBits + dataBits(shortLink.length, at + 1) <= codewords * 8,
  );
  if (index === -1) throw new RangeError('no symbol holds this link');
  return 17 + 4 * (index + 1);
}

// The character count indicator grows with the version (ISO/IEC 18004, table 3).

function alphanumericBits(length: number, version: number): number {
  const countBits = version < 10 ? 9 : version < 27 ? 11 : 13;
  return countBits + 11 * Math.floor(length / 2) + 6 * (length % 2);
}

function byteBits(length: number, version: number): number {
  return (version < 10 ? 8 : 16) + 8 * length;
}

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

/** Returns the printed width in millimetres of an image at a resolution in dots per inch. */
export function printedWidthMm(widthPx: number, dpi: number): number {
  return (widthPx / dpi) * 25.4;
}
