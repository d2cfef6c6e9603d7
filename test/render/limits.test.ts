import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { pictureOf } from '../../src/render/draw/svg.ts';
import { printContrastLimit } from '../../src/render/gate/limits.ts';
import { assessPlaced } from '../../src/render/gate/placement.ts';
import { specimenOf } from '../bench/readability/corpus.ts';

/**
 * Designs of the bench's corpora that scanners could not read from simulated captures, though each
 * measure by itself was within its limit.
 */
test.each<[string, number, number, RegExp]>([
  ['a mid-toned logo that turns modules beside it over', 1618033, 1044, /hides too much/],
  ['dull background, contrast just enough for white', 1618033, 1042, /too close/],
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
  ['turquoise finders, nearly black modules', 2236067, 621, /corners are too close/],
  ['turquoise finders, blue modules', 4362277, 546, /corners are too close/],
  ['turquoise finders, nearly black dots', 3605551, 772, /corners are too close/],
  ['orange modules on pale green beside nearly black finders', 2645751, 20, /at least 27 %/],
  ['orange dots on cream beside nearly black finders', 1732050, 840, /much paler/],
  ['modules, a quarter as dark as their finders', 1618033, 921, /much paler/],
  ['orange finders, nearly black modules', 4123106, 72, /corners are too close/],
  ['coral finders, black modules', 5236461, 839, /corners are much paler/],
  ['grey on dull background', 4, 38, /too close/],
  ['a pale disc that uses the whole budget', 20270314, 405, /too close/],
  [
    'a pale disc on dull background that turns modules beside it over',
    5698801,
    581,
    /hides too much/,
  ],
])('refuses %s', async (_, seed, index, reason) => {
  expect((await faultsOf(seed, index)).join()).toMatch(reason);
});

/** Near a limit as well, and at least two scanners read three quarters of the shots and more. */
test.each<[string, number, number]>([
  ['a disc in a version 4 symbol that leaves one codeword to spare', 614659, 847],
  ['a photograph in a symbol of dots that leaves one codeword to spare', 614659, 338],
  ['a logo of finder-like squares that leaves one codeword to spare', 1618033, 348],
  ['modules of low symbol contrast beside dark finders', 3741657, 264],
  ['pale modules, no logo, beside finders more than twice as dark', 3605551, 1160],
  ['orange finders on dull background, nearly black modules', 4500829, 930],
  ['blue finders on dull background, nearly black modules', 4756831, 259],
  ['a middle tone on dull background', 3316624, 71],
  ['a large symbol, no alignment patterns', 3741657, 1009],
  ['a pale logo in a large symbol, no alignment patterns', 20270314, 126],
])('accepts %s', async (_, seed, index) => {
  expect(await faultsOf(seed, index)).toEqual([]);
});

/** What the gate says against a design of the bench's corpora. */
async function faultsOf(seed: number, index: number): Promise<string[]> {
  const { link, design } = specimenOf(seed, index);
  const { assessment } = assessPlaced(pictureOf(link, design), link);
  return assessment.faults.map(({ text }) => text);
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const measures = fc.record({
  background: share,
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
