import qrcode from 'qrcode-generator';
import { isAlphanumeric } from '../../core/codes/print-size.ts';
import { createQuickly, modulesOf } from './mask.ts';

/** The dark and light modules of a symbol, quiet zone not counted. */
export interface Matrix {
  /** Modules along one side: 17 + 4 × version. */
  readonly side: number;
  /** Whether the module at a column and a row is dark. False outside the symbol. */
  isDark(x: number, y: number): boolean;
}

/**
 * Encodes a short link at error correction level H in the smallest version that holds it, in
 * alphanumeric mode where that can write it. `symbolSideModules` says how large it becomes.
 *
 * @throws RangeError when the link is not printable ASCII or too long for a symbol
 */
export function matrixOf(shortLink: string): Matrix {
  if (!/^[\x21-\x7e]{1,1273}$/.test(shortLink)) throw new RangeError('not a link to encode');
  const symbol = qrcode(0, 'H');
  symbol.addData(shortLink, isAlphanumeric(shortLink) ? 'Alphanumeric' : 'Byte');
  createQuickly(symbol);
  const side = symbol.getModuleCount();
  const modules = modulesOf(symbol, side);
  return {
    side,
    isDark: (x, y) => x >= 0 && y >= 0 && x < side && y < side && modules[y * side + x] === 1,
  };
}
