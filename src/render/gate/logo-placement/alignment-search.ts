import type { BinaryImage } from '../threshold.ts';

/** Something that a scanner may take for an alignment pattern. */
export interface FalsePattern {
  /** Offset from the pattern's position, in modules. */
  readonly dx: number;
  readonly dy: number;
}

/** ZBar searches this many quarters of a module around the position of a pattern … */
const searchQuarters = 7;
/** … and tolerates this many wrong modules of 25. */
export const toleratedModules = 6;
/** In a picture of another size a module more or less may be wrong. */
const modulesInDoubt = 1;

/** An alignment pattern, row by row, 1 for dark. */
const patternSide = 5;
const pattern = Uint8Array.from([
  1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1,
]);

/** Result of a search for an alignment pattern. */
export interface Search {
  /** Wrong modules, of 25, of the best match. */
  readonly wrongModules: number;
  /** All matches that are as good, in ZBar's order: it takes the first. */
  readonly found: readonly FalsePattern[];
}

/**
 * Searches an alignment pattern as ZBar does (qrdec.c, qr_alignment_pattern_search): in growing squares
 * around its position. Finds matches with up to one wrong module more than ZBar tolerates.
 *
 * @param centerX center of the pattern's position, in pixels
 */
export function searchAlignmentPattern(
  binary: BinaryImage,
  centerX: number,
  centerY: number,
): Search {
  const { pxPerModule, widthPx } = binary;
  const columns = placesAround(centerX, pxPerModule);
  const rows = placesAround(centerY, pxPerModule);
  const dark = binary.darkRows(rows[0] ?? 0, rows.at(-1) ?? 0);
  const found: FalsePattern[] = [];
  let fewest = toleratedModules + modulesInDoubt;
  for (const [x, y] of spiral) {
    const [left, top] = [(x + searchQuarters) * patternSide, (y + searchQuarters) * patternSide];
    let wrong = 0;
    for (let v = 0; v < patternSide && wrong <= fewest; v++) {
      const row = (rows[top + v] ?? 0) * widthPx;
      for (let u = 0; u < patternSide; u++) {
        const isDark = dark[row + (columns[left + u] ?? 0)];
        if (isDark !== pattern[v * patternSide + u]) wrong++;
      }
    }
    if (wrong > fewest) continue;
    if (wrong < fewest) found.length = 0;
    fewest = wrong;
    found.push({ dx: x / 4, dy: y / 4 });
  }
  return { wrongModules: fewest, found };
}

/** Returns the pixels of a pattern's five modules for each quarter of a module in the search. */
function placesAround(centerPx: number, pxPerModule: number): Int32Array {
  const places = new Int32Array((2 * searchQuarters + 1) * patternSide);
  for (let index = 0; index < places.length; index++) {
    const quarter = Math.floor(index / patternSide) - searchQuarters;
    const module = (index % patternSide) - 2;
    places[index] = Math.floor(centerPx + (quarter * pxPerModule) / 4 + module * pxPerModule);
  }
  return places;
}

/** The order of the search, in quarters of a module: the first of equal matches counts. */
const spiral: readonly (readonly [number, number])[] = [[0, 0], ...Array.from(squares())];

function* squares(): Generator<[number, number]> {
  for (let ring = 1; ring <= searchQuarters; ring++) {
    let [x, y] = [-ring, -ring];
    // Four sides, each one step short of closing the square, as in ZBar.
    for (const [stepX, stepY] of [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ] as const) {
      for (let step = 0; step < 2 * ring - 1; step++) {
        yield [x, y];
        x += stepX;
        y += stepY;
      }
    }
  }
}

/** Closed edge: its center in pixels, and the width of a square of its size. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
}

/** Width of a square divided by the mean distance of its edge from its center. */
const widthPerRadius = 1.74;
/** Pixels of an edge, divided by its mean distance, above which it is ragged; a square has 8. */
const raggedPerRadius = 12;

