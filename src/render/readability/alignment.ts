import type { Logo } from '../../core/designs/design.ts';
import { type Picture, totalModules } from '../path/picture.ts';
import { boxPx, compositeLogo, type PixelGrid, rasterizeModules, toRgba } from '../path/raster.ts';
import { innerAlignmentCenters } from '../symbol/codewords.ts';
import type { Layout } from '../symbol/layout.ts';
import { lightOf } from './light.ts';
import { type BinaryImage, binarize, windowsPerWidth } from './threshold.ts';

/*
 * From version 7 on a logo hides alignment patterns. Scanners read such codes, unless a part of the logo
 * looks like an alignment pattern: then they distort their sampling grid and misread the modules there.
 */

/** Modules of an alignment pattern, row by row, 1 for dark. */
const pattern = Uint8Array.from([
  1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1,
]);
const patternSide = 5;

/** Wrong modules of 25 up to which ZBar accepts a match. */
export const toleratedModules = 6;

/** Margin of a picture without any match. */
const bestMargin = pattern.length;

/** Reach and steps of ZBar's search around the pattern's position, in modules. */
const searchModules = 1.75;
const zbarStepModules = 0.25;

/** ZBar's grid is imprecise: a match between its steps counts as well, with one wrong module more. */
const searchStepModules = zbarStepModules / 2;

/** Offset of a match, in modules, up to which scanners read the code. */
const harmlessModules = 0.56;

/** Widths of PNGs in pixels: small, for a web page, and the default. */
const pngWidths = [256, 512, 1024] as const;

/** Pixels per module from which small finder patterns are visible. */
const sharpPxPerModule = 6;

/**
 * Returns the alignment margin of a picture with another logo placement.
 * The number of wrong modules in the best false match.
 *
 * @param layout differs from the picture's in the logo's box only
 * @param atLeast the search stops below this margin
 */
export type AlignmentMargin = (layout: Layout, atLeast: number) => number;

/** Creates a function that measures the alignment margin of a picture in the sizes of common downloads. */
export function createAlignmentMargin(picture: Picture): AlignmentMargin {
  const { layout, design } = picture;
  const { logo } = design;
  const centers = innerAlignmentCenters(layout.side);
  if (logo === null || centers.length === 0) return () => bestMargin;
  const views = viewsOf(picture, centers);
  const sharp = views.find(({ grid }) => grid.pxPerModule >= sharpPxPerModule) ?? views[0];
  if (sharp !== undefined && hasSmallFinderPattern(viewed(sharp, layout, logo))) return () => 0;
  return (placed, atLeast) => {
    let margin = bestMargin;
    for (const view of views) {
      const { grid } = view;
      const binary = viewed(view, placed, logo);
      const toPx = (module: number) =>
        (module + layout.quietZoneModules + 0.5) * grid.pxPerModule + grid.leftPx;
      for (const column of centers) {
        for (const row of centers) {
          margin = Math.min(margin, marginAt(binary, toPx(column), toPx(row)));
          if (margin < atLeast) return margin;
        }
      }
    }
    return margin;
  };
}

/** The center of a picture in one size, without the logo. */
interface View {
  readonly grid: PixelGrid;
  readonly modules: Uint8Array;
  /** Side of the window of ZBar's local threshold. */
  readonly windowPx: number;
}

/** Returns the views of a picture, the smallest first. */
function viewsOf(picture: Picture, centers: readonly number[]): View[] {
  const { layout } = picture;
  const total = totalModules(layout);
  const pngs = pngWidths.map((widthPx) => Math.floor(widthPx / total));
  // An SVG on a screen has seldom whole modules, and an even or an odd width.
  const evenPx = (pxPerModule: number) => 2 * Math.round((total * pxPerModule) / 2);
  return [...pngs, evenPx(6.4) / total, (evenPx(5.3) + 1) / total]
    .filter((pxPerModule) => pxPerModule > 1)
    .sort((a, b) => a - b)
    .map((pxPerModule) => {
      const windowPx = windowPxOf(total * pxPerModule);
      // The threshold of the outermost pixels in the search depends on half a window more.
      const margin = searchModules + patternSide / 2 + windowPx / pxPerModule / 2 + 1;
      const first = Math.max(0, Math.floor((centers[0] ?? 0) - margin));
      const last = Math.min(layout.side, Math.ceil((centers.at(-1) ?? 0) + 1 + margin));
      const grid = {
        widthPx: Math.ceil((last - first) * pxPerModule),
        pxPerModule,
        leftPx: -Math.round((first + layout.quietZoneModules) * pxPerModule),
      };
      return { grid, modules: toRgba(rasterizeModules(picture, grid)).rgba, windowPx };
    });
}

