import { rasterize } from './rasterizer.ts';
import { type Picture, pixelSvgOf, totalModules } from './svg.ts';

/** A square raster in RGBA. The ground is opaque, so alpha is 255 everywhere. */
export interface Raster {
  readonly widthPx: number;
  readonly rgba: Uint8Array;
}

/**
 * A square PNG exactly `widthPx` wide. Modules lie on whole pixels; what is left over widens the
 * quiet zone on all sides.
 *
 * @throws RangeError when the symbol has more modules than the picture has pixels
 */
export function pngOf(picture: Picture, widthPx: number): Uint8Array {
  const grid = pixelGrid(totalModules(picture.layout), widthPx);
  return rasterize(pixelSvgOf(picture, grid), 'png');
}

/** The picture at so many pixels a module, nothing left over. */
export function rasterOf(picture: Picture, pxPerModule: number): Raster {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  const grid = { widthPx, pxPerModule, leftPx: 0 };
  return { widthPx, rgba: rasterize(pixelSvgOf(picture, grid), 'pixels') };
}

/** Whole pixels a module, and where the first module begins. */
export function pixelGrid(modules: number, widthPx: number) {
  const pxPerModule = Math.floor(widthPx / modules);
  if (pxPerModule < 1) throw new RangeError(`${widthPx} pixels are too few for ${modules} modules`);
  return { widthPx, pxPerModule, leftPx: (widthPx - modules * pxPerModule) >> 1 };
}
