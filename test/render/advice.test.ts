import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Design, parseColor, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/draw/svg.ts';
import { distance, oklabOf } from '../../src/render/gate/color-advice.ts';
import { checkReadability } from '../../src/render/gate/gate.ts';
import { specimenOf } from '../bench/readability/corpus.ts';
import {
  anyDesign,
  anyLink,
  codeLogo,
  discLogo,
  sampleLink,
  whiteLogo,
} from './design-arbitraries.ts';

const judged = (design: Design, link = sampleLink) =>
  checkReadability(pictureOf(link, design), link);

async function adviceFor(change: Partial<Design>) {
  const design = { ...plainDesign, ...change };
  const { isReadable, advice } = await judged(design);
  expect(isReadable).toBe(false);
  if (advice === null) throw new Error('no advice was given');
  expect(await judged({ ...design, ...advice.changes })).toMatchObject({ isReadable: true });
  return advice;
}

test('applying the advice passes, whatever was refused', async () => {
  await fc.assert(
    fc.asyncProperty(anyLink, anyDesign, async (link, design) => {
      const { isReadable, advice } = await judged(design, link);
      if (isReadable) return;
      if (advice === null) throw new Error('no advice was given');
      const { isReadable: better } = await judged({ ...design, ...advice.changes }, link);
      expect(better).toBe(true);
      for (const [name, value] of Object.entries(advice.changes)) {
        expect(advice.message).toContain(value === null ? 'foreground colour' : String(value));
        // The keys of changes are keys of a design by its type.
        expect(value).not.toBe(design[name as keyof Design]);
        if (/ground|Color/.test(name) && value !== null)
          expect(parseColor(String(value))).toBe(value as string);
      }
    }),
    { numRuns: 15 },
  );
}, 120_000);

/** Designs of the bench's corpora: what the measures find right is refused for a piece of the logo. */
test.each([
  ['a colour', 1, 321],
  ['a size', 33550336, 101],
])('%s that leaves a misleading logo is not advised alone', async (_, seed, index) => {
  const { link, design } = specimenOf(seed, index);
  const { isReadable, advice } = await judged(design, link);
  expect(isReadable).toBe(false);
  const { isReadable: better } = await judged({ ...design, ...advice?.changes }, link);
  expect(better).toBe(true);
});

test('too little contrast: one colour moves a little and keeps its hue', async () => {
  const { changes, message } = await adviceFor({ foreground: '#ffd400' });
  expect(Object.keys(changes)).toEqual(['foreground']);
  const moved = distance(oklabOf('#ffd400'), oklabOf(changes.foreground ?? ''));
  expect(moved).toBeLessThan(0.3);
  expect(message).toBe(`This passes: foreground ${changes.foreground} instead of #ffd400.`);
});

test('an inverted design is turned over', async () => {
  const { changes } = await adviceFor({ foreground: '#ffffff', background: '#0a2540' });
  expect(changes).toEqual({ foreground: '#0a2540', background: '#ffffff' });
});

test('pale finder patterns become darker, and nothing else changes', async () => {
  const { changes } = await adviceFor({ finderColor: '#e8c8c8' });
  expect(Object.keys(changes)).toEqual(['finderColor']);
});

test('a logo that hides too much becomes as large as it can be', async () => {
  const { changes } = await adviceFor({ logo: whiteLogo, logoSizePercent: 40 });
  expect(Object.keys(changes)).toEqual(['logoSizePercent']);
  expect(changes.logoSizePercent).toBeGreaterThanOrEqual(24);
});

test('both faults at once are both set right', async () => {
  const { changes } = await adviceFor({
    foreground: '#dddddd',
    logo: discLogo,
    logoSizePercent: 40,
  });
  expect(Object.keys(changes).sort()).toEqual(['foreground', 'logoSizePercent']);
});

test('no advice where nothing helps', async () => {
  expect(await judged({ ...plainDesign, logo: codeLogo() })).toMatchObject({ advice: null });
  const pale = await judged({ ...plainDesign, logo: codeLogo(), foreground: '#eeeeee' });
  expect(pale.advice).toBeNull();
  expect(pale.reasons.join()).toMatch(/too close.*QR code itself/);
});

test('the same design on another link gets advice that passes there', async () => {
  const design = { ...plainDesign, logo: discLogo, logoSizePercent: 40 };
  for (const link of [sampleLink, 'https://go.example.com/zzzz9999', 'https://a.ex/k3m9x2pq']) {
    const { advice } = await judged(design, link);
    expect(await judged({ ...design, ...advice?.changes }, link)).toMatchObject({
      isReadable: true,
    });
  }
});
