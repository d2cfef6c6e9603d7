import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { withLogoPlacement } from '../../src/core/designs/design.ts';
import { createLogoBrush } from '../../src/render/draw/logo-brush.ts';
import { createMixtures, exactPlace, nearPlace } from '../../src/render/draw/logo-mixtures.ts';
import { texelsOf } from '../../src/render/draw/logo-texels.ts';
import { native } from '../../src/render/draw/rasterizer.ts';
import {
  type Picture,
  pictureOf,
  pixelSvgOf,
  totalModules,
  writtenBox,
} from '../../src/render/draw/svg.ts';
import { decodeRgbaPng } from '../../src/render/logo/pixels.ts';
import { specimenOf } from '../bench/readability/corpus.ts';
import { anyLink, discLogo, logoFrom, wideLogo } from './design-arbitraries.ts';

interface Canvas {
  readonly widthPx: number;
  readonly pxPerModule: number;
  readonly leftPx: number;
}

/** A picture drawn by the rasterizer alone, and with its logo drawn by the brush. */
function drawnBoth(picture: Picture, canvas: Canvas): [Uint8Array, Uint8Array] {
  const { layout, design } = picture;
  if (layout.logo === null || design.logo === null) throw new Error('there is no logo');
  const bare = { ...picture, layout: { ...layout, logo: null } };
  const brushed = new Uint8Array(native(pixelSvgOf(bare, canvas)));
  const texels = texelsOf(decodeRgbaPng(design.logo.png));
  const box = writtenBox(layout.logo, layout.quietZoneModules);
  createLogoBrush(canvas, createMixtures(exactPlace))({ rgba: brushed }, texels, box);
  return [native(pixelSvgOf(picture, canvas)), brushed];
}

/** The bench's logos are of every kind: photographs, half transparent ones, slogans, codes … */
const anyLogo = fc
  .integer({ min: 0, max: 400 })
  .map((index) => specimenOf(1, index).design)
  .filter(({ logo }) => logo !== null);

const anyFit = fc.record({
  sizePercent: fc.constantFrom(100, 95, 90),
  rightModules: fc.double({ min: -1, max: 1, noNaN: true }),
  downModules: fc.constantFrom(0, 0.25, -0.5, 0.75),
});

test('the brush draws any logo as the rasterizer does, to the pixel', () => {
  fc.assert(
    fc.property(
      anyLogo,
      anyLink,
      anyFit,
      fc.constantFrom(1.7, 3, 4, 6.4, 8, 17),
      // Some canvases end within the logo, on either side.
      fc.constantFrom(0, 0.3, 0.48),
      (design, link, fit, pxPerModule, beginsAt) => {
        const picture = pictureOf(link, withLogoPlacement(design, fit));
        const widthPx = Math.ceil(picture.layout.side * pxPerModule * (beginsAt === 0 ? 0.5 : 0.6));
        const leftPx = -Math.round(picture.layout.side * pxPerModule * beginsAt);
        const [wanted, brushed] = drawnBoth(picture, { widthPx, pxPerModule, leftPx });
        expect(Bun.hash(brushed)).toBe(Bun.hash(wanted));
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['at its own size, where nothing is mixed', discLogo, 120, 10],
  ['thinner than a pixel', wideLogo, 1, 0.5],
  ['of a single pixel', logoFrom('<rect width="1" height="1"/>', 1, 1), 12, 2],
])('the brush draws a logo %s as the rasterizer does', (_, logo, sizePx, pxPerModule) => {
  const { design } = specimenOf(1, 0);
  const picture = pictureOf('https://a.ex/k3m9', { ...design, logo, logoPatch: 'none' });
  const size = sizePx / pxPerModule;
  const height = (size * logo.heightPx) / logo.widthPx;
  const box = { x: 4, y: 5, width: size, height };
  const placed = { ...picture, layout: { ...picture.layout, logo: box } };
  const widthPx = Math.ceil(totalModules(picture.layout) * pxPerModule);
  const [wanted, brushed] = drawnBoth(placed, { widthPx, pxPerModule, leftPx: 0 });
  expect(Bun.hash(brushed)).toBe(Bun.hash(wanted));
});

test('where sharpened edges would be brighter than white, they are white', () => {
  const { design, link } = specimenOf(2, 252);
  const canvas = { widthPx: 480, pxPerModule: 16, leftPx: -240 };
  const [wanted, brushed] = drawnBoth(pictureOf(link, design), canvas);
  expect(Bun.hash(brushed)).toBe(Bun.hash(wanted));
});

test.each([
  ['by the first pixel', nearPlace],
  ['by every pixel', exactPlace],
])('the brush draws alike whatever it drew before and knows %s', (_, placeOf) => {
  const { design, link } = specimenOf(1, 677);
  const canvas = { widthPx: 240, pxPerModule: 4, leftPx: 0 };
  const picture = pictureOf(link, design);
  const { logo } = picture.layout;
  if (logo === null || design.logo === null) throw new Error('there is no logo');
  const texels = texelsOf(decodeRgbaPng(design.logo.png));
  const used = createLogoBrush(canvas, createMixtures(placeOf));
  for (const moved of [0, 0.25, -0.25, 0.5, 0.1, 0.75]) {
    const box = { ...logo, x: logo.x + moved, y: logo.y - moved };
    const { layout } = picture;
    const placed = { ...picture, layout: { ...layout, logo: box } };
    const below = new Uint8Array(
      native(pixelSvgOf({ ...picture, layout: { ...layout, logo: null } }, canvas)),
    );
    used({ rgba: below }, texels, writtenBox(box, layout.quietZoneModules));
    expect(Bun.hash(below)).toBe(Bun.hash(native(pixelSvgOf(placed, canvas))));
  }
});
