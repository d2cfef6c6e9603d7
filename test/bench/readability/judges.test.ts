import { expect, test } from 'bun:test';
import { plainDesign } from '../../../src/core/designs/design.ts';
import { pictureOf, svgOf, totalModules } from '../../../src/render/draw/svg.ts';
import { pngOf } from '../../../src/render/png/encode.ts';
import { readByThree } from './clean.ts';
import { specimenOf } from './corpus.ts';
import { printPxPerModule } from './examine.ts';
import { createJudges } from './judges.ts';
import { misleads } from './misleads.ts';
import type { LumaPicture } from './picture.ts';
import { lumaPicture, rasterOfPng, rasterOfSvg } from './raster.ts';
import { isInDoubt } from './truth.ts';

const judges = await createJudges();
const [link, otherLink] = ['https://example.org/kept', 'https://example.org/other'];
const blank: LumaPicture = { widthPx: 300, heightPx: 300, luma: new Uint8Array(90_000).fill(200) };

test.each(judges)('$name reads a picture alike, whatever it read before', async (judge) => {
  const [code, other] = [await codeOf(link), await codeOf(otherLink)];
  expect(await judge.read(blank)).toEqual([]);
  expect(await judge.read(code)).toEqual([link]);
  expect(await judge.read(other)).toEqual([otherLink]);
  expect(await judge.read(blank)).toEqual([]);
  expect(await judge.read(code)).toEqual([link]);
});

test('a logo of finder-like squares is no second code', async () => {
  const { link, design } = specimenOf(4756831, 217);
  const png = pngOf(pictureOf(link, design), 512);
  const [zxing] = judges;
  expect(await zxing?.read(lumaPicture(await rasterOfPng(png)))).toEqual([link]);
});

test.each<[string, number, number, boolean]>([
  ['a code of a quarter of the width', 3, 111, true],
  ['a code of a twentieth of the width, which is read from close up alone', 4500829, 768, true],
  ['squares that look like finder patterns', 4756831, 217, false],
  ['a photograph', 4500829, 430, false],
])('a logo misleads: %s', async (_, seed, index, misled) => {
  const { link, design } = specimenOf(seed, index);
  const picture = pictureOf(link, design);
  const svg = svgOf(picture);
  const modulesAcross = totalModules(picture.layout);
  const print = await rasterOfSvg(svg, modulesAcross * printPxPerModule);
  expect(await misleads({ link, svg, modulesAcross, print }, judges)).toBe(misled);
});

async function codeOf(text: string): Promise<LumaPicture> {
  return lumaPicture(await rasterOfPng(pngOf(pictureOf(text, plainDesign), 256)));
}

test.each([
  ['zxing, zbar and one more', ['zxing', 'zbar', 'wechat'], true],
  ['these two alone', ['zxing', 'zbar'], false],
  ['all but zbar', ['zxing', 'qr', 'rxing', 'wechat'], false],
])('a picture that %s read: %p counts as %p', (_, readBy, counts) => {
  const all = { picture: 'svg', readBy: judges.map(({ name }) => name), unreadBy: [] };
  expect(readByThree([all, { picture: 'png256', readBy, unreadBy: [] }])).toBe(counts);
});

test.each<[string, number[], boolean]>([
  ['two read all and two some', [1, 0.95, 0.55, 0.6], false],
  ['one of two that are just good', [0.95, 0.8, 0.55, 0.6], true],
  ['one of two that just lose it, as nobody else reads well', [0.85, 0.6, 0.2, 0.4], true],
])('the truth hangs on a few shots where %s: %p is %p', (_, shares, hangs) => {
  expect(isInDoubt(shares)).toBe(hangs);
});
