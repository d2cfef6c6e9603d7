import type { Picture } from '../draw/svg.ts';
import type { Layout } from '../symbol/layout.ts';
import { type Lookalike, searchAround, toleratedModules } from './lookalikes.ts';
import { type Middle, middleOf, viewsOf } from './middle.ts';
import { hiddenCenters } from './placement.ts';
import { ringNear } from './rings.ts';
import type { Binary } from './threshold.ts';

/**
 * From version 7 on a logo hides alignment patterns. That they are gone does no harm, but scanners that
 * look for one near its place may take a piece of the logo for it and bend their grid to that, so that
 * modules far beyond the logo are read in the wrong place. Whether they do depends on single pixels, so
 * this looks at the pictures that people download, each at its own pixels.
 */

/**
 * A pattern that is found this near to its place, in modules, bends no grid by much. ZBar looks for the
 * next two patterns from there, where it is twice as far off: half a module aside they are still in
 * reach, half a module aside and down no longer.
 */
const harmlessModules = 0.56;

/** How surely a search does no harm. */
const misled = 0;
const harmless = 1;
/** Not even where a module more or less were wrong, as in a picture of another size. */
const surelyHarmless = 2;

/** Where a scanner begins to look for a pattern, in modules off its place, and how surely it may do no harm. */
interface Beginning {
  readonly right: number;
  readonly down: number;
  readonly most: number;
}

/** In the pictures that people download a scanner's own grid is off by a tenth of a module, in photographs by more. */
const beginnings: readonly Beginning[] = [
  { right: 0, down: 0, most: surelyHarmless },
  ...aside(0.1, surelyHarmless),
  ...aside(0.3, harmless),
];

function aside(off: number, most: number): Beginning[] {
  return [off, -off].flatMap((by) => [
    { right: by, down: 0, most },
    { right: 0, down: by, most },
  ]);
}

/** The steadiness of a picture that misleads no scanner, wherever its search begins. */
export const fullySteady = steadinessOf(beginnings.map(({ most }) => most));

/** The steadiness of a picture to which none is preferred that is seen to differ from what is set. */
export const nearlySteady = fullySteady - 4;

/**
 * From how many of the places where scanners begin to look for a hidden alignment pattern they find none,
 * or one in place, whichever picture they look at, and from how many of them they surely do. 0 for a
 * picture that misleads even scanners whose grid is exact.
 *
 * @param layout where the logo is drawn; all else is as in the picture
 * @param atLeast what is worth knowing; less is 0 or null
 */
export type Steadiness = (layout: Layout, atLeast: number) => number | null;

/** Prepares to draw the logo of a picture in many ways, to see how steady each of them is. */
export function steadinessIn(picture: Picture): Steadiness {
  const { design, layout } = picture;
  const centers = hiddenCenters(layout.side);
  if (design.logo === null || centers.length === 0) return () => fullySteady;
  const views = viewsOf(layout);
  const middles: Middle[] = [];
  return (layout, atLeast) => {
    const levels = beginnings.map(({ most }) => most);
    for (const [index, view] of views.entries()) {
      const middle = middles[index] ?? middleOf(picture, view);
      middles[index] = middle;
      const binary = middle.inBlackAndWhite(layout);
      const places = centers.flatMap((column) =>
        centers.map((row) => [middle.toPx(column), middle.toPx(row)] as const),
      );
      for (const [x, y] of places) {
        if (isMisleadingRing(ringNear(binary, x, y))) return 0;
        lower(levels, atLeast, (beginning) => levelAt(binary, x, y, beginning));
        if (levels[0] === misled) return 0;
        if (steadinessOf(levels) < atLeast) return null;
      }
    }
    return steadinessOf(levels);
  };
}

function steadinessOf(levels: readonly number[]): number {
  return levels.reduce((sum, level) => sum + level, 0);
}

/** Lowers how surely each beginning does no harm to what it does in one place, while it is worth knowing. */
function lower(levels: number[], atLeast: number, levelOf: (beginning: Beginning) => number): void {
  for (const [at, beginning] of beginnings.entries()) {
    const known = levels[at] ?? misled;
    if (known !== misled) levels[at] = Math.min(known, levelOf(beginning));
    if (levels[0] === misled || steadinessOf(levels) < atLeast) return;
  }
}

/** What becomes of a search that begins a little off a pattern's place, which is at (x, y) in pixels. */
function levelAt(binary: Binary, x: number, y: number, { right, down }: Beginning): number {
  const { pxPerModule } = binary;
  const search = searchAround(binary, x + right * pxPerModule, y + down * pxPerModule);
  const isAside = ({ dx, dy }: Lookalike) => Math.hypot(dx + right, dy + down) > harmlessModules;
  const [taken] = search.found;
  if (taken === undefined) return surelyHarmless;
  if (search.wrongModules <= toleratedModules && isAside(taken)) return misled;
  return search.found.some(isAside) ? harmless : surelyHarmless;
}

function isMisleadingRing(ring: Lookalike | null): boolean {
  return ring !== null && Math.hypot(ring.dx, ring.dy) > harmlessModules;
}
