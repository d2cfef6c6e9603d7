import qrcode from 'qrcode-generator';
import { isAlphanumeric } from '../../core/codes/print-size.ts';

/** The dark and light modules of a symbol, quiet zone not counted. */
export interface Matrix {
  /** Modules along one side: 17 + 4 × version. */
  readonly side: number;
  /** Returns whether the module at a column and a row is dark. False outside the symbol. */
  isDark(x: number, y: number): boolean;
}

/**
 * Encodes a short link at error correction level H in the smallest version that holds it, in
 * alphanumeric mode if possible. `symbolSideModules` computes the side without encoding.
 *
 * @throws RangeError when the link is not printable ASCII or too long for a symbol
 */
export function matrixOf(shortLink: string): Matrix {
  if (!/^[\x21-\x7e]{1,1273}$/.test(shortLink)) throw new RangeError('not a link to encode');
  const symbol = qrcode(0, 'H');
  symbol.addData(shortLink, isAlphanumeric(shortLink) ? 'Alphanumeric' : 'Byte');
  makeWithOwnPenalties(symbol);
  const side = symbol.getModuleCount();
  const modules = borderedModules(symbol, side);
  return {
    side,
    isDark: (x, y) =>
      x >= 0 && y >= 0 && x < side && y < side && modules[(y + 1) * (side + 2) + x + 1] === 1,
  };
}

/** Returns modules row by row, 1 for dark, with a border of 2 that spares checks of the bounds. */
function borderedModules(symbol: ReturnType<typeof qrcode>, side: number): Uint8Array {
  const row = side + 2;
  const modules = new Uint8Array(row * row).fill(2);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) modules[(y + 1) * row + x + 1] = symbol.isDark(y, x) ? 1 : 0;
  return modules;
}

/**
 * Makes a symbol in a third of the time of `symbol.make()`, with the same result. For each of the eight
 * masks, `make()` calls `getModuleCount` and computes the penalty of the symbol with fifteen calls per
 * module. We replace that function: it computes the penalty itself and returns a side of at most 1, so that
 * `make()` looks at a single module. Its own penalty is then 200 / side² - 100, which falls as the side
 * grows; the sides are chosen such that it selects the mask with our lowest penalty.
 */
function makeWithOwnPenalties(symbol: ReturnType<typeof qrcode>): void {
  const { getModuleCount } = symbol;
  // A better mask than all before gets a larger side; there are at most eight.
  const sideOf = (rank: number) => (rank + 1) / 9;
  let [lowest, rank] = [Number.POSITIVE_INFINITY, 1];
  symbol.getModuleCount = () => {
    const side = getModuleCount();
    const penalty = penaltyOf(borderedModules(symbol, side), side);
    if (penalty >= lowest) return sideOf(0);
    lowest = penalty;
    return sideOf(rank++);
  };
  symbol.make();
  symbol.getModuleCount = getModuleCount;
}

/** Dark and light modules of a line through the centre of a finder pattern. */
const finderLine = [1, 0, 1, 1, 1, 0, 1];

/**
 * Computes the penalty of a mask as qrcode-generator 2.0.4 does: by ISO/IEC 18004, 7.8.3, except that the
 * first rule counts neighbours instead of runs.
 */
function penaltyOf(modules: Uint8Array, side: number): number {
  const row = side + 2;
  let [penalty, dark] = [0, 0];
  for (let y = 1; y <= side; y++) {
    for (let at = y * row + 1; at <= y * row + side; at++) {
      const module = modules[at];
      let equal = 0;
      for (let above = at - row - 1; above < at - row + 2; above++) {
        if (modules[above] === module) equal++;
        if (modules[above + row] === module) equal++;
        if (modules[above + 2 * row] === module) equal++;
      }
      // The module itself is among the nine.
      if (equal > 6) penalty += equal - 3;
      const right = modules[at + 1];
      if (right === module && modules[at + row] === module && modules[at + row + 1] === module)
        penalty += 3;
      if (module === 0) continue;
      dark++;
      if (isFinderLine(modules, at, 1)) penalty += 40;
      if (isFinderLine(modules, at, row)) penalty += 40;
    }
  }
  return penalty + Math.abs((100 * dark) / side / side - 50) * 2;
}

function isFinderLine(modules: Uint8Array, start: number, step: number): boolean {
  let index = 0;
  while (index < finderLine.length && modules[start + index * step] === finderLine[index]) index++;
  return index === finderLine.length;
}
