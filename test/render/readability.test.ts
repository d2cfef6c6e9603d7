import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { readabilityText } from '../../src/http/sentences/readability.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { checkReadability, checkReadabilityWithResvg } from '../../src/render/readability/check.ts';
import {
  anyDesign,
  anyLink,
  blackLogo,
  codeLogo,
  discLogo,
  logoFrom,
  sampleLink,
  whiteLogo,
  wideLogo,
} from './design-arbitraries.ts';

const check = (change: Partial<Design>, link = sampleLink) =>
  checkReadability(pictureOf(link, { ...plainDesign, ...change }), link);

const hole = (logoSizePercent: number): Partial<Design> => ({
  logo: whiteLogo,
  logoSizePercent,
  logoPatch: 'none',
});

test.each<[string, Partial<Design>]>([
  ['black on white', {}],
  ['#777777 on white, contrast 4.5', { foreground: '#777777' }],
  ['#8c8c8c on white, contrast 3.3', { foreground: '#8c8c8c' }],
  ['mid-tones that jsQR by itself does not read', { foreground: '#5b4636', background: '#b9a48f' }],
  ['joined dots with round finder patterns', { moduleShape: 'dots', finderShape: 'circle' }],
  ['rounded modules', { moduleShape: 'rounded', finderShape: 'rounded' }],
  ['a wide quiet zone', { quietZoneModules: 8 }],
  ['a blank hole of 20 %', hole(20)],
  ['a logo of 22 % on its patch', { logo: discLogo }],
  ['a wide logo', { logo: wideLogo, logoSizePercent: 30 }],
  ['a black logo without a patch', { logo: blackLogo, logoPatch: 'none', logoSizePercent: 20 }],
  ['darker finder patterns', { foreground: '#9a3412', finderColor: '#431407' }],
])('accepts %s', (_, change) => {
  const { isReadable, score, advice, reasons } = check(change);
  expect({ isReadable, reasons: isReadable ? [] : reasons, advice }).toEqual({
    isReadable: true,
    reasons: [],
    advice: null,
  });
  expect(score).toBeGreaterThanOrEqual(50);
});

test.each<[string, Partial<Design>, RegExp]>([
  ['white on black', { foreground: '#ffffff', background: '#000000' }, /inverted/],
  ['black on pure blue, contrast 2.4', { background: '#0000ff' }, /too close/],
  ['yellow on white, contrast 1.4', { foreground: '#ffd400' }, /too close/],
  [
    'red on green of like luma',
    { foreground: '#ff0000', background: '#008200' },
    /inverted|too close/,
  ],
  [
    'finder patterns lighter than the background',
    { background: '#dddddd', finderColor: '#ffffff' },
    /finder/i,
  ],
  ['pale finder patterns', { finderColor: '#c0c0c0' }, /finder/i],
  ['modules far paler than the finders', { foreground: '#d8d8d8', finderColor: '#000000' }, /./],
  ['a quiet zone of 3', { quietZoneModules: 3 }, /quiet zone/],
  ['a blank hole of 44 %', hole(44), /hides too much|corners and edges/],
  ['a logo over the finder patterns', { ...hole(70), logo: blackLogo }, /corners and edges/],
])('rejects %s and says why', (_, change, reason) => {
  const { isReadable, score, reasons } = check(change);
  expect(isReadable).toBe(false);
  expect(score).toBeLessThan(50);
  expect(readabilityText({ reasons: reasons, advice: null })).toMatch(reason);
});

test.each<[string, Partial<Design>, RegExp | null]>([
  ['black on white', {}, null],
  ['#929292 on white', { foreground: '#929292' }, null],
  ['#959595 on white', { foreground: '#959595' }, /contrast is low/],
  [
    'dark on a dull background',
    { foreground: '#303030', background: '#a8a8a8' },
    /contrast is low/,
  ],
])('cautions about weak contrast: %s', (_, change, caution) => {
  const { isReadable, reasons } = check(change);
  expect(isReadable).toBe(true);
  if (caution === null) expect(reasons).toEqual([]);
  else expect(readabilityText({ reasons: reasons, advice: null })).toMatch(caution);
});

test('white on white is a fault of the colours, not of a missing logo', () => {
  const { reasons } = check({ foreground: '#ffffff' });
  expect(readabilityText({ reasons: reasons, advice: null })).toContain('inverted');
  expect(readabilityText({ reasons: reasons, advice: null })).not.toContain('logo');
});

