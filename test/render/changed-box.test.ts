import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createBinarizer } from '../../src/render/gate/changed-box.ts';

const widthPx = 23;
const codes = fc.uint8Array({ minLength: widthPx ** 2, maxLength: widthPx ** 2 });
const edges = fc
  .tuple(fc.nat({ max: widthPx }), fc.nat({ max: widthPx }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

/** Compares each pixel with the mean of the square around it, all added up anew. */
function isDark(pixels: Uint8Array, x: number, y: number, half: number): boolean {
  let [sum, count] = [0, 0];
  for (let row = Math.max(0, y - half); row < Math.min(widthPx, y + half); row++) {
    for (let column = Math.max(0, x - half); column < Math.min(widthPx, x + half); column++) {
      sum += pixels[row * widthPx + column] ?? 0;
      count++;
    }
  }
  return (pixels[y * widthPx + x] ?? 0) + 3 < sum / count;
}

test('a picture that differs in a box is in black and white as it would be by itself', () => {
  fc.assert(
    fc.property(codes, codes, edges, edges, fc.constantFrom(2, 8, 16), (...drawn) => {
      const [before, others, [left, right], [top, bottom], windowPx] = drawn;
      const inBox = (place: number) => {
        const [x, y] = [place % widthPx, Math.floor(place / widthPx)];
        return x >= left && x < right && y >= top && y < bottom;
      };
      const after = before.map((code, place) => (inBox(place) ? (others[place] ?? 0) : code));
      const grid = { widthPx, pxPerModule: 2, leftPx: 0 };
      const binary = createBinarizer(before, grid, windowPx)(after, { left, right, top, bottom });
      for (let y = 0; y < widthPx; y++) {
        for (let x = 0; x < widthPx; x++) {
          expect(binary.isDark(x, y)).toBe(isDark(after, x, y, windowPx / 2));
        }
      }
    }),
  );
});
