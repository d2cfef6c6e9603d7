import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Design, parseColor, plainDesign } from '../../src/core/designs/design.ts';
import { adviceSentence, readabilityText } from '../../src/http/sentences/readability.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { checkReadability } from '../../src/render/readability/check.ts';
import { colorDistance } from '../../src/render/readability/oklab.ts';
import { specimenOf } from '../bench/readability/corpus.ts';
import {
  anyDesign,
  anyLink,
  codeLogo,
  discLogo,
  sampleLink,
  whiteLogo,
} from './design-arbitraries.ts';

const check = (design: Design, link = sampleLink) =>
  checkReadability(pictureOf(link, design), link);

function adviceFor(change: Partial<Design>) {
  const design = { ...plainDesign, ...change };
  const { isReadable, advice } = check(design);
  expect(isReadable).toBe(false);
  if (advice === null) throw new Error('no advice was given');
  expect(check({ ...design, ...advice.changes })).toMatchObject({ isReadable: true });
  return advice;
}

test('a design with the advised changes passes', () => {
  fc.assert(
    fc.property(anyLink, anyDesign, (link, design) => {
      const { isReadable, advice } = check(design, link);
      if (isReadable) return;
      if (advice === null) throw new Error('no advice was given');
      expect(check({ ...design, ...advice.changes }, link).isReadable).toBe(true);
      for (const [name, value] of Object.entries(advice.changes)) {
        expect(adviceSentence(advice)).toContain(
          value === null ? 'foreground colour' : String(value),
        );
        // The keys of changes are keys of a design by its type.
        expect(value).not.toBe(design[name as keyof Design]);
        const isColor = /ground|Color/.test(name) && typeof value === 'string';
        if (isColor) expect(parseColor(value)).toBe(value);
      }
    }),
    { numRuns: 6 },
  );
});

test.each([
  ['a colour', 1, 321],
  ['a size', 33550336, 101],
])('%s that leaves a misleading logo is not advised alone', (_, seed, index) => {
  const { link, design } = specimenOf(seed, index);
  const { isReadable, advice } = check(design, link);
  expect(isReadable).toBe(false);
  expect(check({ ...design, ...advice?.changes }, link).isReadable).toBe(true);
});

test('too little contrast: one colour changes slightly', () => {
  const advice = adviceFor({ foreground: '#ffd400' });
  const { changes } = advice;
  expect(Object.keys(changes)).toEqual(['foreground']);
  expect(colorDistance('#ffd400', changes.foreground ?? '')).toBeLessThan(0.3);
  expect(adviceSentence(advice)).toBe(
    `This passes: foreground ${changes.foreground} instead of #ffd400.`,
  );
});

test('an inverted design: foreground and background are exchanged', () => {
  const { changes } = adviceFor({ foreground: '#ffffff', background: '#0a2540' });
  expect(changes).toEqual({ foreground: '#0a2540', background: '#ffffff' });
});

test.each<[string, Partial<Design>, string[]]>([
  ['pale finder patterns', { finderColor: '#e8c8c8' }, ['finderColor']],
  ['a large logo', { logo: whiteLogo, logoSizePercent: 40 }, ['logoSizePercent']],
  [
    'a large logo and pale modules',
    { foreground: '#dddddd', logo: discLogo, logoSizePercent: 40 },
    ['foreground', 'logoSizePercent'],
  ],
])('%s: only what is at fault changes', (_, change, changed) => {
  const { changes } = adviceFor(change);
  expect(Object.keys(changes).sort()).toEqual(changed);
  expect(changes.logoSizePercent ?? 40).toBeGreaterThanOrEqual(20);
});

test('no advice where nothing helps', () => {
  const { advice, reasons } = check({ ...plainDesign, logo: codeLogo, foreground: '#eeeeee' });
  expect(advice).toBeNull();
  expect(readabilityText({ reasons: reasons, advice: null })).toMatch(/too close.*QR code itself/);
});
