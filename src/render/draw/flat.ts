import type { Layout } from '../symbol/layout.ts';
import { isFinder } from './drawing.ts';
import type { FoldedRaster } from './folded.ts';
import { paintLogo } from './logo-paint.ts';
import { firstModulePx, type PixelBox, type PixelGrid, pixelBox } from './pixel-grid.ts';
import type { Picture } from './svg.ts';

/** Paints a picture whose modules are plain squares. */
export function fillFlat(picture: Picture, grid: PixelGrid): FoldedRaster {
  const { matrix, layout, design } = picture;
  const { widthPx, pxPerModule } = grid;
  const box = layout.logo === null ? null : pixelBox(layout, layout.logo, grid);
  const rows = keptRows(layout, grid, box);
  const pixels = new Uint32Array(((rows.at(-1) ?? 0) + 1) * widthPx);
  pixels.fill(pixelOf(design.background));

  const [modules, finders] = [design.foreground, design.finderColor ?? design.foreground].map(
    pixelOf,
  );
  const firstPx = firstModulePx(layout, grid);
  for (let row = 0; row < widthPx; row++) {
    const y = moduleRow(layout, grid, row);
    if (y < 0 || y === layout.side || rows[row] === rows[row - 1]) continue;
    for (let x = 0; x < layout.side; x++) {
      const finder = isFinder(layout.side, x, y);
      if (!matrix.isDark(x, y) || (!finder && layout.isCleared(x, y))) continue;
      const start = (rows[row] ?? 0) * widthPx + firstPx + x * pxPerModule;
      pixels.fill((finder ? finders : modules) ?? 0, start, start + pxPerModule);
    }
  }
  const rgba = new Uint8Array(pixels.buffer);
  paintLogo(picture, grid, { rows, rgba });
  return { widthPx, rows, rgba };
}

/** One row for each row of modules and for the ground above and below, and each one that the logo is in. */
function keptRows(layout: Layout, grid: PixelGrid, box: PixelBox | null): Uint32Array {
  const showsLogo = (row: number) => box !== null && row >= box.top && row < box.bottom;
  let kept = 0;
  return Uint32Array.from({ length: grid.widthPx }, (_, row) => {
    const isModuleSame = moduleRow(layout, grid, row) === moduleRow(layout, grid, row - 1);
    if (row > 0 && (!isModuleSame || showsLogo(row) || showsLogo(row - 1))) kept++;
    return kept;
  });
}

/** The row of modules that a row of pixels is in; -1 above the symbol and its side below. */
function moduleRow(layout: Layout, grid: PixelGrid, row: number): number {
  const module = Math.floor((row - firstModulePx(layout, grid)) / grid.pxPerModule);
  return Math.max(-1, Math.min(layout.side, module));
}

/** A colour `#rrggbb` as an opaque pixel. */
function pixelOf(color: string): number {
  const bytes = Uint8Array.fromHex(`${color.slice(1)}ff`);
  return new Uint32Array(bytes.buffer)[0] ?? 0;
}
