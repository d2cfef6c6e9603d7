import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { centeredLogo, type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/draw/svg.ts';
import { checkReadability } from '../../src/render/gate/gate.ts';
import {
  anyDesign,
  anyLink,
  blackLogo,
  codeLogo,
  discLogo,
  logoFrom,
  sampleLink,
  stripedCodeLogo,
  whiteLogo,
  wideLogo,
} from './design-arbitraries.ts';

const verdict = (change: Partial<Design>, link = sampleLink) =>
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
  ['mid-tones that jsQR alone refuses', { foreground: '#5b4636', background: '#b9a48f' }],
  ['joined dots', { moduleShape: 'dots' }],
  ['joined dots with round finders', { moduleShape: 'dots', finderShape: 'circle' }],
  ['rounded modules', { moduleShape: 'rounded', finderShape: 'rounded' }],
  ['a wide quiet zone', { quietZoneModules: 8 }],
  ['a blank hole of 20 %', hole(20)],
  ['a logo of 22 % on its patch', { logo: discLogo }],
  ['a wide logo', { logo: wideLogo, logoSizePercent: 30 }],
  ['a black logo without a patch', { logo: blackLogo, logoPatch: 'none', logoSizePercent: 20 }],
  ['darker finder patterns', { foreground: '#9a3412', finderColor: '#431407' }],
])('accepts %s', async (_, change) => {
  const { isReadable, score, advice, reasons } = verdict(change);
  expect({ readable: isReadable, reasons: isReadable ? [] : reasons }).toEqual({
    readable: true,
    reasons: [],
  });
  expect(score).toBeGreaterThanOrEqual(50);
  expect(advice).toBeNull();
});

test.each<[string, Partial<Design>, RegExp]>([
  ['white on black', { foreground: '#ffffff', background: '#000000' }, /inverted/],
  ['light blue on navy', { foreground: '#9ec5fe', background: '#04245c' }, /inverted/],
  ['black on pure blue, contrast 2.4', { background: '#0000ff' }, /too close/],
  ['yellow on white, contrast 1.4', { foreground: '#ffd400' }, /too close/],
  ['pure yellow on white', { foreground: '#ffff00' }, /too close/],
  ['#eeeeee on white', { foreground: '#eeeeee' }, /too close/],
  [
    'red on green of like luma',
    { foreground: '#ff0000', background: '#008200' },
    /inverted|too close/,
  ],
  [
    'finder patterns lighter than the ground',
    { background: '#dddddd', finderColor: '#ffffff' },
    /finder/i,
  ],
  ['pale finder patterns', { finderColor: '#c0c0c0' }, /finder/i],
  ['modules far paler than the finders', { foreground: '#d8d8d8', finderColor: '#000000' }, /./],
  ['a quiet zone of 3', { quietZoneModules: 3 }, /quiet zone/],
  ['a quiet zone of 0', { quietZoneModules: 0 }, /quiet zone/],
  ['a blank hole of 44 %', hole(44), /hides too much|corners and edges/],
  ['a logo over the finders', { ...hole(70), logo: blackLogo }, /corners and edges/],
])('refuses %s and says why', async (_, change, reason) => {
  const { isReadable, score, reasons } = verdict(change);
  expect(isReadable).toBe(false);
  expect(score).toBeLessThan(50);
  expect(reasons.join('\n')).toMatch(reason);
});

test('a pale or dull code is accepted with a word of caution, a plain one without', async () => {
  const dull = { foreground: '#303030', background: '#a8a8a8' };
  for (const weak of [{ foreground: '#a3a3a3' }, { foreground: '#959595' }, dull]) {
    const { isReadable, reasons } = verdict(weak);
    expect({ readable: isReadable, said: reasons.join() }).toEqual({
      readable: true,
      said: expect.stringContaining('some older scanners do not'),
    });
  }
  expect(verdict({}).reasons).toEqual([]);
  expect(verdict({ foreground: '#929292' }).reasons).toEqual([]);
});

test('white on white is laid on the colours, not on a logo that is not there', async () => {
  const { reasons } = verdict({ foreground: '#ffffff' });
  expect(reasons.join()).toContain('inverted');
  expect(reasons.join()).not.toContain('logo');
});

test('a logo that is a QR code does not pass for the code, however small', async () => {
  for (const logo of [codeLogo(), stripedCodeLogo()])
    for (const logoSizePercent of [15, 28]) {
      const { isReadable, reasons, advice } = verdict({ logo, logoSizePercent });
      expect({ readable: isReadable, advice, said: reasons.join() }).toEqual({
        readable: false,
        advice: null,
        said: expect.stringContaining('QR code itself'),
      });
    }
});

