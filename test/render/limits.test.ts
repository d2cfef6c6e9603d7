import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readabilityText } from '../../src/http/sentences/readability.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { checkReadability } from '../../src/render/readability/check.ts';
import { printContrastSignalLimit } from '../../src/render/readability/limits.ts';
import { specimenOf } from '../bench/readability/corpus.ts';

/** Designs that scanners cannot read in simulated captures, though each measure is within its limit. */
test.each<[string, number, number, RegExp]>([
  ['a mid-toned logo that inverts modules next to it', 1618033, 1044, /hides too much/],
  ['a dull background, contrast just enough for white', 1618033, 1042, /too close/],
  ['hidden alignment patterns, nearly the whole budget used', 1618033, 786, /too close/],
  ['pale dots, dark finders, the whole budget used', 2, 828, /too close/],
  ['coral dots in a large symbol, hidden alignment patterns', 3141593, 590, /too close/],
  ['turquoise finders, nearly black modules', 2236067, 621, /corners are too close/],
  ['orange dots on cream, nearly black finders', 1732050, 840, /much paler/],
  ['coral finders, black modules', 5236461, 839, /corners are much paler/],
])('rejects %s', (_, seed, index, reason) => {
  expect(readabilityText({ reasons: resultOf(seed, index).reasons, advice: null })).toMatch(reason);
});

/** Near a limit as well, but at least two scanners read three quarters of the shots and more. */
test.each<[string, number, number]>([
  ['a disc that leaves one codeword to spare', 614659, 847],
  ['modules of low symbol contrast with dark finders', 3741657, 264],
  ['orange finders on a dull background, nearly black modules', 4500829, 930],
  ['a mid-tone on a dull background', 3316624, 71],
  ['a pale logo in a large symbol, hidden alignment patterns', 20270314, 126],
])('accepts %s', (_, seed, index) => {
  expect(resultOf(seed, index)).toMatchObject({ isReadable: true });
});

function resultOf(seed: number, index: number) {
  const { link, design } = specimenOf(seed, index);
  return checkReadability(pictureOf(link, design), link);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const measures = fc.record({
  background: share,
  modules: share,
  finders: share,
  symbolContrast: share,
  finderContrast: share,
  printContrastSignal: share,
  finderShare: fc.double({ min: 0, max: 5, noNaN: true }),
  logoShare: share,
  errorCorrectionUsed: fc.double({ min: 0, max: 2, noNaN: true }),
  hidesAlignment: fc.boolean(),
  side: fc.integer({ min: 1, max: 40 }).map((version) => 17 + 4 * version),
});

test('a design that is harder to read never needs less contrast', () => {
  const [less, more] = [0.9, 1.1];
  fc.assert(
    fc.property(measures, (any) => {
      const design = { ...any, finderContrast: any.symbolContrast };
      const needed = printContrastSignalLimit(design) - 1e-9;
      const harder = [
        { errorCorrectionUsed: design.errorCorrectionUsed * more },
        { logoShare: design.logoShare * less },
        { finderShare: design.finderShare * less },
        { hidesAlignment: true },
        { side: design.side + 4 },
        {
          symbolContrast: design.symbolContrast * less,
          finderContrast: design.finderContrast * less,
        },
      ];
      for (const change of harder) {
        expect(printContrastSignalLimit({ ...design, ...change })).toBeGreaterThanOrEqual(needed);
      }
    }),
  );
});
