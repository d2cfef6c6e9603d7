import type { Picture } from '../../draw/svg.ts';
import { innerAlignmentCenters } from '../../symbol/codewords.ts';
import type { Layout } from '../../symbol/layout.ts';
import type { BinaryImage } from '../threshold.ts';
import {
  type FalsePattern,
  findConcentricPattern,
  searchAlignmentPattern,
  toleratedModules,
} from './alignment-search.ts';
import { type CenterCrop, createCenterCrop, viewsOf } from './center-crop.ts';

/*
 * From version 7 on a logo hides alignment patterns. Scanners do without them, but one that searches a
 * pattern may take a part of the logo for it and bend its sampling grid, so that modules beyond the
 * logo are misread. Single pixels decide, so the search runs on the pictures that people download.
 */

/**
 * Offset of a match, in modules, that bends no grid by much. ZBar starts the search for the next two
 * patterns from there, at twice the offset.
 */
const harmlessModules = 0.56;

/** Levels of one search: a false pattern is taken, none is taken … */
const misled = 0;
const harmless = 1;
/** … or none would be if one module more were wrong, as in a picture of another size. */
const surelyHarmless = 2;

/** Where a scanner starts a search, in modules off the pattern's position, and the level it can reach. */
interface SearchStart {
  readonly right: number;
  readonly down: number;
  readonly maxLevel: number;
}

/** A scanner's grid is off by a tenth of a module in downloaded pictures, by more in photographs. */
const searchStarts: readonly SearchStart[] = [
  { right: 0, down: 0, maxLevel: surelyHarmless },
  ...aside(0.1, surelyHarmless),
  ...aside(0.3, harmless),
];

function aside(off: number, maxLevel: number): SearchStart[] {
  return [off, -off].flatMap((by) => [
    { right: by, down: 0, maxLevel },
    { right: 0, down: by, maxLevel },
  ]);
}

/** Stability of a picture that misleads no scanner, wherever its search starts. */
export const fullyStable = stabilityOf(searchStarts.map(({ maxLevel }) => maxLevel));

/** Stability that is good enough when a better placement would visibly differ from the design. */
export const nearlyStable = fullyStable - 4;

/**
 * Returns the sum over all search starts of the lowest level in any view and at any hidden alignment
 * pattern; 0 for a picture that misleads even scanners with an exact grid.
 *
 * @param layout where the logo is drawn; all else is as in the picture
 * @param atLeast bound below which the result may be 0 or null
 */
export type StabilityMeasure = (layout: Layout, atLeast: number) => number | null;

/** Creates a function that measures the stability of a picture for many logo placements. */
export function createStabilityMeasure(picture: Picture): StabilityMeasure {
  const { design, layout } = picture;
  const centers = innerAlignmentCenters(layout.side);
  if (design.logo === null || centers.length === 0) return () => fullyStable;
  const views = viewsOf(layout);
  const crops: CenterCrop[] = [];
  return (layout, atLeast) => {
    const levels = searchStarts.map(({ maxLevel }) => maxLevel);
    for (const [index, view] of views.entries()) {
      const crop = crops[index] ?? createCenterCrop(picture, view);
      crops[index] = crop;
      const binary = crop.threshold(layout);
      const positions = centers.flatMap((column) =>
        centers.map((row) => [crop.toPx(column), crop.toPx(row)] as const),
      );
      for (const [x, y] of positions) {
        if (isMisleading(findConcentricPattern(binary, x, y))) return 0;
        lower(levels, atLeast, (start) => levelAt(binary, x, y, start));
        if (levels[0] === misled) return 0;
        if (stabilityOf(levels) < atLeast) return null;
      }
    }
    return stabilityOf(levels);
  };
}

function stabilityOf(levels: readonly number[]): number {
  return levels.reduce((sum, level) => sum + level, 0);
}

/** Lowers the level of each search start to that at one position, until the sum is out of bounds. */
function lower(levels: number[], atLeast: number, levelOf: (start: SearchStart) => number): void {
  for (const [at, start] of searchStarts.entries()) {
    const known = levels[at] ?? misled;
    if (known !== misled) levels[at] = Math.min(known, levelOf(start));
    if (levels[0] === misled || stabilityOf(levels) < atLeast) return;
  }
}

/** Returns the level of a search that starts a little off a pattern's position (x, y), in pixels. */
function levelAt(binary: BinaryImage, x: number, y: number, { right, down }: SearchStart): number {
  const { pxPerModule } = binary;
  const search = searchAlignmentPattern(binary, x + right * pxPerModule, y + down * pxPerModule);
  const isAside = ({ dx, dy }: FalsePattern) => Math.hypot(dx + right, dy + down) > harmlessModules;
  const [taken] = search.found;
  if (taken === undefined) return surelyHarmless;
  if (search.wrongModules <= toleratedModules && isAside(taken)) return misled;
  return search.found.some(isAside) ? harmless : surelyHarmless;
}

function isMisleading(ring: FalsePattern | null): boolean {
  return ring !== null && Math.hypot(ring.dx, ring.dy) > harmlessModules;
}
