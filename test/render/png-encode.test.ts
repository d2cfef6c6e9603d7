import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodePng } from '../../src/render/png/encode.ts';
import { decodePng } from '../support/png.ts';

/** Square rasters of few to more colours than a palette holds, with rows that repeat. */
const anyRaster = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 2, 3, 4, 5, 16, 17, 256, 257, 2000))
  .chain(([widthPx, colors]) =>
    fc
      .tuple(
        fc.array(fc.integer({ min: 0, max: colors - 1 }), {
          minLength: widthPx * widthPx,
          maxLength: widthPx * widthPx,
        }),
        fc.array(fc.boolean(), { minLength: widthPx, maxLength: widthPx }),
      )
      .map(([picked, repeats]) => ({ widthPx, picked, repeats })),
  )
  .map(({ widthPx, picked, repeats }) => {
    const pixels = Uint32Array.from(picked, (color) => (color * 0x9e3779b1) | 0xff000000);
    for (let y = 1; y < widthPx; y++)
      if (repeats[y]) pixels.copyWithin(y * widthPx, (y - 1) * widthPx, y * widthPx);
    return { widthPx, rgba: new Uint8Array(pixels.buffer) };
  });

test('any raster is read back as it was, whether rows are filtered or not', () => {
  fc.assert(
    fc.property(anyRaster, fc.constantFrom(1, 1_000_000), (raster, repeatPx) => {
      const { widthPx, heightPx, rgba } = decodePng(encodePng(raster, repeatPx));
      expect([widthPx, heightPx]).toEqual([raster.widthPx, raster.widthPx]);
      expect(Buffer.from(rgba.buffer).equals(raster.rgba)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

/** A picture of 20 × 20 pixels that shows so many colours. */
function rasterOf(colors: number, color: (index: number) => number) {
  const pixels = Uint32Array.from({ length: 400 }, (_, at) => color(at % colors) | 0xff000000);
  return { widthPx: 20, rgba: new Uint8Array(pixels.buffer) };
}

/** Colours that are a sixteenth apart in at least one channel. */
const apart = (index: number) =>
  ((index & 15) << 4) | (((index >> 4) & 15) << 12) | ((index >> 8) << 20);

test('the depth is the least that names all colours; more than 256 need no palette', () => {
  const kindOf = (colors: number) => {
    const png = encodePng(rasterOf(colors, apart), 1);
    return { depth: png[24], colorType: png[25] };
  };
  expect([1, 2, 3, 4, 5, 16, 17, 256, 257].map(kindOf)).toEqual([
    { depth: 1, colorType: 3 },
    { depth: 1, colorType: 3 },
    { depth: 2, colorType: 3 },
    { depth: 2, colorType: 3 },
    { depth: 4, colorType: 3 },
    { depth: 4, colorType: 3 },
    { depth: 8, colorType: 3 },
    { depth: 8, colorType: 3 },
    { depth: 8, colorType: 2 },
  ]);
});

test('colours beyond the palette are shown as others that look the same, if there is one for each', () => {
  const shown = (step: number) => {
    const raster = rasterOf(300, (index) =>
      index < 256 ? apart(index) : apart(index - 256) + step,
    );
    const png = encodePng(raster, 1);
    const { rgba } = decodePng(png);
    const differences = rgba.map((code, at) => Math.abs(code - (raster.rgba[at] ?? 0)));
    return { colorType: png[25], farthest: Math.max(...differences) };
  };
  expect(shown(3)).toEqual({ colorType: 3, farthest: 3 });
  expect(shown(4)).toEqual({ colorType: 2, farthest: 0 });
});