/** Draws the logo into a view and applies the threshold. */
function viewed({ grid, modules, windowPx }: View, layout: Layout, logo: Logo): BinaryImage {
  const rgba = modules.slice();
  if (layout.logo !== null) {
    compositeLogo(rgba, grid.widthPx, logo, boxPx(layout, layout.logo, grid));
  }
  return binarize(lightOf({ rgba, widthPx: grid.widthPx }, grid.pxPerModule), windowPx);
}

/** Returns ZBar's window: the power of two from 16 to 256 that is an eighth of the width or more. */
function windowPxOf(widthPx: number): number {
  return 2 ** Math.min(8, Math.max(4, Math.ceil(Math.log2(widthPx / windowsPerWidth))));
}

/** Returns the margin around one hidden pattern, whose center is at a point in pixels. */
function marginAt(binary: BinaryImage, centerX: number, centerY: number): number {
  const { pxPerModule } = binary;
  let near = bestMargin;
  let far = bestMargin;
  for (let dy = -searchModules; dy <= searchModules; dy += searchStepModules) {
    for (let dx = -searchModules; dx <= searchModules; dx += searchStepModules) {
      const isBetween = dx % zbarStepModules !== 0 || dy % zbarStepModules !== 0;
      const wrong =
        wrongModules(binary, centerX + dx * pxPerModule, centerY + dy * pxPerModule) +
        (isBetween ? 1 : 0);
      if (Math.hypot(dx, dy) <= harmlessModules) near = Math.min(near, wrong);
      else far = Math.min(far, wrong);
    }
  }
  // Scanners prefer the better match, which may be another one in another size.
  return near <= toleratedModules && near < far ? Math.max(far, toleratedModules + 1) : far;
}

/** Counts the modules around a point that differ from the pattern. */
function wrongModules({ dark, widthPx, pxPerModule }: BinaryImage, x: number, y: number): number {
  let wrong = 0;
  for (let v = 0; v < patternSide; v++) {
    const row = Math.floor(y + (v - 2) * pxPerModule) * widthPx;
    for (let u = 0; u < patternSide; u++) {
      const isDark = dark[row + Math.floor(x + (u - 2) * pxPerModule)];
      if (isDark !== pattern[v * patternSide + u]) wrong++;
    }
  }
  return wrong;
}

/** Widths of the runs along a line through a finder pattern, in units (ISO/IEC 18004, 6.3.3). */
const finderRuns = [1, 1, 3, 1, 1] as const;

/**
 * Returns whether a picture contains a finder pattern with a center of at most three modules, which
 * zxing-cpp takes for an alignment pattern even from several modules away.
 */
function hasSmallFinderPattern(binary: BinaryImage): boolean {
  return binary.dark.some(
    (isDark, at) =>
      isDark === 1 && isFinderLine(binary, at, 1) && isFinderLine(binary, at, binary.widthPx),
  );
}

/** @param step distance of neighboring pixels along the line */
function isFinderLine({ dark, pxPerModule }: BinaryImage, at: number, step: number): boolean {
  const before = runsFrom(dark, at, -step);
  const after = runsFrom(dark, at, step);
  const runs = [before[2], before[1], before[0] + after[0] - 1, after[1], after[2]];
  const unit = runs.reduce((sum, run) => sum + run, 0) / 7;
  return (
    unit <= pxPerModule &&
    runs.every((run, index) => Math.abs(run - (finderRuns[index] ?? 0) * unit) <= unit / 2)
  );
}

/** Returns the lengths of the first three runs of equal pixels from a pixel on, which is included. */
function runsFrom(dark: Uint8Array, start: number, step: number): [number, number, number] {
  const runs: [number, number, number] = [0, 0, 0];
  let at = start;
  for (const [index, value] of [1, 0, 1].entries()) {
    const first = at;
    while (dark[at] === value) at += step;
    runs[index] = (at - first) / step;
  }
  return runs;
}
