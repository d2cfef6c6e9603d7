import { expect, test } from 'bun:test';
import fc from 'fast-check';
import qrcode from 'qrcode-generator';
import { matrixOf } from '../../src/render/symbol/matrix.ts';
import { anyLink } from './design-arbitraries.ts';

function rowsOf(side: number, isDark: (x: number, y: number) => boolean): string[] {
  return Array.from({ length: side }, (_, y) =>
    Array.from({ length: side }, (_, x) => (isDark(x, y) ? '#' : '.')).join(''),
  );
}

test('encodes as qrcode-generator does by itself, mask included, in symbols of every size', () => {
  const unit = fc.constantFrom(...'abxyz/-.09');
  const anyText = fc.string({ minLength: 1, maxLength: 600, unit });
  fc.assert(
    fc.property(fc.oneof(anyLink, anyText), (text) => {
      const symbol = qrcode(0, 'H');
      symbol.addData(text, /[a-z]/.test(text) ? 'Byte' : 'Alphanumeric');
      symbol.make();
      const { side, isDark } = matrixOf(text);
      const rows = rowsOf(symbol.getModuleCount(), (x, y) => symbol.isDark(y, x));
      expect(rowsOf(side, isDark)).toEqual(rows);
    }),
    { numRuns: 100 },
  );
});

test('is dark nowhere outside', () => {
  const { isDark, side } = matrixOf('https://a.ex/q');
  expect([isDark(-1, 0), isDark(0, -1), isDark(side, 0), isDark(0, side)]).toEqual(
    Array(4).fill(false),
  );
});

test.each([
  ['https://go.example.com/k3m9x2pq', 33],
  ['HTTPS://GO.EXAMPLE.COM/K3M9X2PQ', 29],
  ['https://a.ex/abcdefgh', 29],
  ['HTTPS://A.EX/ABCDEFGH', 29],
])('%s takes %i modules', (link, side) => {
  expect(matrixOf(link).side).toBe(side);
});

test.each([
  ['an empty one', ''],
  ['one that is not ASCII', 'https://a.ex/ä'],
  ['one too long for a symbol', `https://a.ex/${'x'.repeat(1300)}`],
])('rejects %s', (_, link) => {
  expect(() => matrixOf(link)).toThrow(RangeError);
});
