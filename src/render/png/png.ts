import { pixelGrid, rasterize } from '../draw/raster.ts';
import { type Picture, totalModules } from '../draw/svg.ts';
import { encodePng } from './encode.ts';

/**
 * A square PNG exactly `widthPx` wide. Modules lie on whole pixels; what is left over widens the
 * quiet zone on all sides.
 *
 * @throws RangeError when the symbol has more modules than the picture has pixels
 */
export function pngOf(picture: Picture, widthPx: number): Uint8Array {
  const grid = pixelGrid(totalModules(picture.layout), widthPx);
  return encodePng(rasterize(picture, grid), grid.pxPerModule);
}
