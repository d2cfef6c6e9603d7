import { rasterize } from '../rasterizer.ts';
import { type Picture, pixelSvgOf, totalModules } from '../svg.ts';
import { nearestRing, resemblance } from './lookalikes.ts';
import { hiddenCenters } from './placement.ts';
import { withSmallLogo } from './small-logo.ts';
import { type Binary, binaryOf } from './threshold.ts';

/**
 * From version 7 on a logo hides alignment patterns, and a piece of it that scanners take for one bends
 * their grid (bent-grid.ts). Whether they do depends on single pixels, so this looks at the pictures
 * that people download, each at its own pixels.
 */

/** A picture as it is downloaded: pixels a module, and the window that ZBar compares a pixel with. */
interface View {
  readonly pxPerModule: number;
  readonly windowPx: number;
}

/** Widths of PNGs in pixels: small, for a web page, and as it comes. */
const pngWidths = [256, 512, 1024] as const;

/** Pixels a module of the SVG on a screen: seldom whole, so that edges blur. */
const svgPxPerModule = 6.4;

/** A pattern that is found this near to its place, in modules, bends no grid by much. */
const harmlessModules = 0.5;

/** Where scanners look for a pattern, in modules off its place: their own grid is never quite exact. */
const offGridModules = [0.1, -0.1, 0.3, -0.3] as const;
const beginnings: readonly (readonly [number, number])[] = [
  [0, 0],
  ...offGridModules.flatMap((off): [number, number][] => [
    [off, 0],
    [0, off],
  ]),
];

/** The steadiness of a picture that misleads no scanner, wherever its search begins. */
export const fullySteady = beginnings.length;

/** Modules around a pattern's place that a scanner's search and its templates reach. */
const reachModules = 4.5;

/**
 * In how many of the places where scanners begin to look for a hidden alignment pattern they find none,
 * or one in place, whichever picture they look at.
 *
 * @param atLeast what is worth knowing; less is null
 * @returns null also for a picture that misleads even scanners whose grid is exact
 */
export function steadinessOf(picture: Picture, atLeast = 1): number | null {
  const { design, layout } = picture;
  const centers = hiddenCenters(layout.side);
  if (design.logo === null || centers.length === 0) return fullySteady;
  let harmless = beginnings;
  for (const view of viewsOf(totalModules(layout))) {
    const { binary, toPx } = middleOf(picture, view);
    for (const column of centers) {
      for (const row of centers) {
        const [x, y] = [toPx(column), toPx(row)];
        harmless = harmless.filter((beginning) => isHarmless(binary, x, y, beginning));
        if (harmless[0] !== beginnings[0] || harmless.length < atLeast) return null;
        const ring = nearestRing(binary, x, y);
        if (ring !== null && Math.hypot(ring.dx, ring.dy) > harmlessModules) return null;
      }
    }
  }
  return harmless.length;
}

/** Whether a search that begins so far off a pattern's place finds nothing, or something in place. */
function isHarmless(
  binary: Binary,
  x: number,
  y: number,
  [right, down]: readonly [number, number],
): boolean {
  const { pxPerModule } = binary;
  const piece = resemblance(binary, x + right * pxPerModule, y + down * pxPerModule);
  if (piece === null) return true;
  return Math.max(Math.abs(piece.dx + right), Math.abs(piece.dy + down)) <= harmlessModules;
}

/** The smallest first: they take the least to draw. */
function viewsOf(modules: number): View[] {
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

/** The middle of a view in black and white, as far as a scanner's search for hidden patterns reaches. */
function middleOf(picture: Picture, { pxPerModule, windowPx }: View) {
  const { layout, matrix } = picture;
  const centers = hiddenCenters(layout.side);
  const margin = reachModules + windowPx / pxPerModule / 2 + 1;
  const first = Math.max(0, Math.floor((centers[0] ?? 0) - margin));
  const last = Math.min(layout.side, Math.ceil((centers.at(-1) ?? 0) + 1 + margin));
  const isInside = (place: number) => place >= first && place < last;
  const near = {
    side: matrix.side,
    isDark: (x: number, y: number) => isInside(x) && isInside(y) && matrix.isDark(x, y),
  };
  const leftPx = -Math.round((first + layout.quietZoneModules) * pxPerModule);
  const widthPx = Math.ceil((last - first) * pxPerModule);
  const drawing = { ...withSmallLogo(picture, pxPerModule), matrix: near };
  const rgba = rasterize(pixelSvgOf(drawing, { widthPx, pxPerModule, leftPx }));
  const binary = binaryOf({ widthPx, rgba }, pxPerModule, windowPx);
  const toPx = (module: number) => (module + layout.quietZoneModules + 0.5) * pxPerModule + leftPx;
  return { binary, toPx };
}
