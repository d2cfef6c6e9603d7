import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  centeredLogo,
  type Design,
  plainDesign,
  withLogoPlacement,
} from '../../src/core/designs/design.ts';
import { pictureOf, svgOf, totalModules } from '../../src/render/draw/svg.ts';
import { checkReadability } from '../../src/render/gate/gate.ts';
import { pngOf } from '../../src/render/png/encode.ts';
import { layoutOf } from '../../src/render/symbol/layout.ts';
import { doJob } from '../../src/render/worker/job.ts';
import { specimenOf } from '../bench/readability/corpus.ts';
import { createJudges, says } from '../bench/readability/judges.ts';
import { lumaPicture, type Raster, rasterOfPng, rasterOfSvg } from '../bench/readability/raster.ts';
import { anyDesign, discLogo, logoFrom, sampleLink } from './design-arbitraries.ts';

/** Makes a symbol of version 8, whose logo hides the alignment pattern in the middle. */
const longLink = `https://go.example.com/${'k'.repeat(50)}`;

const letter = logoFrom(
  '<rect width="120" height="120" fill="#2a9d6f"/><path d="M35 20h55v16h-39v20h30v16h-30v20h39v16h-55z" fill="#0b3d2c"/>',
);
const lettered: Design = { ...plainDesign, logo: letter };

const judged = (design: Design, link = longLink) => checkReadability(pictureOf(link, design), link);

test('a letter that ZBar aligns to is drawn so that it does not', async () => {
  const { isReadable, logoPlacement, reasons, modules } = await judged(lettered);
  expect([modules, isReadable]).toEqual([49, true]);
  expect(reasons[0]).toMatch(/^The logo is drawn /);
  expect(await unreadWidths(withLogoPlacement(lettered, null))).not.toEqual([]);
  expect(await unreadWidths(withLogoPlacement(lettered, logoPlacement))).toEqual([]);
});

/** Designs of the bench's corpora whose drawing was steady only for a scanner with an exact grid. */
test.each<[string, number, number]>([
  ['a monogram', 614659, 717],
  ['a blank logo', 1, 677],
  ['a photograph', 33550336, 46],
  ['a large monogram', 1, 639],
  ['a monogram that ZBar would find half a module off to two sides', 1, 955],
  ['a monogram that is only nearly steady within three quarters of a module', 5698801, 1044],
])('%s is drawn so that a grid a little off does no harm', async (_, seed, index) => {
  const { link, design } = await accepted(seed, index);
  expect(await unreadWidths(design, link)).toEqual([]);
});

/** Designs of the corpora of which ZBar took a piece of the logo for a pattern in the SVG alone. */
test.each<[string, number, number]>([
  ['a photograph', 2, 544],
  ['a disc', 5, 60],
  ['a photograph that is nearly as steady elsewhere', 20270314, 1142],
])(
  '%s is drawn so that ZBar finds no piece of it in a picture of another size',
  async (_, seed, index) => {
    const { link, design } = await accepted(seed, index);
    expect(await unreadSvgWidths(design, link, 6.37)).toEqual([]);
  },
);

test.each<[string, number, number]>([
  ['a slogan', 1, 979],
  ['a slogan in the smallest picture', 20270314, 966],
  ['a logo of finder-like squares, which has to lie farther off', 5, 142],
])('%s is drawn so that zxing-cpp finds no dot in a ring of it', async (_, seed, index) => {
  const { link, design } = await accepted(seed, index);
  expect(await unreadWidths(design, link, 'zxing')).toEqual([]);
});

test('a photograph is drawn so that ZBar reads the SVG on a screen, whether its width is even or odd', async () => {
  const { link, design } = await accepted(614659, 544);
  expect(await unreadSvgWidths(withLogoPlacement(design, null), link)).not.toEqual([]);
  expect(await unreadSvgWidths(design, link)).toEqual([]);
});

test('the logo stays near the middle, and more often than not within a tenth of the size that is set', async () => {
  const sizes: number[] = [];
  for (const logo of [letter, discLogo]) {
    for (const logoSizePercent of [18, 22, 26]) {
      const { logoPlacement } = await judged({ ...lettered, logo, logoSizePercent });
      const { sizePercent, rightModules, downModules } = logoPlacement ?? centeredLogo;
      expect(Math.max(Math.abs(rightModules), Math.abs(downModules))).toBeLessThanOrEqual(2);
      sizes.push(sizePercent);
    }
  }
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(65);
  expect(sizes.filter((sizePercent) => sizePercent >= 90).length).toBeGreaterThan(sizes.length / 2);
});

