import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { LogoFit } from '../../src/core/design.ts';
import { steadiestFit } from '../../src/render/gate/logo-search.ts';
import { fullySteady, nearlySteady } from '../../src/render/gate/steady.ts';

const mostDrawings = 3 * 7 * 7 - 1 + 2 * 11 * 11;
const keyOf = (fit: LogoFit) => `${fit.sizePercent} ${fit.rightModules} ${fit.downModules}`;

/** All drawings in the order of the search, none of which is steady. */
async function drawings(): Promise<LogoFit[]> {
  const all: LogoFit[] = [];
  await steadiestFit(
    (fit) => all.push(fit) * 0,
    0,
    () => null,
  );
  return all;
}

test('a search looks at every drawing once, the least changed of each size first', async () => {
  const all = await drawings();
  expect(new Set(all.map(keyOf)).size).toBe(mostDrawings);
  expect(all.length).toBe(mostDrawings);
  const moved = all.map((fit) => Math.abs(fit.rightModules) + Math.abs(fit.downModules));
  for (const [place, { sizePercent }] of all.entries()) {
    if (all[place - 1]?.sizePercent !== sizePercent) continue;
    expect(moved[place] ?? 0).toBeGreaterThanOrEqual(moved[place - 1] ?? 0);
  }
});

test('the steadiest drawing that is accepted is found, the first of several, and none smaller than a nearly steady one', async () => {
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
      const steadinessOf = (fit: LogoFit) => at.get(keyOf(fit))?.steadiness ?? 0;
      const isAccepted = (fit: LogoFit) => at.get(keyOf(fit))?.isAccepted === true;
      const best = await steadiestFit(
        (fit, atLeast) => {
          const steadiness = steadinessOf(fit);
          return steadiness > 0 && steadiness < atLeast ? null : steadiness;
        },
        asSet,
        (fit) => (isAccepted(fit) ? fit : null),
      );
      const steadier = all.filter((fit) => isAccepted(fit) && steadinessOf(fit) > asSet);
      const enough = steadier.find((fit) => steadinessOf(fit) >= nearlySteady);
      const smallest = asSet >= nearlySteady ? 100 : (enough?.sizePercent ?? 0);
      const inQuestion = steadier.filter(({ sizePercent }) => sizePercent >= smallest);
      const wanted = Math.max(...inQuestion.map(steadinessOf));
      expect(best).toEqual(inQuestion.find((fit) => steadinessOf(fit) === wanted) ?? null);
    }),
  );
});