test('a logo that looks like the alignment pattern it hides is drawn elsewhere, or refused', async () => {
  // In a version 8 symbol a module of this logo is a thirtieth of its box, the middle one dark.
  const square = (x: number, y: number, side: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="${fill}"/>`;
  const decoy = logoFrom(
    square(0, 0, 120, '#fff') +
      square(50, 35, 50, '#000') +
      square(60, 45, 30, '#fff') +
      square(70, 55, 10, '#000'),
  );
  const link = `https://go.example.com/${'k'.repeat(50)}`;
  const design = { logo: decoy, logoSizePercent: 24.5 };
  const asSet = verdict({ ...design, logoPlacement: centeredLogo }, link);
  expect([asSet.modules, asSet.isReadable]).toEqual([49, false]);
  expect(asSet.reasons.join()).toContain('looks like a pattern that scanners align to');
  const fitted = verdict(design, link);
  expect([fitted.isReadable, fitted.logoPlacement]).toEqual([true, expect.anything()]);
});

test('a logo of small finder patterns is rejected where it hides an alignment pattern', () => {
  const finder = (x: number, y: number) =>
    `<rect x="${x}" y="${y}" width="50" height="50" rx="24"/><rect x="${x + 7}" y="${y + 7}" width="36" height="36" rx="17" fill="#fff"/><rect x="${x + 14}" y="${y + 14}" width="22" height="22" rx="10"/>`;
  const logo = logoFrom(
    `<rect width="120" height="120" fill="#fff"/>${finder(5, 5)}${finder(65, 5)}${finder(5, 65)}`,
  );
  // Version 4 has no alignment pattern in its middle, version 8 has one.
  const small = verdict({ logo, logoSizePercent: 19 });
  expect([small.modules, small.isReadable]).toEqual([33, true]);
  const large = verdict({ logo, logoSizePercent: 26 }, `https://a.example/${'k'.repeat(52)}`);
  expect([large.modules, large.isReadable]).toEqual([49, false]);
  expect(large.reasons.join()).toContain('looks like a pattern that scanners align to');
});

test('dull ground asks for darker modules than white does', async () => {
  const contrast = (foreground: string, background: string) => verdict({ foreground, background });
  expect(await contrast('#999999', '#ffffff')).toMatchObject({ isReadable: true });
  expect(await contrast('#5b5b5b', '#999999')).toMatchObject({ isReadable: false });
  expect(await contrast('#2b2b2b', '#999999')).toMatchObject({ isReadable: true });
});

test('says what is weak about a design that it accepts', async () => {
  const pale = verdict({ foreground: '#9e9e9e' });
  expect(pale.isReadable).toBe(true);
  expect(pale.reasons.join()).toContain('contrast is low');
});

test('less contrast and larger logos never score better', async () => {
  const greys = ['#000000', '#404040', '#808080', '#a0a0a0', '#d0d0d0', '#f0f0f0'];
  const byGrey = await Promise.all(greys.map((foreground) => verdict({ foreground })));
  const bySize = await Promise.all([5, 20, 30, 40].map((size) => verdict(hole(size))));
  for (const scores of [byGrey, bySize].map((all) => all.map(({ score }) => score))) {
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  }
  expect(byGrey[0]?.score).toBe(100);
});

test.each<[string, (grey: string) => Partial<Design>]>([
  ['modules on white', (foreground) => ({ foreground })],
  ['modules on dull ground', (foreground) => ({ foreground, background: '#b8b8b8' })],
  ['modules beside black finders', (foreground) => ({ foreground, finderColor: '#000000' })],
  ['finders beside black modules', (finderColor) => ({ finderColor })],
])('the palest %s that pass score 50, or hardly more', async (_, change) => {
  const at = (level: number) =>
    verdict(change(`#${level.toString(16).padStart(2, '0').repeat(3)}`));
  let [passes, fails] = [0, 255];
  while (fails - passes > 1) {
    const level = (passes + fails) >> 1;
    if ((await at(level)).isReadable) passes = level;
    else fails = level;
  }
  expect((await at(passes)).score).toBeLessThanOrEqual(53);
});

test('the darkest ground under black modules that passes scores 50, or hardly more', async () => {
  const { isReadable, score } = verdict({ background: '#8e8e8e' });
  expect({ readable: isReadable, score }).toEqual({ readable: true, score: 50 });
  expect(verdict({ background: '#8d8d8d' }).isReadable).toBe(false);
});

test('the same link and design always get the same verdict', async () => {
  await fc.assert(
    fc.asyncProperty(anyLink, anyDesign, async (link, design) => {
      const picture = pictureOf(link, design);
      const first = await checkReadability(picture, link);
      const second = await checkReadability(pictureOf(link, design), link);
      expect({ ...second, advice: null }).toEqual({ ...first, advice: null });
      expect(first.isReadable).toBe(first.score >= 50);
    }),
    { numRuns: 8 },
  );
});