test('a code keeps its drawing, whatever the gate would choose today', async () => {
  const fit = { sizePercent: 93, rightModules: 0.1, downModules: -0.2 };
  for (const logoPlacement of [fit, centeredLogo]) {
    const verdict = await judged({ ...lettered, logoPlacement });
    expect(verdict.logoPlacement).toEqual(logoPlacement);
    expect(verdict.reasons.join()).not.toContain('The logo is drawn');
  }
});

test('the hash at creation is that of the picture with the logo as it is drawn', async () => {
  const verdict = await doJob({ kind: 'judge', shortLink: longLink, design: lettered });
  if (!('svgHash' in verdict)) throw new Error('a verdict was asked for');
  expect(verdict.logoPlacement).not.toBeNull();
  const svg = svgOf(pictureOf(longLink, withLogoPlacement(lettered, verdict.logoPlacement)));
  expect([...verdict.svgHash]).toEqual([...createHash('sha256').update(svg).digest()]);
  expect(svg).not.toBe(svgOf(pictureOf(longLink, lettered)));
});

test('where no logo hides an alignment pattern, every logo is drawn as set', async () => {
  await fc.assert(
    fc.asyncProperty(anyDesign, async (design) => {
      expect((await judged(design, sampleLink)).logoPlacement).toBeNull();
    }),
    { numRuns: 20 },
  );
});

test('a logo drawn otherwise leaves its patch as it is, and a design as set is not touched', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('none', 'square', 'circle'),
      fc.integer({ min: 90, max: 100 }),
      fc.constantFrom(0, 0.25, -0.75),
      (logoPatch, sizePercent, rightModules) => {
        const design: Design = { ...lettered, logoPatch };
        const asSet = layoutOf(49, design);
        expect(layoutOf(49, withLogoPlacement(design, null)).logo).toEqual(asSet.logo);
        const fitted = layoutOf(
          49,
          withLogoPlacement(design, { sizePercent, rightModules, downModules: 0 }),
        );
        const [before, after] = [asSet.logo, fitted.logo];
        if (before === null || after === null) throw new Error('there is a logo');
        expect(after.width).toBeCloseTo((before.width * sizePercent) / 100);
        expect(after.x + after.width / 2).toBeCloseTo(49 / 2 + rightModules);
        expect(after.y + after.height / 2).toBeCloseTo(49 / 2);
        for (let module = 0; module < 49 * 49; module++) {
          const [x, y] = [module % 49, Math.floor(module / 49)];
          expect(fitted.isCleared(x, y)).toBe(asSet.isCleared(x, y));
        }
      },
    ),
    { numRuns: 30 },
  );
});

/** A design of the bench's corpora, which the gate accepts, with its logo as the gate has it drawn. */
async function accepted(seed: number, index: number): Promise<{ link: string; design: Design }> {
  const { link, design } = specimenOf(seed, index);
  const { isReadable, logoPlacement } = await judged(design, link);
  expect(isReadable).toBe(true);
  return { link, design: withLogoPlacement(design, logoPlacement) };
}

/** Widths of PNGs that a scanner cannot read, of the widths that the gate vouches for. */
function unreadWidths(design: Design, link = longLink, scanner = 'zbar'): Promise<number[]> {
  const picture = pictureOf(link, design);
  const draw = (widthPx: number) => rasterOfPng(pngOf(picture, widthPx));
  return unreadOf([256, 512, 1024], draw, link, scanner);
}

/** Widths at which ZBar cannot read the SVG on a screen, of an even and an odd number of pixels. */
function unreadSvgWidths(design: Design, link: string, pxPerModule = 5.3): Promise<number[]> {
  const picture = pictureOf(link, design);
  const even = 2 * Math.round((pxPerModule * totalModules(picture.layout)) / 2);
  return unreadOf(
    [even, even + 1],
    (widthPx) => rasterOfSvg(svgOf(picture), widthPx),
    link,
    'zbar',
  );
}

async function unreadOf(
  widthsPx: readonly number[],
  draw: (widthPx: number) => Promise<Raster>,
  link: string,
  scanner: string,
): Promise<number[]> {
  const judge = (await createJudges()).find(({ name }) => name === scanner);
  if (judge === undefined) throw new Error(`no ${scanner} among the judges`);
  const unread: number[] = [];
  for (const widthPx of widthsPx) {
    if (!says(await judge.read(lumaPicture(await draw(widthPx))), link)) unread.push(widthPx);
  }
  return unread;
}
