import type { Logo } from '../../core/designs/design.ts';
import { reducedLogo } from '../logo/decoded.ts';
import { boxFilter, resample } from '../logo/resample.ts';
import type { Box, Layout } from '../symbol/layout.ts';
import { fill, flatten } from './coverage.ts';
import { indexPixels } from './palette.ts';
import type { Picture } from './picture.ts';
import { pathOf } from './shapes.ts';

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
  /** Left edge of the picture's modules, and the upper one. The background fills the whole canvas. */
  readonly leftPx: number;
  /** Upper edge where it is another one. */
  readonly topPx?: number;
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
export function rasterize(picture: Picture, canvas: PixelGrid): IndexedRaster | RgbaRaster {
  const { layout, design } = picture;
  const grid = gridOfSymbol(layout, canvas);
  const modules = rasterizeModules(picture, grid);
  if (layout.logo === null || design.logo === null) return modules;
  const { widthPx, indexes, colors } = modules;
  const box = boxPx(layout, layout.logo, grid);
  const top = Math.floor(box.y);
  const rows = indexes.subarray(top * widthPx, Math.ceil(box.y + box.height) * widthPx);
  const pixels = lookUp(rows, colors);
  const inRows = { ...box, y: box.y - top };
  compositeLogo(new Uint8Array(pixels.buffer), widthPx, design.logo, inRows);
  const indexed = indexPixels(pixels, colors);
  if (indexed === null) {
    const all = lookUp(indexes, colors);
    all.set(pixels, top * widthPx);
    return { widthPx, rgba: new Uint8Array(all.buffer) };
  }
  rows.set(indexed.indexes);
  return { widthPx, indexes, colors: indexed.colors };
}

/** Returns the grid whose corner is that of the quiet zone. */
function gridOfSymbol({ origin }: Layout, grid: PixelGrid): PixelGrid {
  const { leftPx, pxPerModule } = grid;
  return {
    ...grid,
    leftPx: leftPx + origin.x * pxPerModule,
    topPx: leftPx + origin.y * pxPerModule,
  };
}

/** Steps of coverage between background and shape: 16 colours fit into four bits of a PNG. */
const coverageSteps = 15;

/** Rasterizes everything but the logo. */
export function rasterizeModules(
  { design, fills, caption }: Pick<Picture, 'design' | 'fills' | 'caption'>,
  { widthPx, pxPerModule, leftPx, topPx = leftPx }: PixelGrid,
): IndexedRaster {
  const background = parseColor(design.background);
  const colors = [background];
  const indexes = new Uint8Array(widthPx * widthPx);
  const shapes = fills.map((shape) => ({ color: shape.color, path: pathOf(shape) }));
  if (caption !== undefined) shapes.push({ color: design.foreground, path: caption });
  for (const [order, shape] of shapes.entries()) {
    const foreground = parseColor(shape.color);
    const indexOf = new Uint8Array(coverageSteps + 1);
    fill(flatten(shape.path, pxPerModule, leftPx, topPx), widthPx, (y, coverage, isRepeated) => {
      const start = y * widthPx;
      // A later fill must keep what an earlier one drew in this row.
      if (isRepeated && order === 0) {
        indexes.copyWithin(start, start - widthPx, start);
        return;
      }
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
  const { widthPx, indexes, colors } = raster;
  return { widthPx, rgba: new Uint8Array(lookUp(indexes, colors).buffer) };
}

/** Replaces indexes by their colours. */
function lookUp(indexes: Uint8Array, colors: readonly number[]): Int32Array {
  const palette = Int32Array.from(colors);
  const pixels = new Int32Array(indexes.length);
  for (let at = 0; at < pixels.length; at++) pixels[at] = palette[indexes[at] ?? 0] ?? 0;
  return pixels;
}

/**
 * Resamples a logo to a box and composites it onto a raster.
 *
 * @param rgba opaque pixels, `widthPx` a row; changed in place
 * @param box position of the logo in pixels, not necessarily whole ones
 */
export function compositeLogo(rgba: Uint8Array, widthPx: number, logo: Logo, box: Box): void {
  const heightPx = rgba.length / 4 / widthPx;
  const source = reducedLogo(logo, Math.max(box.width, box.height));
  const columns = boxFilter(source.widthPx, box.x, box.width, widthPx);
  const rows = boxFilter(source.heightPx, box.y, box.height, heightPx);
  const drawn = resample(source, columns, rows);
  let from = 0;
  for (let y = rows.first; y < rows.first + drawn.heightPx; y++) {
    const start = (y * widthPx + columns.first) * 4;
    for (let at = start; at < start + drawn.widthPx * 4; at += 4, from += 4) {
      const behind = 1 - (drawn.values[from + 3] ?? 0) / 255;
      for (let channel = 0; channel < 3; channel++)
        rgba[at + channel] = Math.round(
          (drawn.values[from + channel] ?? 0) + (rgba[at + channel] ?? 0) * behind,
        );
    }
  }
}

/** Converts a box in modules from the symbol's corner to pixels. */
export function boxPx(layout: Layout, box: Box, grid: PixelGrid): Box {
  const { leftPx, topPx = leftPx, pxPerModule } = grid;
  return {
    x: leftPx + (box.x + layout.quietZoneModules) * pxPerModule,
    y: topPx + (box.y + layout.quietZoneModules) * pxPerModule,
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
