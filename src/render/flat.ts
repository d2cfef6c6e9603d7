import { isFinder } from './drawing.ts';
import type { Box } from './layout.ts';
import type { PixelGrid, Raster } from './pixel-grid.ts';
import { rasterize } from './rasterizer.ts';
import { type Picture, pixelSvgOf } from './svg.ts';

/** Paints a picture whose modules are plain squares. Only the logo takes a rasterizer: it is scaled. */
export function fillFlat(picture: Picture, grid: PixelGrid): Raster {
  const { matrix, layout, design } = picture;
  const { widthPx, pxPerModule, leftPx } = grid;
  const canvas = { widthPx, pixels: new Uint32Array(widthPx * widthPx) };
  canvas.pixels.fill(pixelOf(design.background));

  const [modules, finders] = [design.foreground, design.finderColor ?? design.foreground].map(
    pixelOf,
  );
  const firstPx = leftPx + layout.quietZoneModules * pxPerModule;
  for (let y = 0; y < layout.side; y++) {
    const top = (firstPx + y * pxPerModule) * widthPx;
    for (let x = 0; x < layout.side; x++) {
      const finder = isFinder(layout.side, x, y);
      if (!matrix.isDark(x, y) || (!finder && layout.isCleared(x, y))) continue;
      const start = top + firstPx + x * pxPerModule;
      canvas.pixels.fill((finder ? finders : modules) ?? 0, start, start + pxPerModule);
    }
    for (let row = 1; row < pxPerModule; row++)
      canvas.pixels.copyWithin(top + row * widthPx, top, top + widthPx);
  }
  if (layout.logo !== null) paintLogo(picture, layout.logo, grid, canvas);
  return { widthPx, rgba: new Uint8Array(canvas.pixels.buffer) };
}

/** Pixels as the four bytes that they are in memory: red, green, blue, alpha. */
interface Canvas {
  readonly widthPx: number;
  readonly pixels: Uint32Array;
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
function paintLogo(picture: Picture, logo: Box, grid: PixelGrid, canvas: Canvas): void {
  const { matrix, layout, design } = picture;
  const px = (modules: number) =>
    grid.leftPx + (modules + layout.quietZoneModules) * grid.pxPerModule;
  const [left, right] = [Math.floor(px(logo.x)), Math.ceil(px(logo.x + logo.width))];
  const [top, bottom] = [Math.floor(px(logo.y)), Math.ceil(px(logo.y + logo.height))];
  const isNear = (x: number, y: number) =>
    x > logo.x - 2 && x < logo.x + logo.width + 1 && y > logo.y - 2 && y < logo.y + logo.height + 1;
  const near = {
    side: matrix.side,
    isDark: (x: number, y: number) => isNear(x, y) && matrix.isDark(x, y),
  };
  const widthPx = Math.max(right, bottom);
  const rgba = rasterize(pixelSvgOf({ matrix: near, layout, design }, { ...grid, widthPx }));
  const drawn = new Uint32Array(rgba.buffer, rgba.byteOffset, widthPx * widthPx);
  for (let y = top; y < bottom; y++) {
    const row = drawn.subarray(y * widthPx + left, y * widthPx + right);
    canvas.pixels.set(row, y * canvas.widthPx + left);
  }
}
