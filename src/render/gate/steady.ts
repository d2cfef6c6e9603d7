import type { Layout } from '../layout.ts';
import type { Picture } from '../svg.ts';
import { nearestRing, resemblance } from './lookalikes.ts';
import { type Middle, middleOf, viewsOf } from './middle.ts';
import { hiddenCenters } from './placement.ts';
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

/** Where scanners look for a pattern, in modules off its place: their own grid is never quite exact. */
const offGridModules = [0.1, -0.1, 0.3, -0.3] as const;
type Beginning = readonly [number, number];
const nearBeginnings: readonly Beginning[] = [
  [0, 0],
  ...offGridModules.flatMap((off): Beginning[] => [
    [off, 0],
    [0, off],
  ]),
];

/**
 * Where ZBar looks in one of five of the smallest pictures, in modules off: the grid that it fits to their
 * few pixels lies too far to the upper right or the lower left (test/bench/readability.md).
 */
const farBeginnings: readonly Beginning[] = [
  [0.3, -0.3],
  [-0.3, 0.3],
  [0.6, -0.6],
  [-0.6, 0.6],
];
const beginnings = [...nearBeginnings, ...farBeginnings];

/** The steadiness of a picture that misleads no scanner, wherever its search begins. */
export const fullySteady = beginnings.length;

/**
 * In how many of the places where scanners begin to look for a hidden alignment pattern they find none,
 * or one in place, whichever picture they look at. 0 for a picture that misleads even scanners whose grid
 * is exact.
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
    const later: Seen[] = [];
    let harmless: readonly Beginning[] = beginnings;
    for (const [index, view] of views.entries()) {
      const middle = middles[index] ?? middleOf(picture, view);
      middles[index] = middle;
      const binary = middle.inBlackAndWhite(layout);
      for (const column of centers) {
        for (const row of centers) {
          const [x, y] = [middle.toPx(column), middle.toPx(row)];
          const place = { binary, x, y, isInSmallest: index === 0 };
          harmless = harmlessOf(harmless, place, atLeast);
          if (harmless.length < atLeast) return harmless.length === 0 ? 0 : null;
          // Most rings that mislead do so in the smallest picture; in the others it takes longer to look for.
          if (index > 0) later.push(place);
          else if (hasRing(place)) return 0;
        }
      }
    }
    return later.some(hasRing) ? 0 : harmless.length;
  };
}

/** The place of a hidden pattern in one of the pictures, in pixels. */
interface Seen {
  readonly binary: Binary;
  readonly x: number;
  readonly y: number;
  readonly isInSmallest: boolean;
}

/** Those of some beginnings from which a search does no harm; none when the first is not among them. */
function harmlessOf(
  some: readonly Beginning[],
  place: Seen,
  atLeast: number,
): readonly Beginning[] {
  const kept: Beginning[] = [];
  for (const [tried, beginning] of some.entries()) {
    if (isHarmless(place, beginning)) kept.push(beginning);
    else if (tried === 0 || kept.length + some.length - tried - 1 < atLeast) return kept;
  }
  return kept;
}

/** Whether a search that begins so far off a pattern's place finds nothing, or something in place. */
function isHarmless({ binary, x, y, isInSmallest }: Seen, beginning: Beginning): boolean {
  if (!isInSmallest && farBeginnings.includes(beginning)) return true;
  const { pxPerModule } = binary;
  const [right, down] = beginning;
  const piece = resemblance(binary, x + right * pxPerModule, y + down * pxPerModule);
  if (piece === null) return true;
  return Math.hypot(piece.dx + right, piece.dy + down) <= harmlessModules;
}

/** Whether scanners that look for rings are misled. */
function hasRing({ binary, x, y }: Seen): boolean {
  const ring = nearestRing(binary, x, y);
  return ring !== null && Math.hypot(ring.dx, ring.dy) > harmlessModules;
}
