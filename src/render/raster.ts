import { fillFlat } from './flat.ts';
import { rasterize } from './rasterizer.ts';
import { isFlat, type Picture, pixelSvgOf, totalModules } from './svg.ts';

/** A square raster in RGBA. The ground is opaque, so alpha is 255 everywhere. */
export interface Raster {
  readonly widthPx: number;
  readonly rgba: Uint8Array;
}

/** Where modules lie on a square canvas: on whole pixels each, so that straight edges are sharp. */
export interface PixelGrid {
  readonly widthPx: number;
  readonly pxPerModule: number;
  /** Where the symbol's quiet zone begins, across and down; the ground reaches farther out. */
  readonly leftPx: number;
}

/** @throws RangeError when there are more modules than pixels */
export function pixelGrid(modules: number, widthPx: number): PixelGrid {
  const pxPerModule = Math.floor(widthPx / modules);
  if (pxPerModule < 1) throw new RangeError(`${widthPx} pixels are too few for ${modules} modules`);
  return { widthPx, pxPerModule, leftPx: (widthPx - modules * pxPerModule) >> 1 };
}

/** The picture at so many pixels a module, nothing left over. */
export function rasterOf(picture: Picture, pxPerModule: number): Raster {
  return paint(picture, {
    widthPx: totalModules(picture.layout) * pxPerModule,
    pxPerModule,
    leftPx: 0,
  });
}

/**
 * The very pixels that the rasterizer makes of the picture's SVG. Where modules are plain squares they
 * are filled in here instead, which is the same picture in a fraction of the time.
 */
export function paint(picture: Picture, grid: PixelGrid): Raster {
  if (isFlat(picture.design)) return fillFlat(picture, grid);
  return { widthPx: grid.widthPx, rgba: rasterize(pixelSvgOf(picture, grid)) };
}
