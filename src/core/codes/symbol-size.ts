// Data codewords of versions 1 to 40 at error correction level H (ISO/IEC 18004, table 7).
const dataCodewords = [
  9, 16, 26, 36, 46, 60, 66, 86, 100, 122, 140, 158, 180, 197, 223, 253, 283, 313, 341, 385, 406,
  442, 464, 514, 538, 596, 628, 661, 701, 745, 793, 845, 901, 961, 986, 1054, 1096, 1142, 1222,
  1276,
];

const modeBits = 4;

/** Whether alphanumeric mode can write it: 45 characters, 5.5 bits each instead of 8 (ISO/IEC 18004, table 5). */
export function isAlphanumeric(text: string): boolean {
  return /^[0-9A-Z $%*+\-./:]+$/.test(text);
}

/**
 * Side in modules, quiet zone not counted, of the symbol that a short link is drawn as: the smallest
 * that holds it at error correction level H, in alphanumeric mode where that can write it, else in bytes.
 *
 * @throws RangeError when no symbol holds it
 */
export function symbolSideModules(shortLink: string): number {
  const bits = isAlphanumeric(shortLink) ? alphanumericBits : byteBits;
  const version =
    1 +
    dataCodewords.findIndex(
      (codewords, at) => modeBits + bits(shortLink.length, at + 1) <= codewords * 8,
    );
  if (version === 0) throw new RangeError('no symbol holds this link');
  return 17 + 4 * version;
}

// The count of characters in front of them takes more bits in larger versions (table 3).

function alphanumericBits(length: number, version: number): number {
  const countBits = version < 10 ? 9 : version < 27 ? 11 : 13;
  return countBits + 11 * Math.floor(length / 2) + 6 * (length % 2);
}

function byteBits(length: number, version: number): number {
  return (version < 10 ? 8 : 16) + 8 * length;
}