test.each([15, 28])('a logo that is a QR code is rejected at %i %%', (logoSizePercent) => {
  const { isReadable, reasons, advice } = check({ logo: codeLogo, logoSizePercent });
  expect({ isReadable, advice }).toEqual({ isReadable: false, advice: null });
  expect(readabilityText({ reasons: reasons, advice: null })).toContain('QR code itself');
});

test('a logo of small finder patterns is rejected where it hides an alignment pattern', () => {
  const finder = (x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="50" height="50" rx="24"/><rect x="${x + 7}" y="${y + 7}" width="36" height="36" rx="17" fill="#fff"/><rect x="${x + 14}" y="${y + 14}" width="22" height="22" rx="10"/>`;
  const logo = logoFrom(
    `<rect width="120" height="120" fill="#fff"/>${finder(5, 5)}${finder(65, 5)}${finder(5, 65)}`,
  );
  // Version 4 has no alignment pattern in its middle, version 8 has one.
  const small = check({ logo, logoSizePercent: 19 });
  expect([small.modules, small.isReadable]).toEqual([33, true]);
  const large = check({ logo, logoSizePercent: 26 }, `https://a.example/${'k'.repeat(52)}`);
  expect([large.modules, large.isReadable]).toEqual([49, false]);
  expect(readabilityText({ reasons: large.reasons, advice: null })).toContain(
    'looks like an alignment pattern',
  );
});

test('less contrast and larger logos never score better', () => {
  const greys = ['#000000', '#404040', '#808080', '#a0a0a0', '#d0d0d0', '#f0f0f0'];
  const byGrey = greys.map((foreground) => check({ foreground }).score);
  const bySize = [5, 20, 30, 40].map((size) => check(hole(size)).score);
  for (const scores of [byGrey, bySize]) {
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  }
  expect(byGrey[0]).toBe(100);
});

test.each<[string, (grey: string) => Partial<Design>]>([
  ['modules on white', (foreground) => ({ foreground })],
  ['modules on a dull background', (foreground) => ({ foreground, background: '#b8b8b8' })],
  ['modules with black finders', (foreground) => ({ foreground, finderColor: '#000000' })],
  ['finders with black modules', (finderColor) => ({ finderColor })],
])('the palest accepted %s score 50 to 53', (_, change) => {
  const at = (level: number) => check(change(`#${level.toString(16).padStart(2, '0').repeat(3)}`));
  let [accepted, rejected] = [0, 255];
  while (rejected - accepted > 1) {
    const level = (accepted + rejected) >> 1;
    if (at(level).isReadable) accepted = level;
    else rejected = level;
  }
  expect(at(accepted).score).toBeLessThanOrEqual(53);
});

test('the same link and design always get the same result', () => {
  fc.assert(
    fc.property(anyLink, anyDesign, (link, design) => {
      const first = checkReadability(pictureOf(link, design), link);
      expect(checkReadability(pictureOf(link, design), link)).toEqual(first);
      expect(first.isReadable).toBe(first.score >= 50);
    }),
    { numRuns: 3 },
  );
});

describe('the SVG as resvg draws it', () => {
  test.each([
    ['square', 'square'],
    ['rounded', 'rounded'],
    ['dots', 'circle'],
  ] as const)('is read back: %s modules, %s finder patterns', async (moduleShape, finderShape) => {
    const design: Design = { ...plainDesign, moduleShape, finderShape, logo: discLogo };
    const picture = pictureOf(sampleLink, design);
    const result = await checkReadabilityWithResvg(picture, sampleLink);
    expect(result).toEqual(checkReadability(picture, sampleLink));
    expect(result.isReadable).toBe(true);
  });

  test('is refused when it cannot be read', async () => {
    const picture = pictureOf(sampleLink, plainDesign);
    const result = await checkReadabilityWithResvg(picture, sampleLink, (drawn) =>
      svgOf(drawn).replaceAll('#000000', '#ffffff'),
    );
    expect(result).toMatchObject({ isReadable: false, advice: null });
    expect(result.score).toBeLessThan(50);
    expect(readabilityText({ reasons: result.reasons, advice: null })).toContain(
      'The SVG cannot be read',
    );
  });
});
