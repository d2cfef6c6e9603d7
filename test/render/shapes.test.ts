import { expect, test } from 'bun:test';
import jsQR from 'jsqr';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf, totalModules } from '../../src/render/path/picture.ts';
import { pngOf } from '../../src/render/path/png.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { says, zbar } from '../bench/readability/judges.ts';
import { lumaPicture, type Raster, rasterOfPng, rasterOfSvg } from '../bench/readability/raster.ts';
import { decodePng } from '../support/png.ts';
import { isCompleteRun } from '../support/sample.ts';

const zbarReads = async (raster: Raster, link: string) =>
  says(await zbar.read(lumaPicture(raster)), link);

const round: Design = { ...plainDesign, finderShape: 'circle' };

// ZBar reads neither where the ring of a finder is thinner in its corners.
test
  .skipIf(!isCompleteRun)
  .each([
    'HTTPS://0K6WQMS40YETV7C64R0JM49KR4QKKC.EX/AGP8CZV7DDJWNZWA/3KA8HDHJ',
    'https://wes2z7tvseh3mtevnhajkc0zkqdh4n.ex/7mz5wtcyqmp',
  ])('ZBar reads round finder patterns in the smallest picture: %s', async (link) => {
  const png = pngOf(pictureOf(link, round), 256);
  expect(await zbarReads(await rasterOfPng(png), link)).toBe(true);
});

test.skipIf(!isCompleteRun)(
  'ZBar reads round finder patterns among rounded modules in an SVG on a screen',
  async () => {
    const link = 'https://q83epha76afn0qzjq8dfb6wak12x.ex/n5626142';
    const picture = pictureOf(link, { ...round, moduleShape: 'rounded' });
    const raster = await rasterOfSvg(
      svgOf(picture),
      Math.round(totalModules(picture.layout) * 6.37),
    );
    expect(await zbarReads(raster, link)).toBe(true);
  },
);

test('jsQR reads dots in large pictures, unlike full circles', () => {
  const read = [0, 1, 2, 3, 4].map((number) => {
    const link = `https://go.example.com/${(number * 7919 + 123_457).toString(32).padStart(8, '0')}`;
    const picture = pictureOf(link, { ...plainDesign, moduleShape: 'dots' });
    const { rgba, widthPx } = decodePng(pngOf(picture, 1024));
    return jsQR(rgba, widthPx, widthPx)?.data === link;
  });
  expect(read.filter(Boolean).length).toBeGreaterThanOrEqual(4);
});