/** Distance, in modules, and directions from the position where a dot in a ring is searched. */
const aroundModules = 2.25;
const around = [
  [0, 0],
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

/**
 * Finds the dot in a ring that zxing-cpp takes for the alignment pattern at a position (QRDetector.cpp,
 * LocateAlignmentPattern). It follows the edge of the nearest dark shape and the second edge around
 * that; both must be closed and have the same center.
 *
 * @param centerX center of the pattern's position, in pixels
 */
export function findConcentricPattern(
  binary: BinaryImage,
  centerX: number,
  centerY: number,
): FalsePattern | null {
  const { pxPerModule } = binary;
  const modulePx = Math.floor(pxPerModule) + 1;
  for (const [right, down] of around) {
    const x = Math.floor(centerX + modulePx * aroundModules * right);
    const y = Math.floor(centerY + modulePx * aroundModules * down);
    const shape = edgeAround(binary, x, y, { widthPx: modulePx * 3, nth: 1, goesAround: false });
    if (shape === null || !binary.isDark(shape.x, shape.y)) continue;
    const [middleX, middleY] = [Math.floor(shape.x), Math.floor(shape.y)];
    const inner = { widthPx: modulePx * 2, nth: 1, goesAround: true };
    const dot = edgeAround(binary, middleX, middleY, inner);
    if (dot === null) continue;
    const outer = { widthPx: modulePx * 3, nth: 2, goesAround: true };
    const ring = edgeAround(binary, middleX, middleY, outer);
    if (ring === null || ring.widthPx <= dot.widthPx) continue;
    if (Math.hypot(dot.x - ring.x, dot.y - ring.y) >= Math.floor(modulePx / 2)) continue;
    return {
      dx: ((dot.x + ring.x) / 2 - centerX) / pxPerModule,
      dy: ((dot.y + ring.y) / 2 - centerY) / pxPerModule,
    };
  }
  return null;
}

/** What edge to follow. */
interface EdgeOptions {
  /** Approximate maximum width of the shape inside the edge. */
  readonly widthPx: number;
  /** Index of the edge to the right of the center, from 1. */
  readonly nth: number;
  /** Whether the edge must surround the center and be centered on it. */
  readonly goesAround: boolean;
}

/**
 * Follows an edge, kept on the right hand, back to its start (zxing-cpp, ConcentricFinder.cpp,
 * CenterOfRing).
 *
 * @param middleX center, in whole pixels, from which the edge is searched to the right
 * @returns null when there is no such edge, or it leaves the picture or gets too long
 */
function edgeAround(
  binary: BinaryImage,
  middleX: number,
  middleY: number,
  { widthPx, nth, goesAround }: EdgeOptions,
): Edge | null {
  const { isDark } = binary;
  const isInside = (x: number, y: number) => Math.min(x, y) >= 0 && Math.max(x, y) < binary.widthPx;
  const farthestPx = goesAround ? widthPx + 1 : 2 * widthPx;
  // Half as much again as a square of that width has.
  const mostPixels = 6 * (widthPx + 1);
  const startX = beyondEdge(binary, middleX, middleY, nth, farthestPx);
  if (startX === null) return null;
  const side = isDark(startX, middleY);
  const isBeyond = (x: number, y: number) => !isInside(x, y) || isDark(x, y) !== side;
  let [x, y, stepX, stepY] = [startX, middleY, 0, 1];
  let [sumX, sumY, sumRadius, count, directions] = [0, 0, 0, 0, 0];
  do {
    sumX += x + 0.5;
    sumY += y + 0.5;
    count++;
    directions |= directionOf(x - middleX, y - middleY);
    if (!isBeyond(x - stepY, y + stepX)) [stepX, stepY] = [-stepY, stepX];
    for (let turns = 0; isBeyond(x + stepX, y + stepY); turns++) {
      if (turns === 2) return null;
      [stepX, stepY] = [stepY, -stepX];
    }
    x += stepX;
    y += stepY;
    const radius = Math.hypot(x - middleX, y - middleY) - 0.5;
    sumRadius += radius;
    const isMiddle = x === middleX && y === middleY;
    if (radius > farthestPx || isMiddle || count > mostPixels) return null;
  } while (x !== startX || y !== middleY);
  const edge = { x: sumX / count, y: sumY / count, widthPx: (widthPerRadius * sumRadius) / count };
  if (!goesAround) return edge;
  const moved = Math.hypot(edge.x - middleX, edge.y - middleY);
  const isRagged = count > (raggedPerRadius * sumRadius) / count;
  return directions === allDirections && !isRagged && moved <= widthPx / 2 ? edge : null;
}

/** Returns the column of the first pixel beyond the nth edge to the right, or null. */
function beyondEdge(
  { isDark, widthPx }: BinaryImage,
  x: number,
  y: number,
  nth: number,
  farthestPx: number,
): number | null {
  if (Math.min(x, y) < 0 || Math.max(x, y) >= widthPx) return null;
  let edges = 0;
  const last = Math.min(widthPx - 1, x + farthestPx);
  for (let column = x + 1; column <= last; column++) {
    if (isDark(column, y) !== isDark(column - 1, y)) edges++;
    if (edges === nth) return column;
  }
  return null;
}

/** Returns one bit for each of the eight directions. */
function directionOf(x: number, y: number): number {
  const most = Math.max(Math.abs(x), Math.abs(y));
  return 1 << (4 + Math.trunc(x / most) + 3 * Math.trunc(y / most));
}

/** All eight directions. */
const allDirections = 0b1_1110_1111;
