import { expect, test } from 'bun:test';
import { plainDesign } from '../../../src/core/design.ts';
import { pngOf } from '../../../src/render/png/png.ts';
import { pictureOf } from '../../../src/render/svg.ts';
import { readByThree } from './clean.ts';
import { makeJudges } from './judges.ts';
import type { LumaPicture } from './picture.ts';
import { lumaPicture, rasterOfPng } from './raster.ts';
import { isInDoubt } from './truth.ts';

const judges = await makeJudges();
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
