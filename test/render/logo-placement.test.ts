import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  centeredLogo,
  type Design,
  plainDesign,
  withLogoPlacement,
} from '../../src/core/designs/design.ts';
import { readabilityText } from '../../src/http/sentences/readability.ts';
import { pictureOf } from '../../src/render/path/picture.ts';
import { pngOf } from '../../src/render/path/png.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { checkReadability } from '../../src/render/readability/check.ts';
import { layoutOf } from '../../src/render/symbol/layout.ts';
import { jobs } from '../../src/workers/job.ts';
import { specimenOf } from '../bench/readability/corpus.ts';
import { createJudges, says } from '../bench/readability/judges.ts';
import { lumaPicture, rasterOfPng, rasterOfSvg } from '../bench/readability/raster.ts';
import { isCompleteRun } from '../support/sample.ts';
import { anyDesign, logoFrom, sampleLink } from './design-arbitraries.ts';

/** Makes a symbol of version 8, whose logo hides the alignment pattern in the middle. */
const longLink = `https://go.example.com/${'k'.repeat(50)}`;

const letter = logoFrom(
  '<rect width="120" height="120" fill="#2a9d6f"/><path d="M35 20h55v16h-39v20h30v16h-30v20h39v16h-55z" fill="#0b3d2c"/>',
);
const lettered: Design = { ...plainDesign, logo: letter };

const check = (design: Design, link = longLink) => checkReadability(pictureOf(link, design), link);

test.skipIf(!isCompleteRun)(
  'a letter that ZBar takes for an alignment pattern is placed so that it does not',
  async () => {
    const { isReadable, logoPlacement, reasons, modules } = check(lettered);
    expect([modules, isReadable]).toEqual([49, true]);
    expect(readabilityText({ reasons: reasons, advice: null })).toMatch(/^The logo is drawn /);
    expect(await unread(withLogoPlacement(lettered, null), longLink)).not.toEqual([]);
    expect(await unread(withLogoPlacement(lettered, logoPlacement), longLink)).toEqual([]);
  },
);

test.skipIf(!isCompleteRun).each<[string, number, number]>([
  ['a monogram far from the pattern', 1, 955],
  ['a photograph that fails in the SVG only', 2, 544],
])('%s is placed so that zxing-cpp and ZBar read PNG and SVG', async (_, seed, index) => {
  const { link, design } = specimenOf(seed, index);
  const { isReadable, logoPlacement } = check(design, link);
  expect(isReadable).toBe(true);
  expect(await unread(withLogoPlacement(design, logoPlacement), link)).toEqual([]);
});

test('a code keeps its placement', () => {
  const placement = { sizePercent: 93, rightModules: 0.1, downModules: -0.2 };
  for (const logoPlacement of [placement, centeredLogo]) {
    const result = check({ ...lettered, logoPlacement });
    expect(result.logoPlacement).toEqual(logoPlacement);
    expect(readabilityText({ reasons: result.reasons, advice: null })).not.toContain(
      'The logo is drawn',
    );
  }
});

test('the hash at creation is that of the picture with the logo as placed', async () => {
  const result = await jobs.checkImage(longLink, lettered);
  expect(result.logoPlacement).not.toBeNull();
  const svg = svgOf(pictureOf(longLink, withLogoPlacement(lettered, result.logoPlacement)));
  expect([...result.svgHash]).toEqual([...createHash('sha256').update(svg).digest()]);
});

test('a logo that hides no alignment pattern is drawn as set', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      expect(check(design, sampleLink).logoPlacement).toBeNull();
    }),
    { numRuns: 5 },
  );
});

test('another placement moves the logo and leaves its patch', () => {
  const asSet = layoutOf(49, lettered);
  const placement = { sizePercent: 90, rightModules: -0.75, downModules: 0.25 };
  const placed = layoutOf(49, withLogoPlacement(lettered, placement));
  const [before, after] = [asSet.logo, placed.logo];
  if (before === null || after === null) throw new Error('there is a logo');
  expect(after.width).toBeCloseTo(before.width * 0.9);
  expect(after.x + after.width / 2).toBeCloseTo(49 / 2 - 0.75);
  expect(after.y + after.height / 2).toBeCloseTo(49 / 2 + 0.25);
  for (let module = 0; module < 49 * 49; module++) {
    const [x, y] = [module % 49, Math.floor(module / 49)];
    expect(placed.isCleared(x, y)).toBe(asSet.isCleared(x, y));
  }
});

/** Returns which pictures of a design zxing-cpp or ZBar cannot read. */
async function unread(design: Design, link: string): Promise<string[]> {
  const picture = pictureOf(link, design);
  const svgPx = Math.round(6.37 * (picture.layout.side + 2 * design.quietZoneModules));
  const rasters = {
    png256: await rasterOfPng(pngOf(picture, 256)),
    png512: await rasterOfPng(pngOf(picture, 512)),
    svg: await rasterOfSvg(svgOf(picture), svgPx),
  };
  const missed: string[] = [];
  for (const { name, read } of (await createJudges()).slice(0, 2)) {
    for (const [file, raster] of Object.entries(rasters)) {
      if (!says(await read(lumaPicture(raster)), link)) missed.push(`${name} ${file}`);
    }
  }
  return missed;
}
