import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { colored, expanded } from '../../src/render/draw/folded.ts';
import { paint } from '../../src/render/draw/paint.ts';
import { type PixelGrid, pixelGrid } from '../../src/render/draw/pixel-grid.ts';
import { rasterize } from '../../src/render/draw/rasterizer.ts';
import { stamped } from '../../src/render/draw/stamped.ts';
import {
  isFlat,
  type Picture,
  pictureOf,
  pixelSvgOf,
  totalModules,
} from '../../src/render/draw/svg.ts';
import { isEven } from '../../src/render/draw/uneven.ts';
import { anyDesign, anyLink, sampleLink } from './design-arbitraries.ts';
import { expectSamePixels } from './pixels.ts';
import { withSmallLogo } from './small-logos.ts';

const anyRoundDesign = anyDesign.filter((design) => !isFlat(design));

/** A picture with modules of a size, and a part of what is left over for one more pixel each. */
function gridOf({ layout }: Picture, pxPerModule: number, leftOver: number): PixelGrid {
  const total = totalModules(layout);
  // Where it neither scales nor moves, the rasterizer gives an image other edges.
  const least = pxPerModule === 1 ? 2 : 0;
  const spare = Math.max(least, Math.floor(leftOver * total));
  return { widthPx: total * pxPerModule + spare, pxPerModule, leftPx: spare >> 1 };
}

function expectWhole(picture: Picture, grid: PixelGrid): void {
  const painted = paint(picture, grid);
  const { rgba } = expanded('indexes' in painted ? colored(painted) : painted);
  const whole = withSmallLogo(picture, grid.pxPerModule);
  expectSamePixels(rgba, rasterize(pixelSvgOf(whole, grid)));
}

const anyLeftOver = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

// The more pixels, the longer it takes and the less there is to be rounded.
test.each([
  [1, 12, 60],
  [13, 26, 40],
  [27, 56, 16],
])('modules of %i to %i pixels are drawn as in the whole picture', (least, most, numRuns) => {
  const anySize = fc.integer({ min: least, max: most });
  fc.assert(
    fc.property(anyLink, anyRoundDesign, anySize, anyLeftOver, (link, design, size, leftOver) => {
      const picture = pictureOf(link, design);
      expectWhole(picture, gridOf(picture, size, leftOver));
    }),
    { numRuns },
  );
});

test.each([
  ['small', sampleLink],
  ['large', `https://x.ex/${'long-'.repeat(240)}`],
])('so are the largest pictures of a %s symbol', (_, link) => {
  for (const finderShape of ['rounded', 'circle'] as const) {
    const picture = pictureOf(link, { ...plainDesign, moduleShape: 'dots', finderShape });
    expectWhole(picture, pixelGrid(totalModules(picture.layout), 4096));
  }
});

test('where a shape has other shades from place to place, the whole is drawn', () => {
  const design: Design = { ...plainDesign, moduleShape: 'dots' };
  const picture = pictureOf(sampleLink, design);
  const grid = gridOf(picture, 75, 0);
  expect(isEven(design, 75)).toBe(false);
  const stampedAnyhow = stamped(picture, grid);
  if (stampedAnyhow === null) throw new Error('more colours than indexes');
  const whole = rasterize(pixelSvgOf(picture, grid));
  expect(Bun.hash(expanded(colored(stampedAnyhow)).rgba)).not.toBe(Bun.hash(whole));
  expectWhole(picture, grid);
});
