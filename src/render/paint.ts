import { fillFlat } from './flat.ts';
import {
  colored,
  type FoldedRaster,
  folded,
  type IndexedRaster,
  shownApart,
  unfolded,
} from './folded.ts';
import { paintLogo, pixelBox } from './logo-paint.ts';
import type { PixelGrid, Raster } from './pixel-grid.ts';
import { rasterize } from './rasterizer.ts';
import { stamped } from './stamped.ts';
import { isFlat, type Picture, pixelSvgOf, totalModules } from './svg.ts';
import { isEven } from './uneven.ts';

/** The picture at so many pixels a module, nothing left over. */
export function rasterOf(picture: Picture, pxPerModule: number): Raster {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  const painted = paint(picture, { widthPx, pxPerModule, leftPx: 0 });
  return unfolded('indexes' in painted ? colored(painted) : painted);
}

/**
 * The very pixels that the rasterizer makes of the picture's SVG. Plain squares are filled in without it,
 * and of other shapes each kind is drawn once: the same picture in a fraction of the time.
 */
export function paint(picture: Picture, grid: PixelGrid): FoldedRaster | IndexedRaster {
  if (isFlat(picture.design)) return fillFlat(picture, grid);
  const ground = isEven(picture.design, grid.pxPerModule) ? stamped(picture, grid) : null;
  if (ground === null) return folded(rasterized(picture, grid));
  const { logo } = picture.layout;
  if (logo === null) return ground;
  const box = pixelBox(picture.layout, logo, grid);
  const raster = colored(shownApart(ground, box.top, box.bottom));
  paintLogo(picture, grid, box, raster);
  return raster;
}

function rasterized(picture: Picture, grid: PixelGrid): Raster {
  return { widthPx: grid.widthPx, rgba: rasterize(pixelSvgOf(picture, grid)) };
}
