import type { Box, Layout } from '../symbol/layout.ts';

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

/** Where the symbol itself begins, across and down. */
export function firstModulePx(layout: Layout, { leftPx, pxPerModule }: PixelGrid): number {
  return leftPx + layout.quietZoneModules * pxPerModule;
}

/** Pixels from the first to before the last that are touched. */
export interface PixelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The pixels of a grid that a box touches, which is in modules from the corner of the symbol. */
export function pixelBox(layout: Layout, box: Box, grid: PixelGrid): PixelBox {
  const px = (modules: number) =>
    grid.leftPx + (modules + layout.quietZoneModules) * grid.pxPerModule;
  return {
    left: Math.floor(px(box.x)),
    right: Math.ceil(px(box.x + box.width)),
    top: Math.floor(px(box.y)),
    bottom: Math.ceil(px(box.y + box.height)),
  };
}
