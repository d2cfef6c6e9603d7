import { describe, expect, test } from 'bun:test';
import { printAdvice, printedWidthMm } from '../../src/core/codes/print-size.ts';

const widthsOf = (modules: number, quietZoneModules: number) =>
  printAdvice({ modules, quietZoneModules }).map(({ widthMm }) => widthMm);

describe('the smallest width in print', () => {
  test('of a common short link, its margin included', () => {
    // 33 + 8 modules of 0.5, 1.25, 2.5, 7.5 and 37.5 mm.
    expect(widthsOf(33, 4)).toEqual([21, 52, 103, 308, 1538]);
  });

  test('is given for the hand, an arm’s length, one, three and fifteen metres', () => {
    const distancesMm = printAdvice({ modules: 33, quietZoneModules: 4 }).map(
      ({ distanceMm }) => distanceMm,
    );
    expect(distancesMm).toEqual([200, 500, 1000, 3000, 15_000]);
  });

  test('grows with the modules and with the margin', () => {
    expect(widthsOf(29, 4).every((width, at) => width < (widthsOf(33, 4)[at] ?? 0))).toBe(true);
    expect(widthsOf(33, 8).every((width, at) => width > (widthsOf(33, 4)[at] ?? 0))).toBe(true);
  });
});

test('a picture of 300 pixels is an inch wide at 300 dpi', () => {
  expect(printedWidthMm(300, 300)).toBeCloseTo(25.4);
});
