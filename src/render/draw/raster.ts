import type { Box, Layout } from '../symbol/layout.ts';
import { fill, flatten } from './coverage.ts';
import { compositeLogo } from './logo.ts';
import { indexPixels } from './palette.ts';
import { type Picture, totalModules } from './svg.ts';

/** A square raster in RGBA, row by row. Alpha is always 255. */
export interface RgbaRaster {
  readonly widthPx: number;
  readonly rgba: Uint8Array;
}

/** A square raster of at most 256 colours, row by row. */
export interface IndexedRaster {
  readonly widthPx: number;
  readonly indexes: Uint8Array;
  /** Colours by index: red, green, blue and alpha as the bytes of a number, red lowest. */
  readonly colors: readonly number[];
}

/** Position of modules on a square canvas. */
export interface PixelGrid {
  readonly widthPx: number;
  readonly pxPerModule: number;
  /** Left and top edge of the quiet zone. The background fills the whole canvas. */
  readonly leftPx: number;
}

/** Half-open ranges of columns and rows. */
export interface PixelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the grid of a picture with whole pixels per module; the remainder widens the quiet zone.
 *
 * @throws RangeError when there are more modules than pixels
 */
export function pixelGrid(modules: number, widthPx: number): PixelGrid {
  const pxPerModule = Math.floor(widthPx / modules);
  if (pxPerModule < 1) throw new RangeError(`${widthPx} pixels are too few for ${modules} modules`);
  return { widthPx, pxPerModule, leftPx: (widthPx - modules * pxPerModule) >> 1 };
}

/** Rasterizes a picture. Falls back to RGBA when the logo brings too many colours. */
export function rasterize(picture: Picture, grid: PixelGrid): IndexedRaster | RgbaRaster {
  const modules = rasterizeModules(picture, grid);
  const { layout, design } = picture;
  if (layout.logo === null || design.logo === null) return modules;
  const logoBox = boxPx(layout, layout.logo, grid);
  const box = touchedBox(logoBox, grid.widthPx);
  const pixels = cut(modules, box);
  const shifted = { ...logoBox, x: logoBox.x - box.left, y: logoBox.y - box.top };
  compositeLogo(new Uint8Array(pixels.buffer), box.right - box.left, design.logo, shifted);
  const { widthPx } = modules;
  const indexed = indexPixels(pixels, modules.colors);
  if (indexed === null) {
    const { rgba } = toRgba(modules);
    paste(new Int32Array(rgba.buffer), widthPx, box, pixels);
    return { widthPx, rgba };
  }
  paste(modules.indexes, widthPx, box, indexed.indexes);
  return { widthPx, indexes: modules.indexes, colors: indexed.colors };
}

/** Rasterizes a whole picture in RGBA, at a whole number of pixels per module. */
export function rasterizeRgba(picture: Picture, pxPerModule: number): RgbaRaster {
  const widthPx = totalModules(picture.layout) * pxPerModule;
  return toRgba(rasterize(picture, { widthPx, pxPerModule, leftPx: 0 }));
}

/** Steps of coverage between background and shape: 16 colours fit into four bits of a PNG. */
const coverageSteps = 15;

/** Rasterizes everything but the logo. */
export function rasterizeModules(
  { design, fills }: Picture,
  { widthPx, pxPerModule, leftPx }: PixelGrid,
): IndexedRaster {
  const background = parseColor(design.background);
  const colors = [background];
  const indexes = new Uint8Array(widthPx * widthPx);
  for (const { color, path } of fills) {
    const foreground = parseColor(color);
    const indexOf = new Uint8Array(coverageSteps + 1);
    fill(flatten(path, pxPerModule, leftPx), widthPx, (y, coverage) => {
      const start = y * widthPx;
      for (let x = 0; x < widthPx; x++) {
        const step = Math.round((coverage[x] ?? 0) * coverageSteps);
        if (step === 0) continue;
        if (indexOf[step] === 0)
          indexOf[step] = colors.push(mix(background, foreground, step / coverageSteps)) - 1;
        indexes[start + x] = indexOf[step] ?? 0;
      }
    });
  }
  return { widthPx, indexes, colors };
}

/** Converts a raster to RGBA. */
export function toRgba(raster: IndexedRaster | RgbaRaster): RgbaRaster {
  if ('rgba' in raster) return raster;
  const { widthPx } = raster;
  const all = { left: 0, right: widthPx, top: 0, bottom: widthPx };
  return { widthPx, rgba: new Uint8Array(cut(raster, all).buffer) };
}

/** Returns the colours of a box, row by row. */
function cut({ widthPx, indexes, colors }: IndexedRaster, box: PixelBox): Int32Array {
  const palette = Int32Array.from(colors);
  const width = box.right - box.left;
  const pixels = new Int32Array(width * (box.bottom - box.top));
  let to = 0;
  for (let y = box.top; y < box.bottom; y++)
    for (let at = y * widthPx + box.left; at < y * widthPx + box.right; at++)
      pixels[to++] = palette[indexes[at] ?? 0] ?? 0;
  return pixels;
}

/** Replaces the pixels of a box. */
function paste<T extends Uint8Array | Int32Array>(
  to: T,
  widthPx: number,
  { left, right, top, bottom }: PixelBox,
  pixels: T,
): void {
  const width = right - left;
  for (let y = top; y < bottom; y++) {
    const start = (y - top) * width;
    to.set(pixels.subarray(start, start + width), y * widthPx + left);
  }
}

/** Returns the pixels that a box touches on a square canvas. */
export function touchedBox({ x, y, width, height }: Box, canvasPx: number): PixelBox {
  const within = (px: number) => Math.min(Math.max(px, 0), canvasPx);
  return {
    left: within(Math.floor(x)),
    right: within(Math.ceil(x + width)),
    top: within(Math.floor(y)),
    bottom: within(Math.ceil(y + height)),
  };
}

/** Converts a box in modules from the symbol's corner to pixels. */
export function boxPx(layout: Layout, box: Box, { leftPx, pxPerModule }: PixelGrid): Box {
  return {
    x: leftPx + (box.x + layout.quietZoneModules) * pxPerModule,
    y: leftPx + (box.y + layout.quietZoneModules) * pxPerModule,
    width: box.width * pxPerModule,
    height: box.height * pxPerModule,
  };
}

/** Parses `#rrggbb` to an opaque colour. */
function parseColor(color: string): number {
  const bytes = Uint8Array.fromHex(`${color.slice(1)}ff`);
  return new Int32Array(bytes.buffer)[0] ?? 0;
}

/** Mixes two opaque colours, channel by channel. */
function mix(from: number, to: number, part: number): number {
  const channel = (shift: number) => {
    const [start, end] = [(from >> shift) & 255, (to >> shift) & 255];
    return Math.round(start + (end - start) * part) << shift;
  };
  return channel(0) | channel(8) | channel(16) | (255 << 24);
}
