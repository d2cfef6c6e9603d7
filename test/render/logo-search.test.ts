import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LogoPlacement } from '../../src/core/designs/design.ts';
import { bounds, steadiestFit } from '../../src/render/gate/logo-search.ts';
import { fullySteady } from '../../src/render/gate/steady.ts';

const drawingsByBound = [
  3 * 7 * 7 - 1,
  3 * (7 * 7 - 3 * 3),
  2 * 13 * 13,
  5 * (9 * 9 - 7 * 7),
  3 * 7 * 7,
];
const mostDrawings = drawingsByBound.reduce((sum, drawings) => sum + drawings);
const keyOf = (fit: LogoPlacement) => `${fit.sizePercent} ${fit.rightModules} ${fit.downModules}`;

/** All drawings in the order of the search, none of which is steady. */
async function drawings(): Promise<LogoPlacement[]> {
  const all: LogoPlacement[] = [];
  await steadiestFit(
    (fit) => all.push(fit) * 0,
    0,
    () => null,
  );
  return all;
}

test('a search looks at every drawing once, the least changed of each size within a bound first', async () => {
  const all = await drawings();
  expect(new Set(all.map(keyOf)).size).toBe(mostDrawings);
  expect(all.length).toBe(mostDrawings);
  for (const [bound, drawings] of inBounds(all).entries()) {
    const { sizes = [], reachModules = 0 } = bounds[bound] ?? {};
    expect([...new Set(drawings.map(({ sizePercent }) => sizePercent))]).toEqual([...sizes]);
    expect(Math.max(...drawings.map(({ downModules }) => downModules))).toBe(reachModules);
    const moved = drawings.map((fit) => Math.abs(fit.rightModules) + Math.abs(fit.downModules));
    for (const [place, { sizePercent }] of drawings.entries()) {
      if (drawings[place - 1]?.sizePercent !== sizePercent) continue;
      expect(moved[place] ?? 0).toBeGreaterThanOrEqual(moved[place - 1] ?? 0);
    }
  }
});

/** Drawings in the order of the search, those of each bound by themselves. */
function inBounds(all: readonly LogoPlacement[]): LogoPlacement[][] {
  const ends = drawingsByBound.map((_, bound) =>
    drawingsByBound.slice(0, bound + 1).reduce((sum, drawings) => sum + drawings),
  );
  return ends.map((end, bound) => all.slice(ends[bound - 1] ?? 0, end));
}

test('the steadiest drawing that is accepted is found, the first of several, and none beyond the bound where one is steady enough', async () => {
  const all = await drawings();
  const drawing = fc.record({
    // Few are steady, and in many searches none is.
    steadiness: fc.nat({ max: fullySteady + 90 }).map((n) => (n > fullySteady ? 0 : n)),
    isAccepted: fc.boolean(),
  });
  const some = fc.array(drawing, { minLength: mostDrawings, maxLength: mostDrawings });
  await fc.assert(
    fc.asyncProperty(some, fc.nat({ max: fullySteady - 1 }), async (found, asSet) => {
      const at = new Map(all.map((fit, place) => [keyOf(fit), found[place]]));
      const steadinessOf = (fit: LogoPlacement) => at.get(keyOf(fit))?.steadiness ?? 0;
      const isAccepted = (fit: LogoPlacement) => at.get(keyOf(fit))?.isAccepted === true;
      const best = await steadiestFit(
        (fit, atLeast) => {
          const steadiness = steadinessOf(fit);
          return steadiness > 0 && steadiness < atLeast ? null : steadiness;
        },
        asSet,
        (fit) => (isAccepted(fit) ? fit : null),
      );
      const isSteadier = (fit: LogoPlacement) => isAccepted(fit) && steadinessOf(fit) > asSet;
      const inQuestion: LogoPlacement[] = [];
      for (const [bound, drawings] of inBounds(all).entries()) {
        inQuestion.push(...drawings.filter(isSteadier));
        const steadiest = Math.max(asSet, ...inQuestion.map(steadinessOf));
        if (steadiest >= (bounds[bound]?.enough ?? 0)) break;
      }
      const wanted = Math.max(...inQuestion.map(steadinessOf));
      expect(best).toEqual(inQuestion.find((fit) => steadinessOf(fit) === wanted) ?? null);
    }),
  );
});
