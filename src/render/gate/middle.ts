import type { Layout } from '../layout.ts';
import { rasterize } from '../rasterizer.ts';
import { type Picture, pixelSvgOf, totalModules, writtenBox } from '../svg.ts';
import { drawLogo } from './logo-brush.ts';
import { hiddenCenters } from './placement.ts';
import { lumaCodesOf, setLumaCodes } from './reflectance.ts';
import { smallTexels } from './small-logo.ts';
import { type Binary, binaryOf } from './threshold.ts';

/** A picture as it is downloaded: pixels a module, and the window that ZBar compares a pixel with. */
export interface View {
  readonly pxPerModule: number;
  readonly windowPx: number;
}

/** Widths of PNGs in pixels: small, for a web page, and as it comes. */
const pngWidths = [256, 512, 1024] as const;

/** Pixels a module of the SVG on a screen: seldom whole, so that edges blur. */
const svgPxPerModule = 6.4;

/** Modules around a pattern's place that a scanner's search and its templates reach. */
const reachModules = 4.5;

/** All views of a symbol, the smallest first: they take the least to draw. */
export function viewsOf(layout: Layout): View[] {
  const modules = totalModules(layout);
  const view = (widthPx: number, pxPerModule: number) => ({
    pxPerModule,
    windowPx: windowPxOf(widthPx),
  });
  const svg = view(modules * svgPxPerModule, svgPxPerModule);
  const pngs = pngWidths.map((widthPx) => view(widthPx, Math.floor(widthPx / modules)));
  return [...pngs, svg]
    .filter(({ pxPerModule }) => pxPerModule > 1)
    .sort((a, b) => a.pxPerModule - b.pxPerModule);
}

/** ZBar's window (binarize.c): the power of two from 16 to 256 that is an eighth of the width or more. */
function windowPxOf(widthPx: number): number {
  return 2 ** Math.min(8, Math.max(4, Math.ceil(Math.log2(widthPx / 8))));
}

/** The middle of a view, as far as a scanner's search for hidden patterns reaches. */
export interface Middle {
  /** Where the middle of a module lies, in pixels. */
  toPx(module: number): number;
  /** The middle in black and white, with the logo as a layout places it. */
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
  const bareSvg = pixelSvgOf({ ...picture, matrix: near, layout: { ...layout, logo: null } }, grid);
  const pixels = rasterize(bareSvg);
  // It may be a Buffer, a slice of which shares its memory instead of copying it.
  const bare = new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.length);
  const bareCodes = lumaCodesOf({ ...grid, rgba: bare });
  return {
    toPx: (module) => (module + layout.quietZoneModules + 0.5) * pxPerModule + grid.leftPx,
    inBlackAndWhite(drawn) {
      const codes = bareCodes.slice();
      if (logo !== null && drawn.logo !== null) {
        const rgba = bare.slice();
        const box = writtenBox(drawn.logo, layout.quietZoneModules);
        const touched = drawLogo(rgba, grid, smallTexels(logo, drawn.logo, pxPerModule), box);
        setLumaCodes(codes, { ...grid, rgba }, touched);
      }
      return binaryOf(codes, grid, windowPx);
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
