import { compositeLogo } from '../../draw/logo.ts';
import {
  boxPx,
  type PixelBox,
  type PixelGrid,
  rasterizeModules,
  toRgba,
  touchedBox,
} from '../../draw/raster.ts';
import { type Picture, totalModules } from '../../draw/svg.ts';
import { innerAlignmentCenters } from '../../symbol/codewords.ts';
import type { Layout } from '../../symbol/layout.ts';
import { lumaOf } from '../light.ts';
import { type BinaryImage, darkByCodes, lazyBinaryImage, windowsPerWidth } from '../threshold.ts';

/** Size at which a picture is downloaded or shown, and the window of ZBar's local threshold there. */
export interface View {
  readonly pxPerModule: number;
  readonly windowPx: number;
}

/** Widths of PNGs in pixels: small, for a web page, and the default. */
const pngWidths = [256, 512, 1024] as const;

/**
 * Approximate pixels a module of the SVG on a screen: seldom whole, so that edges blur. One width is
 * even and one odd, so that the center lies between two pixels and within one.
 */
const svgPxPerModules = [6.4, 5.3] as const;

/** Reach of a scanner's search around a pattern's position, in modules. */
const reachModules = 4.5;

/** Returns all views of a symbol, the cheapest first. */
export function viewsOf(layout: Layout): View[] {
  const modules = totalModules(layout);
  const view = (widthPx: number, pxPerModule: number) => ({
    pxPerModule,
    windowPx: windowPxOf(widthPx),
  });
  const svgs = svgPxPerModules.map((pxPerModule, odd) => {
    const widthPx = 2 * Math.round((modules * pxPerModule) / 2) + odd;
    return view(widthPx, widthPx / modules);
  });
  const pngs = pngWidths.map((widthPx) => view(widthPx, Math.floor(widthPx / modules)));
  return [...pngs, ...svgs]
    .filter(({ pxPerModule }) => pxPerModule > 1)
    .sort((a, b) => a.pxPerModule - b.pxPerModule);
}

/** Returns ZBar's window (binarize.c): the power of two from 16 to 256 that is an eighth of the width or more. */
function windowPxOf(widthPx: number): number {
  return 2 ** Math.min(8, Math.max(4, Math.ceil(Math.log2(widthPx / windowsPerWidth))));
}

/** Center of a view, as far as a scanner's search for hidden patterns reaches. */
export interface CenterCrop {
  /** Returns the center of a module, in pixels. */
  toPx(module: number): number;
  /** Draws the logo as a layout places it and thresholds the crop. Valid until the next call. */
  threshold(layout: Layout): BinaryImage;
}

/**
 * Creates a crop that draws the modules once, and the logo anew for each layout.
 *
 * @param picture with a logo; layouts may differ from its own in where the logo is, and in nothing else
 */
export function createCenterCrop(picture: Picture, { pxPerModule, windowPx }: View): CenterCrop {
  const { layout } = picture;
  const { logo } = picture.design;
  const { grid, isInside } = regionOf(layout, { pxPerModule, windowPx });
  const { widthPx } = grid;
  const near = {
    side: layout.side,
    isDark: (x: number, y: number) => isInside(x) && isInside(y) && picture.matrix.isDark(x, y),
  };
  const bare = { ...picture, matrix: near, layout: { ...layout, logo: null } };
  const modules = toRgba(rasterizeModules(bare, grid)).rgba;
  const modulesLuma = new Uint8Array(widthPx * widthPx);
  setLuma(modulesLuma, modules, widthPx, { left: 0, right: widthPx, top: 0, bottom: widthPx });
  const rgba = modules.slice();
  const luma = modulesLuma.slice();
  const thresholded = createThreshold(modulesLuma, grid, windowPx);
  let changed: PixelBox = { left: 0, right: 0, top: 0, bottom: 0 };
  const eraseLogo = () => {
    for (let y = changed.top; y < changed.bottom; y++) {
      const [from, to] = [y * widthPx + changed.left, y * widthPx + changed.right];
      rgba.set(modules.subarray(from * 4, to * 4), from * 4);
      luma.set(modulesLuma.subarray(from, to), from);
    }
  };
  return {
    toPx: (module) => (module + layout.quietZoneModules + 0.5) * pxPerModule + grid.leftPx,
    threshold(drawn) {
      eraseLogo();
      if (logo !== null && drawn.logo !== null) {
        const box = boxPx(layout, drawn.logo, grid);
        compositeLogo(rgba, widthPx, logo, box);
        changed = touchedBox(box, widthPx);
        setLuma(luma, rgba, widthPx, changed);
      }
      return thresholded(luma, changed);
    },
  };
}

