import { compositeLogo } from '../draw/logo.ts';
import { boxPx, type PixelBox, rasterizeModules, toRgba, touchedBox } from '../draw/raster.ts';
import { type Picture, totalModules } from '../draw/svg.ts';
import type { Layout } from '../symbol/layout.ts';
import { createBinarizer } from './changed-box.ts';
import { hiddenCenters } from './placement.ts';
import { lumaCodesOf, setLumaCodes } from './reflectance.ts';
import { type Binary, windowsPerWidth } from './threshold.ts';

/** A picture as it is downloaded: pixels a module, and the window that ZBar compares a pixel with. */
export interface View {
  readonly pxPerModule: number;
  readonly windowPx: number;
}

/** Widths of PNGs in pixels: small, for a web page, and as it comes. */
const pngWidths = [256, 512, 1024] as const;

/**
 * Pixels a module of the SVG on a screen, about: seldom whole, so that edges blur. The width is whole,
 * once even and once odd, so that its middle lies between two pixels and within one.
 */
const svgPxPerModules = [6.4, 5.3] as const;

/** Modules around a pattern's place that a scanner's search and its templates reach. */
const reachModules = 4.5;

/** All views of a symbol, the smallest first: they take the least to draw. */
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

/** ZBar's window (binarize.c): the power of two from 16 to 256 that is an eighth of the width or more. */
function windowPxOf(widthPx: number): number {
  return 2 ** Math.min(8, Math.max(4, Math.ceil(Math.log2(widthPx / windowsPerWidth))));
}

/** The middle of a view, as far as a scanner's search for hidden patterns reaches. */
export interface Middle {
  /** Where the middle of a module lies, in pixels. */
  toPx(module: number): number;
  /** The middle in black and white, with the logo as a layout places it, until the next is asked for. */
  inBlackAndWhite(layout: Layout): Binary;
}

/**
 * Draws the modules once, and the logo anew for each layout.
 *
 * @param picture with a logo; layouts may differ from its own in where the logo is, and in nothing else
 */
export function middleOf(picture: Picture, { pxPerModule, windowPx }: View): Middle {
  const { layout } = picture;
  const { logo } = picture.design;
  const { grid, isInside } = regionOf(layout, { pxPerModule, windowPx });
  const near = {
    side: layout.side,
    isDark: (x: number, y: number) => isInside(x) && isInside(y) && picture.matrix.isDark(x, y),
  };
  const bare = { ...picture, matrix: near, layout: { ...layout, logo: null } };
  const modules = toRgba(rasterizeModules(bare, grid)).rgba;
  const modulesCodes = lumaCodesOf({ widthPx: grid.widthPx, rgba: modules });
  const rgba = modules.slice();
  const codes = modulesCodes.slice();
  const binaryOf = createBinarizer(modulesCodes, grid, windowPx);
  let changed: PixelBox = { left: 0, right: 0, top: 0, bottom: 0 };
  const restore = () => {
    for (let y = changed.top; y < changed.bottom; y++) {
      const [from, to] = [y * grid.widthPx + changed.left, y * grid.widthPx + changed.right];
      rgba.set(modules.subarray(from * 4, to * 4), from * 4);
      codes.set(modulesCodes.subarray(from, to), from);
    }
  };
  return {
    toPx: (module) => (module + layout.quietZoneModules + 0.5) * pxPerModule + grid.leftPx,
    inBlackAndWhite(drawn) {
      restore();
      if (logo !== null && drawn.logo !== null) {
        const box = boxPx(layout, drawn.logo, grid);
        compositeLogo(rgba, grid.widthPx, logo, box);
        changed = touchedBox(box, grid.widthPx);
        setLumaCodes(codes, { widthPx: grid.widthPx, rgba }, changed);
      }
      return binaryOf(codes, changed);
    },
  };
}

/** The pixels of the middle, and whether a column or row of modules is in it. */
function regionOf(layout: Layout, { pxPerModule, windowPx }: View) {
  const centers = hiddenCenters(layout.side);
  const margin = reachModules + windowPx / pxPerModule / 2 + 1;
  const first = Math.max(0, Math.floor((centers[0] ?? 0) - margin));
  const last = Math.min(layout.side, Math.ceil((centers.at(-1) ?? 0) + 1 + margin));
  const leftPx = -Math.round((first + layout.quietZoneModules) * pxPerModule);
  const widthPx = Math.ceil((last - first) * pxPerModule);
  const isInside = (place: number) => place >= first && place < last;
  return { grid: { widthPx, pxPerModule, leftPx }, isInside };
}
