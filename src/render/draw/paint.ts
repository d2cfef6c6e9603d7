import { fillFlat } from './flat.ts';
import { colored, expanded, type FoldedRaster, folded, type IndexedRaster } from './folded.ts';
import { paintLogo, paintLogoOnIndexed } from './logo-paint.ts';
import type { PixelGrid, Raster } from './pixel-grid.ts';
import { rasterize } from './rasterizer.ts';
import { stamped } from './stamped.ts';
import { isFlat, type Picture, pixelSvgOf, totalModules } from './svg.ts';
import { isEven } from './uneven.ts';

/** The picture at so many pixels a module, nothing left over. */
export function rasterOf(picture: Picture, pxPerModule: number): Raster {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  const painted = paint(picture, { widthPx, pxPerModule, leftPx: 0 });
  return expanded('indexes' in painted ? colored(painted) : painted);
}

/**
 * The very pixels that the rasterizer makes of the picture's SVG without its logo, and on them the logo
 * as small as these pixels can show it (small-logo.ts). Plain squares are filled in without the
 * rasterizer, and of other shapes each kind is drawn once: the same picture in a fraction of the time. Where
 * the logo's colours are numbered, one for which there is no room is shown as another that looks the same
 * (palette.ts).
 */
export function paint(picture: Picture, grid: PixelGrid): FoldedRaster | IndexedRaster {
  if (isFlat(picture.design)) return fillFlat(picture, grid);
  const ground = isEven(picture.design, grid.pxPerModule) ? stamped(picture, grid) : null;
  if (ground === null) return folded(rasterized(picture, grid));
  return paintLogoOnIndexed(picture, grid, ground);
}

function rasterized(picture: Picture, grid: PixelGrid): Raster {
  const bare = { ...picture, layout: { ...picture.layout, logo: null } };
  const rgba = rasterize(pixelSvgOf(bare, grid));
  paintLogo(picture, grid, { rgba });
  return { widthPx: grid.widthPx, rgba };
}
