import { isFinder } from './drawing.ts';
import type { FoldedRaster } from './folded.ts';
import type { Box, Layout } from './layout.ts';
import type { PixelGrid } from './pixel-grid.ts';
import { rasterize } from './rasterizer.ts';
import { type Picture, pixelSvgOf } from './svg.ts';

/** Paints a picture whose modules are plain squares. Only the logo takes a rasterizer: it is scaled. */
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
  if (box !== null) paintLogo(picture, grid, box, { rows, pixels });
  return { widthPx, rows, rgba: new Uint8Array(pixels.buffer) };
}

/** Rows that are kept, and their pixels as the four bytes that they are in memory: red, green, blue, alpha. */
interface Canvas {
  readonly rows: Uint32Array;
  readonly pixels: Uint32Array;
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

function firstModulePx(layout: Layout, { leftPx, pxPerModule }: PixelGrid): number {
  return leftPx + layout.quietZoneModules * pxPerModule;
}

/** Pixels from the first to before the last that are touched. */
interface PixelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function pixelBox(layout: Layout, box: Box, grid: PixelGrid): PixelBox {
  const px = (modules: number) =>
    grid.leftPx + (modules + layout.quietZoneModules) * grid.pxPerModule;
  return {
    left: Math.floor(px(box.x)),
    right: Math.ceil(px(box.x + box.width)),
    top: Math.floor(px(box.y)),
    bottom: Math.ceil(px(box.y + box.height)),
  };
}

/** A colour `#rrggbb` as an opaque pixel. */
function pixelOf(color: string): number {
  const bytes = Uint8Array.fromHex(`${color.slice(1)}ff`);
  return new Uint32Array(bytes.buffer)[0] ?? 0;
}

/**
 * The logo on what lies below it. Drawn on a canvas that ends where the logo does, not on one that
 * begins there: a logo moved by whole pixels is sampled with another rounding.
 */
function paintLogo(
  picture: Picture,
  grid: PixelGrid,
  { left, right, top, bottom }: PixelBox,
  { rows, pixels }: Canvas,
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
  const widthPx = Math.max(right, bottom);
  const rgba = rasterize(pixelSvgOf({ matrix: near, layout, design }, { ...grid, widthPx }));
  const drawn = new Uint32Array(rgba.buffer, rgba.byteOffset, widthPx * widthPx);
  for (let y = top; y < bottom; y++) {
    const row = drawn.subarray(y * widthPx + left, y * widthPx + right);
    pixels.set(row, (rows[y] ?? 0) * grid.widthPx + left);
  }
}