/** Returns the pixels of the crop, and whether a column or row of modules is in it. */
function regionOf(layout: Layout, { pxPerModule, windowPx }: View) {
  const centers = innerAlignmentCenters(layout.side);
  const margin = reachModules + windowPx / pxPerModule / 2 + 1;
  const first = Math.max(0, Math.floor((centers[0] ?? 0) - margin));
  const last = Math.min(layout.side, Math.ceil((centers.at(-1) ?? 0) + 1 + margin));
  const leftPx = -Math.round((first + layout.quietZoneModules) * pxPerModule);
  const widthPx = Math.ceil((last - first) * pxPerModule);
  const isInside = (place: number) => place >= first && place < last;
  return { grid: { widthPx, pxPerModule, leftPx }, isInside };
}

/**
 * Creates a local threshold for pictures that differ from one in a box only. The summed-area table of
 * that one is computed once.
 *
 * @param codes luma of the common picture, 0 to 255, row by row
 * @param windowPx side of the window
 */
function createThreshold(codes: Uint8Array, grid: PixelGrid, windowPx: number) {
  const { widthPx } = grid;
  const all = { left: 0, right: widthPx, top: 0, bottom: widthPx };
  const sums = summed(all, widthPx, codes, new Uint8Array(codes.length));
  const half = Math.round(windowPx / 2);
  const columnSums = new Int32Array(widthPx + 1);
  /** @param changed luma of the other picture, unchanged while the image is in use */
  return (changed: Uint8Array, box: PixelBox): BinaryImage => {
    const changes = summed(box, widthPx, changed, codes);
    const inBox = (row: number) => Math.max(box.top, Math.min(box.bottom, row)) - box.top;
    const stride = box.right - box.left + 1;
    return lazyBinaryImage(grid, (dark, row) => {
      const top = Math.max(0, row - half);
      const bottom = Math.min(widthPx, row + half);
      const [upper, lower] = [top * (widthPx + 1), bottom * (widthPx + 1)];
      const [upperChange, lowerChange] = [inBox(top) * stride, inBox(bottom) * stride];
      for (let column = 0; column <= widthPx; column++) {
        const change = Math.max(0, Math.min(stride - 1, column - box.left));
        columnSums[column] =
          (sums[lower + column] ?? 0) -
          (sums[upper + column] ?? 0) +
          (changes[lowerChange + change] ?? 0) -
          (changes[upperChange + change] ?? 0);
      }
      const start = row * widthPx;
      for (let column = 0; column < widthPx; column++) {
        const left = Math.max(0, column - half);
        const right = Math.min(widthPx, column + half);
        const total = (columnSums[right] ?? 0) - (columnSums[left] ?? 0);
        const pixels = (right - left) * (bottom - top);
        const code = changed[start + column] ?? 0;
        dark[start + column] = (code + darkByCodes) * pixels < total ? 1 : 0;
      }
    });
  };
}

/** Computes the summed-area table of the differences in a box, one row and column longer. */
function summed(
  { left, right, top, bottom }: PixelBox,
  widthPx: number,
  codes: Uint8Array,
  without: Uint8Array,
): Int32Array {
  const stride = right - left + 1;
  const sums = new Int32Array(stride * (bottom - top + 1));
  let at = stride + 1;
  for (let y = top; y < bottom; y++) {
    let row = 0;
    for (let pixel = y * widthPx + left; pixel < y * widthPx + right; pixel++) {
      row += (codes[pixel] ?? 0) - (without[pixel] ?? 0);
      sums[at] = (sums[at - stride] ?? 0) + row;
      at++;
    }
    at++;
  }
  return sums;
}

/** Computes the luma, 0 to 255, of the pixels in a box. */
function setLuma(luma: Uint8Array, rgba: Uint8Array, widthPx: number, box: PixelBox): void {
  const pixels = new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  // Most pixels equal the one before; 0 would be transparent.
  let [color, code] = [0, 0];
  for (let y = box.top; y < box.bottom; y++) {
    for (let at = y * widthPx + box.left; at < y * widthPx + box.right; at++) {
      if (pixels[at] !== color) {
        color = pixels[at] ?? 0;
        const [red, green, blue] = [color & 255, (color >> 8) & 255, (color >> 16) & 255];
        code = Math.round(255 * lumaOf(red, green, blue));
      }
      luma[at] = code;
    }
  }
}
