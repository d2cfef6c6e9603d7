import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { printContrastLimit } from '../../src/render/gate/limits.ts';
import { examineFitted } from '../../src/render/gate/logo-fit.ts';
import { pictureOf } from '../../src/render/svg.ts';
import { specimenOf } from '../bench/readability/corpus.ts';

/**
 * Designs of the bench's corpora that scanners could not read from simulated captures, though each
 * measure by itself was within its limit.
 */
test.each<[string, number, number, RegExp]>([
  ['a mid-toned logo that turns modules beside it over', 1618033, 1044, /hides too much/],
  ['dull ground, contrast just enough for white', 1618033, 1042, /too close/],
  [
    'a brand colour, no alignment patterns, nearly all of the budget used',
    1618033,
    786,
    /too close/,
  ],
  ['pale dots beside dark finders, the whole budget used', 2, 828, /too close/],
  ['orange finders, no alignment patterns, nearly all of the budget used', 5, 987, /too close/],
  ['coral dots in a large symbol, no alignment patterns', 3141593, 590, /too close/],
  ['blue dots on green in a large symbol, no alignment patterns', 1414213, 433, /too close/],
  ['green on cream in a large symbol, no alignment patterns', 1414213, 541, /too close/],
  ['a pale logo in a large symbol, no alignment patterns', 20270314, 126, /too close/],
  ['orange modules on pale green beside nearly black finders', 2645751, 20, /at least 27 %/],
  ['orange dots on cream beside nearly black finders', 1732050, 840, /at least 27 %/],
])('refuses %s', async (_, seed, index, reason) => {
  const { link, design } = specimenOf(seed, index);
  const { examination } = await examineFitted(pictureOf(link, design), link);
  expect(examination.faults.map(({ text }) => text).join()).toMatch(reason);
});

/** They use the whole budget as well, and scanners read nine shots of ten and more. */
test.each<[string, number, number]>([
  ['a disc in a version 4 symbol', 614659, 847],
  ['a photograph in a symbol of dots', 614659, 338],
  ['a logo of finder-like squares', 1618033, 348],
])('accepts %s that leaves one codeword to spare', async (_, seed, index) => {
  const { link, design } = specimenOf(seed, index);
  const { examination } = await examineFitted(pictureOf(link, design), link);
  expect(examination.faults).toEqual([]);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const measures = fc.record({
  ground: share,
  modules: share,
  finders: share,
  symbolContrast: share,
  finderContrast: share,
  printContrast: share,
  finderShare: fc.double({ min: 0, max: 5, noNaN: true }),
  logoShare: share,
  damage: fc.double({ min: 0, max: 2, noNaN: true }),
  hidesAlignment: fc.boolean(),
  side: fc.integer({ min: 1, max: 40 }).map((version) => 17 + 4 * version),
});

test('whatever makes a code harder to read never asks for less contrast', () => {
  const [less, more] = [0.9, 1.1];
  fc.assert(
    fc.property(measures, (design) => {
      const asked = printContrastLimit(design) - 1e-9;
      const harder = [
        { damage: design.damage * more },
        { logoShare: design.logoShare * less },
        { finderShare: design.finderShare * less, finderContrast: design.symbolContrast },
        { hidesAlignment: true },
        { hidesAlignment: design.hidesAlignment, side: design.side + 4 },
      ];
      const same = { ...design, finderContrast: design.symbolContrast };
      for (const change of harder) {
        const from = 'finderContrast' in change ? printContrastLimit(same) - 1e-9 : asked;
        expect(printContrastLimit({ ...design, ...change })).toBeGreaterThanOrEqual(from);
      }
      const duller = {
        symbolContrast: design.symbolContrast * less,
        finderContrast: design.finderContrast * less,
      };
      expect(printContrastLimit({ ...design, ...duller })).toBeGreaterThanOrEqual(asked);
    }),
  );
});
