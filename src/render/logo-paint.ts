import { type Canvas, makeLogoBrush } from './brush/logo-brush.ts';
import { smallTexels } from './brush/small-logo.ts';
import type { PixelGrid } from './pixel-grid.ts';
import { type Picture, writtenBox } from './svg.ts';

/**
 * Draws a picture's logo, if it has one, on what lies below it.
 *
 * @param canvas where each row that the logo is in stands for no other
 */
export function paintLogo({ layout, design }: Picture, grid: PixelGrid, canvas: Canvas): void {
  if (layout.logo === null || design.logo === null) return;
  const texels = smallTexels(design.logo, layout.logo, grid.pxPerModule);
  const box = writtenBox(layout.logo, layout.quietZoneModules);
  makeLogoBrush(grid)(canvas, texels, box);
}
