import { expect, test } from 'bun:test';
import { plainDesign } from '../../../src/core/designs/design.ts';
import { pictureOf, totalModules } from '../../../src/render/path/picture.ts';
import { pngOf } from '../../../src/render/path/png.ts';
import { svgOf } from '../../../src/render/path/svg.ts';
import { isCompleteRun } from '../../support/sample.ts';
import { specimenOf } from './corpus.ts';
import { printPxPerModule } from './examine.ts';
import { createJudges } from './judges.ts';
import { isMisleading } from './misleads.ts';
import type { LumaPicture } from './picture.ts';
import { lumaPicture, rasterOfPng, rasterOfSvg } from './raster.ts';

const judges = isCompleteRun ? await createJudges() : [];
const [link, otherLink] = ['https://example.org/kept', 'https://example.org/other'];
const blank: LumaPicture = { widthPx: 300, heightPx: 300, luma: new Uint8Array(90_000).fill(200) };

test.skipIf(!isCompleteRun).each(judges)('$name keeps no state between pictures', async (judge) => {
  const [code, other] = [await codeOf(link), await codeOf(otherLink)];
  for (const [picture, texts] of [
    [blank, []],
    [code, [link]],
    [other, [otherLink]],
    [blank, []],
    [code, [link]],
  ] as const) {
    expect(await judge.read(picture)).toEqual([...texts]);
  }
});

test.skipIf(!isCompleteRun).each<[string, number, number, boolean]>([
  ['a code of a twentieth of the width, which is read from close up only', 4500829, 768, true],
  ['squares that look like finder patterns', 4756831, 217, false],
])('a logo is misleading: %s', async (_, seed, index, expected) => {
  const { link, design } = specimenOf(seed, index);
  const picture = pictureOf(link, design);
  const svg = svgOf(picture);
  const modulesAcross = totalModules(picture.layout);
  const print = await rasterOfSvg(svg, modulesAcross * printPxPerModule);
  // Two are enough.
  const two = judges.slice(0, 2);
  expect(await isMisleading({ link, svg, modulesAcross, print }, two)).toBe(expected);
});

async function codeOf(text: string): Promise<LumaPicture> {
  return lumaPicture(await rasterOfPng(pngOf(pictureOf(text, plainDesign), 256)));
}
