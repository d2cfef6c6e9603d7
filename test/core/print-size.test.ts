import { expect, test } from 'bun:test';
import { printAdvice } from '../../src/core/codes/print/size.ts';

test('the smallest printed width includes the quiet zone, for five distances', () => {
  // 33 + 8 modules of 0.5, 1.25, 2.5, 7.5 and 37.5 mm.
  const advice = printAdvice({ modules: 33, quietZoneModules: 4 });
  expect(advice.map(({ distanceMm, widthMm }) => [distanceMm, widthMm])).toEqual([
    [200, 21],
    [500, 52],
    [1000, 103],
    [3000, 308],
    [15_000, 1538],
  ]);
});
