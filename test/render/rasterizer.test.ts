import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { pixelGrid } from '../../src/render/draw/pixel-grid.ts';
import { createWasmRasterizer, native } from '../../src/render/draw/rasterizer.ts';
import { pictureOf, pixelSvgOf, totalModules } from '../../src/render/draw/svg.ts';
import { anyDesign, anyLink } from './design-arbitraries.ts';

// An image is the same for ever (DESIGN, "Data"), also on a server whose temporary folder has become
// one that the native build cannot be loaded from.
test('both rasterizers draw any picture alike, to the pixel', async () => {
  const wasm = await createWasmRasterizer();
  fc.assert(
    fc.property(anyLink, anyDesign, fc.constantFrom(128, 300, 1024), (link, design, widthPx) => {
      const picture = pictureOf(link, design);
      const svg = pixelSvgOf(picture, pixelGrid(totalModules(picture.layout), widthPx));
      expect(Bun.hash(wasm(svg))).toBe(Bun.hash(native(svg)));
    }),
    { numRuns: 25 },
  );
});
