import type { FoldedRaster } from './folded.ts';
import type { Box, Layout } from './layout.ts';
import type { PixelGrid } from './pixel-grid.ts';
import { rasterize } from './rasterizer.ts';
import { isFlat, type Picture, pixelSvgOf } from './svg.ts';

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

/**
 * The logo on what lies below it. Drawn on a canvas that ends where the logo does, not on one that
 * begins there: a logo moved by whole pixels is sampled with another rounding.
 */
export function paintLogo(
  picture: Picture,
  grid: PixelGrid,
  { left, right, top, bottom }: PixelBox,
  { rows, rgba }: Pick<FoldedRaster, 'rows' | 'rgba'>,
): void {
  const { matrix, layout, design } = picture;
  const { logo } = layout;
  const isNear = (x: number, y: number) =>
    logo !== null &&
    x > logo.x - 2 &&
    x < logo.x + logo.width + 1 &&
    y > logo.y - 2 &&
    y < logo.y + logo.height + 1;
  const near = {
    side: matrix.side,
    isDark: (x: number, y: number) => isNear(x, y) && matrix.isDark(x, y),
  };
  // Curves that the canvas cuts through are placed differently, so it reaches beyond all that is near.
  const marginPx = isFlat(design) ? 0 : 2 * grid.pxPerModule;
  const widthPx = Math.min(grid.widthPx, Math.max(right, bottom) + marginPx);
  const drawn = rasterize(pixelSvgOf({ matrix: near, layout, design }, { ...grid, widthPx }));
  for (let y = top; y < bottom; y++) {
    const row = drawn.subarray((y * widthPx + left) * 4, (y * widthPx + right) * 4);
    rgba.set(row, ((rows[y] ?? 0) * grid.widthPx + left) * 4);
  }
}
