import { expect, test } from 'bun:test';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { pictureOf, totalModules } from '../../src/render/path/picture.ts';
import { encodePng, pngOf } from '../../src/render/path/png.ts';
import { type IndexedRaster, pixelGrid, rasterize, toRgba } from '../../src/render/path/raster.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { colorTypes } from '../../src/render/png/file.ts';
import { chanceOf } from '../bench/readability/chance.ts';
import { logoOf } from '../bench/readability/logos.ts';
import { decodePng } from '../support/png.ts';
import { anyDesign, anyLink, discLogo, logoFrom, sampleLink } from './design-arbitraries.ts';

test('every module is whole pixels of one colour, and the remainder is quiet zone', () => {
  const anyQuiet = fc.integer({ min: 4, max: 8 });
  fc.assert(
    fc.property(anyLink, anyQuiet, fc.integer({ min: 128, max: 700 }), (link, quiet, widthPx) => {
      const design = { ...plainDesign, quietZoneModules: quiet };
      const picture = pictureOf(link, design);
      const decoded = decodePng(pngOf(picture, widthPx));
      expect([decoded.widthPx, decoded.heightPx]).toEqual([widthPx, widthPx]);
      const { pxPerModule, leftPx } = pixelGrid(totalModules(picture.layout), widthPx);
      expect(leftPx).toBeLessThan(totalModules(picture.layout));
      const moduleAt = (px: number) => Math.floor((px - leftPx) / pxPerModule) - quiet;
      const strays = new Uint32Array(decoded.rgba.buffer).filter((color, at) => {
        const isDark = picture.matrix.isDark(
          moduleAt(at % widthPx),
          moduleAt(Math.floor(at / widthPx)),
        );
        return color !== (isDark ? 0xff000000 : 0xffffffff);
      });
      expect(strays).toHaveLength(0);
    }),
    { numRuns: 6 },
  );
});

/** A raster of 20 × 20 pixels with so many colours, a sixteenth apart in at least one channel. */
function rasterOf(colors: number): IndexedRaster {
  const apart = (index: number) => ((index & 15) << 4) | (((index >> 4) & 15) << 12) | (255 << 24);
  return {
    widthPx: 20,
    indexes: Uint8Array.from({ length: 400 }, (_, at) => at % colors),
    colors: Array.from({ length: colors }, (_, index) => apart(index)),
  };
}

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 4],
  [16, 4],
  [17, 8],
  [256, 8],
])('a palette of %i colours has indexes of %i bits', (colors, depth) => {
  const raster = rasterOf(colors);
  const png = encodePng(raster);
  expect([png[24], png[25]]).toEqual([depth, colorTypes.palette]);
  expect(decodePng(png).rgba).toEqual(new Uint8ClampedArray(toRgba(raster).rgba));
});

test('a photograph keeps all of its colours', () => {
  const design: Design = { ...plainDesign, logo: logoOf('photograph', chanceOf(6)) };
  const picture = pictureOf(sampleLink, design);
  const png = pngOf(picture, 512);
  expect(png[25]).toBe(colorTypes.rgb);
  const raster = toRgba(rasterize(picture, pixelGrid(totalModules(picture.layout), 512)));
  expect(decodePng(png).rgba).toEqual(new Uint8ClampedArray(raster.rgba));
});

test('a flat logo gets a palette, in which similar shades of its edges share a colour', () => {
  const design: Design = {
    ...plainDesign,
    foreground: '#1b3a57',
    moduleShape: 'dots',
    logo: discLogo,
  };
  expect(pngOf(pictureOf(sampleLink, design), 1024)[25]).toBe(colorTypes.palette);
});

test('fine lines of a large logo become grey in a small PNG, where no pixel shows one of them', () => {
  const lines = Array.from({ length: 128 }, (_, line) => `M${line * 4} 0h2v512h-2z`).join('');
  const logo = logoFrom(
    `<rect width="512" height="512" fill="#fff"/><path d="${lines}"/>`,
    512,
    512,
  );
  const design: Design = { ...plainDesign, logo, logoSizePercent: 30 };
  const widthPx = 256;
  const { rgba } = decodePng(pngOf(pictureOf(sampleLink, design), widthPx));
  const tones = new Set<number>();
  for (let x = widthPx / 2 - 20; x < widthPx / 2 + 20; x++) {
    tones.add(rgba[((widthPx / 2) * widthPx + x) * 4] ?? 0);
  }
  expect(Math.min(...tones)).toBeGreaterThan(96);
  expect(Math.max(...tones)).toBeLessThan(160);
});

test('the PNG looks like the SVG that another rasterizer draws', () => {
  const anyWithoutLogo = anyDesign.map((design) => ({ ...design, logo: null }));
  fc.assert(
    fc.property(anyLink, anyWithoutLogo, (link, design) => {
      const picture = pictureOf(link, design);
      const widthPx = totalModules(picture.layout) * 12;
      const png = decodePng(pngOf(picture, widthPx)).rgba;
      const options = {
        fitTo: { mode: 'width', value: widthPx },
        font: { loadSystemFonts: false },
      } as const;
      const svg = new Resvg(svgOf(picture), options).render().pixels;
      // Along edges resvg samples coverage in sixteenths; ours is exact, in fifteenths.
      let farthest = 0;
      for (let at = 0; at < png.length; at++)
        farthest = Math.max(farthest, Math.abs((png[at] ?? 0) - (svg[at] ?? 0)));
      expect(farthest).toBeLessThanOrEqual(40);
    }),
    { numRuns: 6 },
  );
});

test('rejects a width of less than a pixel per module', () => {
  expect(() => pngOf(pictureOf(sampleLink, plainDesign), 40)).toThrow(RangeError);
});
