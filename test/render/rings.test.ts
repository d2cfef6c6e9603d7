import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ringNear } from '../../src/render/gate/rings.ts';
import type { Binary } from '../../src/render/gate/threshold.ts';

const sideModules = 24;
const middleModules = sideModules / 2;

/** A picture whose modules, and parts of modules, are dark where a drawing says so. */
function pictureOf(pxPerModule: number, isDark: (x: number, y: number) => boolean): Binary {
  const widthPx = sideModules * pxPerModule;
  const dark = Uint8Array.from({ length: widthPx * widthPx }, (_, at) => {
    const [x, y] = [at % widthPx, Math.floor(at / widthPx)];
    return isDark((x + 0.5) / pxPerModule, (y + 0.5) / pxPerModule) ? 1 : 0;
  });
  const isDarkPx = (x: number, y: number) => {
    const isInside = Math.min(x, y) >= 0 && Math.max(x, y) < widthPx;
    return isInside && dark[Math.floor(y) * widthPx + Math.floor(x)] === 1;
  };
  return { widthPx, pxPerModule, isDark: isDarkPx, darkRows: () => dark };
}

/** A square dot in a square ring, widths in modules, so far off the middle of the picture. */
function dotInRing(
  { right, down }: { right: number; down: number },
  { dot, light, dark }: { dot: number; light: number; dark: number },
) {
  return (x: number, y: number) => {
    const far =
      2 * Math.max(Math.abs(x - middleModules - right), Math.abs(y - middleModules - down));
    return far < dot || (far >= light && far < dark);
  };
}

const nearMiddle = (picture: Binary) =>
  ringNear(picture, middleModules * picture.pxPerModule, middleModules * picture.pxPerModule);

const anySize = fc.integer({ min: 4, max: 20 });
const anyOff = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);
const pattern = { dot: 1, light: 3, dark: 5 };

test('an alignment pattern, and any dot in a ring of about its size, is found where it is', () => {
  const anyRing = fc.constantFrom(
    pattern,
    { dot: 2, light: 4, dark: 6 },
    { dot: 2.5, light: 4, dark: 5 },
  );
  fc.assert(
    fc.property(anySize, anyOff, anyOff, anyRing, (pxPerModule, right, down, ring) => {
      const found = nearMiddle(pictureOf(pxPerModule, dotInRing({ right, down }, ring)));
      expect(Math.abs((found?.dx ?? Infinity) - right)).toBeLessThanOrEqual(0.5);
      expect(Math.abs((found?.dy ?? Infinity) - down)).toBeLessThanOrEqual(0.5);
    }),
  );
});

test.each<[string, (x: number, y: number) => boolean]>([
  ['nothing', () => false],
  ['all dark', () => true],
  ['a dot without a ring', dotInRing({ right: 0, down: 0 }, { dot: 2, light: 30, dark: 30 })],
  ['a ring that is open to one side', open(dotInRing({ right: 0, down: 0 }, pattern))],
  [
    'a dot too large for a pattern',
    dotInRing({ right: 0, down: 0 }, { dot: 6, light: 8, dark: 10 }),
  ],
])('%s is taken for no pattern', (_, isDark) => {
  fc.assert(
    fc.property(anySize, (pxPerModule) => {
      expect(nearMiddle(pictureOf(pxPerModule, isDark))).toBeNull();
    }),
  );
});

/** The same without what is dark above the middle. */
function open(isDark: (x: number, y: number) => boolean) {
  return (x: number, y: number) =>
    isDark(x, y) && (y > middleModules - 1 || Math.abs(x - middleModules) > 0.5);
}
