import { expect, test } from 'bun:test';
import fc from 'fast-check';
import jsQR from 'jsqr';
import { codewordLayoutOf } from '../../src/render/symbol/codewords.ts';
import { type Matrix, matrixOf } from '../../src/render/symbol/matrix.ts';
import { anyLink } from './design-arbitraries.ts';

const letters = {
  finder: 'F',
  functionPattern: '.',
  format: 'f',
  version: '.',
  alignment: 'A',
  data: '-',
};

function map(side: number): string[] {
  const { roles } = codewordLayoutOf(side);
  return Array.from({ length: side }, (_, y) =>
    roles
      .slice(y * side, (y + 1) * side)
      .map((role) => letters[role])
      .join(''),
  );
}

test('version 7 has version information and six alignment patterns', () => {
  const rows = map(45);
  expect(rows[0]).toBe('FFFFFFF.f-------------------------....FFFFFFF');
  expect(rows[34]).toBe('.......-----------------------------------'.padEnd(45, '-'));
  expect(rows[22]).toBe(`----AAAAA${'-'.repeat(11)}AAAAA${'-'.repeat(11)}AAAAA----`);
});

test.each([
  [21, 26, 1, 8],
  [25, 44, 1, 14],
  [29, 70, 2, 11],
  [33, 100, 4, 8],
  [37, 134, 4, 11],
  [45, 196, 5, 13],
  [177, 3706, 81, 15],
])('side %i: %i codewords in %i blocks that repair %i each', (side, total, blocks, repairable) => {
  const placement = codewordLayoutOf(side);
  expect(placement.blockOf).toHaveLength(total);
  expect(placement.blocks).toBe(blocks);
  expect(placement.repairable).toBe(repairable);
  expect(Math.max(...placement.codewordOf)).toBe(total - 1);
  expect(new Set(placement.blockOf).size).toBe(blocks);
});

/** Decodes a symbol with some modules inverted. */
function readWith(matrix: Matrix, inverted: ReadonlySet<number>): string | null {
  const [scale, quiet] = [4, 4];
  const widthPx = (matrix.side + 2 * quiet) * scale;
  const pixels = new Uint8ClampedArray(widthPx * widthPx * 4).fill(255);
  for (let y = 0; y < widthPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const [column, row] = [Math.floor(x / scale) - quiet, Math.floor(y / scale) - quiet];
      const inside = column >= 0 && row >= 0 && column < matrix.side && row < matrix.side;
      const isInverted = inside && inverted.has(row * matrix.side + column);
      if (matrix.isDark(column, row) !== isInverted)
        pixels.fill(0, (y * widthPx + x) * 4, (y * widthPx + x) * 4 + 3);
    }
  }
  return jsQR(pixels, widthPx, widthPx, { inversionAttempts: 'dontInvert' })?.data ?? null;
}

test('every block corrects `repairable` wrong codewords, and no more', () => {
  fc.assert(
    fc.property(anyLink, fc.nat(), fc.nat(), (link, blockSeed, shuffleSeed) => {
      const matrix = matrixOf(link);
      const placement = codewordLayoutOf(matrix.side);
      const block = blockSeed % placement.blocks;
      const codewords = [...placement.blockOf.keys()]
        .filter((codeword) => placement.blockOf[codeword] === block)
        .sort((a, b) => ((a * 7919 + shuffleSeed) % 1009) - ((b * 7919 + shuffleSeed) % 1009));
      const modulesOfFirst = (count: number) => {
        const hit = new Set(codewords.slice(0, count));
        const modules = [...placement.codewordOf.keys()];
        return new Set(modules.filter((module) => hit.has(placement.codewordOf[module] ?? -1)));
      };
      expect(readWith(matrix, modulesOfFirst(placement.repairable))).toBe(link);
      expect(readWith(matrix, modulesOfFirst(placement.repairable + 1))).not.toBe(link);
    }),
    { numRuns: 30 },
  );
});
