import qrcode from 'qrcode-generator';
import { codewordLayoutOf } from './codewords.ts';

/** The dark and light modules of a symbol, quiet zone not counted. */
export interface Matrix {
  /** Modules along one side: 17 + 4 × version. */
  readonly side: number;
  /** Returns whether the module at a column and a row is dark. False outside the symbol. */
  isDark(x: number, y: number): boolean;
}

/** Error correction levels by their indicators in the format information (ISO/IEC 18004, table 12). */
const levels = { L: 1, M: 0, H: 2 } as const;
type Level = keyof typeof levels;

/**
 * Encodes a short link in the smallest version that holds it, in alphanumeric mode if possible
 * (ISO/IEC 18004, table 5).
 *
 * @param level of error correction
 * @throws RangeError when the link is not printable ASCII or too long for a symbol
 */
export function matrixOf(shortLink: string, level: Level = 'H'): Matrix {
  if (!/^[\x21-\x7e]{1,1273}$/.test(shortLink)) throw new RangeError('not a link to encode');
  const symbol = qrcode(0, level);
  const isAlphanumeric = /^[0-9A-Z $%*+\-./:]+$/.test(shortLink);
  symbol.addData(shortLink, isAlphanumeric ? 'Alphanumeric' : 'Byte');
  const modules = withFirstMask(symbol);
  const side = symbol.getModuleCount();
  chooseMask(modules, side, level);
  return {
    side,
    isDark: (x, y) => x >= 0 && y >= 0 && x < side && y < side && modules[y * side + x] === 1,
  };
}

/**
 * Makes a symbol with the first mask.
 * Returns its modules row by row, 1 for dark. `make()` compares the masks by eighteen calls of `isDark` per module.
 * Without an answer it takes the first one, and we compare them faster.
 */
function withFirstMask(symbol: ReturnType<typeof qrcode>): Uint8Array {
  const { isDark } = symbol;
  symbol.isDark = () => false;
  symbol.make();
  const side = symbol.getModuleCount();
  const modules = new Uint8Array(side * side);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) modules[y * side + x] = isDark(y, x) ? 1 : 0;
  return modules;
}

/** Replaces the first mask by the one with the lowest penalty. */
function chooseMask(modules: Uint8Array, side: number, level: Level): void {
  const { roles } = codewordLayoutOf(side);
  // The information on format and version does not count, as in qrcode-generator.
  const counted = modules.map((dark, at) =>
    roles[at] === 'format' || roles[at] === 'version' ? 0 : dark,
  );
  const changes = changesOf(side);
  let [best, lowest] = [0, Number.POSITIVE_INFINITY];
  for (const [mask, changed] of changes.entries()) {
    const penalty = penaltyOf(inverted(counted, changed), side);
    if (penalty < lowest) [best, lowest] = [mask, penalty];
  }
  modules.set(inverted(modules, changes[best] ?? modules));
  writeFormat(modules, side, formatOf(level, best));
}

/** Inverts the modules that are 1 in the second array. */
function inverted(modules: Uint8Array, changed: Uint8Array): Uint8Array {
  const result = new Uint8Array(modules.length);
  for (let at = 0; at < result.length; at++) result[at] = (modules[at] ?? 0) ^ (changed[at] ?? 0);
  return result;
}

/** Conditions under which the masks invert the module at a column and a row (ISO/IEC 18004, table 10). */
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => ((y >> 1) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** By side; there are 40 versions. */
const knownChanges = new Map<number, readonly Uint8Array[]>();

/**
 * Returns for each mask which modules differ from those with the first mask, 1 for different.
 * Memoized.
 */
function changesOf(side: number): readonly Uint8Array[] {
  const { roles } = codewordLayoutOf(side);
  const isInverted = (mask: number, at: number) => masks[mask]?.(at % side, Math.floor(at / side));
  return knownChanges.getOrInsertComputed(side, () =>
    masks.map((_, mask) =>
      Uint8Array.from(roles, (role, at) =>
        role === 'data' && isInverted(mask, at) !== isInverted(0, at) ? 1 : 0,
      ),
    ),
  );
}

/** Computes the format information of a level and a mask: BCH (15, 5), masked (ISO/IEC 18004, annex C). */
function formatOf(level: Level, mask: number): number {
  const data = (levels[level] << 3) | mask;
  let remainder = data;
  for (let bit = 0; bit < 10; bit++)
    remainder = (remainder << 1) ^ (((remainder >> 9) & 1) * 0x537);
  return ((data << 10) | (remainder & 0x3ff)) ^ 0x5412;
}

/** Writes the format information twice (ISO/IEC 18004, 7.9.1). */
function writeFormat(modules: Uint8Array, side: number, format: number): void {
  for (let bit = 0; bit < 15; bit++) {
    const dark = (format >> bit) & 1;
    // Both skip the timing patterns.
    const down = bit < 6 ? bit : bit < 8 ? bit + 1 : side - 15 + bit;
    const right = bit < 8 ? side - 1 - bit : bit === 8 ? 7 : 14 - bit;
    modules[down * side + 8] = dark;
    modules[8 * side + right] = dark;
  }
}

/** Dark and light modules of a line through the centre of a finder pattern, as bits. */
const finderLine = 0b1011101;

/**
 * Computes the penalty of a mask as qrcode-generator 2.0.4 does.
 * It follows ISO/IEC 18004, 7.8.3, except that the first rule counts neighbours instead of runs. A module at the border
 * has too few neighbours to count.
 */
function penaltyOf(modules: Uint8Array, side: number): number {
  const at = (index: number) => modules[index] ?? 0;
  const columns = new Uint8Array(side);
  let [penalty, dark] = [0, 0];
  for (let y = 0; y < side; y++) {
    // The last seven modules of the row as bits, and the dark ones of the last columns of three.
    let [row, left, middle] = [0, 0, 0];
    for (let x = 0; x < side; x++) {
      const end = y * side + x;
      const module = at(end);
      dark += module;
      row = ((row << 1) | module) & 127;
      const column = (((columns[x] ?? 0) << 1) | module) & 127;
      columns[x] = column;
      if (row === finderLine) penalty += 40;
      if (column === finderLine) penalty += 40;
      if (y === 0) continue;
      const above = at(end - side);
      if (x > 0) {
        const block = module + above + at(end - 1) + at(end - side - 1);
        if (block === 0 || block === 4) penalty += 3;
      }
      if (y === 1) continue;
      const right = module + above + at(end - 2 * side);
      const darkOfNine = left + middle + right;
      const neighbours = at(end - side - 1) === 1 ? darkOfNine - 1 : 8 - darkOfNine;
      if (x > 1 && neighbours > 5) penalty += neighbours - 2;
      left = middle;
      middle = right;
    }
  }
  return penalty + Math.abs((100 * dark) / side / side - 50) * 2;
}
