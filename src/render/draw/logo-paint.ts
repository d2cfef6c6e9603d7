import { colored, type FoldedRaster, type IndexedRaster, shownApart } from './folded.ts';
import { type Canvas, createLogoBrush } from './logo-brush.ts';
import { createMixtures, exactPlace } from './logo-mixtures.ts';
import { createPalette } from './palette.ts';
import { type PixelBox, type PixelGrid, pixelBox } from './pixel-grid.ts';
import { smallTexels } from './small-logo.ts';
import { type Picture, writtenBox } from './svg.ts';

/** Of the logos drawn last: thousands of codes wear the same one, in a few sizes. */
const mixturesOf = createMixtures(exactPlace);

/**
 * Draws a picture's logo, if it has one, on what lies below it.
 *
 * @param canvas where each row that the logo is in stands for no other
 */
export function paintLogo({ layout, design }: Picture, grid: PixelGrid, canvas: Canvas): void {
  if (layout.logo === null || design.logo === null) return;
  const texels = smallTexels(design.logo, layout.logo, grid.pxPerModule);
  const box = writtenBox(layout.logo, layout.quietZoneModules);
  createLogoBrush(grid, mixturesOf)(canvas, texels, box);
}

/**
 * Draws a picture's logo, if it has one, on a raster of few colours, of which only what lies below the
 * logo is looked at.
 *
 * @returns a raster in RGBA where the logo brings too many colours
 */
export function paintLogoOnIndexed(
  picture: Picture,
  grid: PixelGrid,
  ground: IndexedRaster,
): FoldedRaster | IndexedRaster {
  const { logo } = picture.layout;
  if (logo === null) return ground;
  const box = pixelBox(picture.layout, logo, grid);
  const raster = shownApart(ground, box.top, box.bottom);
  const strip = stripOf(raster, box);
  const rows = Uint32Array.from({ length: box.bottom }, (_, row) => Math.max(0, row - box.top));
  paintLogo(picture, grid, { rgba: new Uint8Array(strip.buffer), rows });
  return numbered(raster, box, strip) ?? withStrip(colored(raster), box, strip);
}

/** The pixels of a box, in colours and in rows as wide as the raster's. */
function stripOf({ widthPx, indexes, colors }: IndexedRaster, box: PixelBox): Int32Array {
  const strip = new Int32Array(widthPx * (box.bottom - box.top));
  const firstPixel = box.top * widthPx;
  for (let start = 0; start < strip.length; start += widthPx) {
    for (let at = start + box.left; at < start + box.right; at++) {
      strip[at] = colors[indexes[firstPixel + at] ?? 0] ?? 0;
    }
  }
  return strip;
}

/** The raster with what a strip shows in a box; null, and nothing drawn, where its colours are too many. */
function numbered(raster: IndexedRaster, box: PixelBox, strip: Int32Array): IndexedRaster | null {
  const { widthPx } = raster;
  const boxPx = box.right - box.left;
  const numbers = new Uint8Array(boxPx * (box.bottom - box.top));
  const palette = createPalette(raster.colors);
  // Most pixels are as the one before.
  let color = raster.colors[0] ?? 0;
  let number = 0;
  for (let start = box.left, to = 0; start < strip.length; start += widthPx) {
    for (let at = start; at < start + boxPx; at++) {
      const here = strip[at] ?? 0;
      if (here !== color) {
        const found = palette.numberOf(here);
        if (found === null) return null;
        [color, number] = [here, found];
      }
      numbers[to++] = number;
    }
  }
  for (let y = box.top, from = 0; y < box.bottom; y++, from += boxPx) {
    raster.indexes.set(numbers.subarray(from, from + boxPx), y * widthPx + box.left);
  }
  return { ...raster, colors: Int32Array.from(palette.colors) };
}

/** The raster with what a strip shows in a box. */
function withStrip(raster: FoldedRaster, box: PixelBox, strip: Int32Array): FoldedRaster {
  const { widthPx } = raster;
  const pixels = new Int32Array(raster.rgba.buffer);
  for (let y = box.top; y < box.bottom; y++) {
    const start = (y - box.top) * widthPx;
    pixels.set(strip.subarray(start + box.left, start + box.right), y * widthPx + box.left);
  }
  return raster;
}
