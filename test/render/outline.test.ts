import { expect, test } from 'bun:test';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { blockPath, decimal, outlinePath } from '../../src/render/symbol/outline.ts';

/** Rasterises a path of whole modules at `scale` pixels each; true where it is dark. */
function raster(path: string, side: number, scale = 1): boolean[] {
  const width = side * scale;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><path transform="scale(${scale})" d="${path}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return Array.from({ length: width * width }, (_, pixel) => (pixels[pixel * 4 + 3] ?? 0) > 127);
}

test('an outline of any modules fills exactly those modules', () => {
  const anyModules = fc
    .integer({ min: 1, max: 12 })
    .chain((side) => fc.array(fc.boolean(), { minLength: side * side, maxLength: side * side }));
  fc.assert(
    fc.property(anyModules, (modules) => {
      const side = Math.sqrt(modules.length);
      const isDark = (x: number, y: number) =>
        x >= 0 && y >= 0 && x < side && y < side && modules[y * side + x] === true;
      const path = outlinePath(isDark, side, 0, 0);
      if (path === '') expect(modules).not.toContain(true);
      else expect(raster(path, side)).toEqual(modules);
    }),
  );
});

test('rounding cuts corners and leaves middles', () => {
  const isDark = (x: number, y: number) => x === 1 && y === 1;
  const pixels = raster(outlinePath(isDark, 3, 0.5, 0), 3, 10);
  expect(pixels[15 * 30 + 15]).toBe(true);
  expect(pixels[10 * 30 + 10]).toBe(false);
});

test('draws a ring and a hole in it', () => {
  expect(blockPath(0, 0, 3, 0)).toBe('M0 0h3v3h-3v-3z');
  expect(blockPath(1, 1, 1, 0, true)).toBe('M1 1v1h1v-1z');
});

test.each([
  [-0, '0'],
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.333'],
  [12, '12'],
])('writes %p as %p', (value, text) => {
  expect(decimal(value)).toBe(text);
});
