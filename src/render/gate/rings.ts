import type { Lookalike } from './lookalikes.ts';
import type { Binary } from './threshold.ts';

/** The middle of an edge that was walked along, in pixels, and the width of a square of its size. */
interface Edge {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
}

/** A square whose edge is on average so far from its middle is so many times as wide. */
const widthPerRadius = 1.74;
/** An edge is ragged that has more pixels for each of its mean distance; those of a square have 8. */
const raggedPerRadius = 12;

/** Around which a dot in a ring is looked for, in modules: the place itself first. */
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
 * The dot in a ring that zxing-cpp takes for the alignment pattern whose middle should be at a point
 * (QRDetector.cpp, LocateAlignmentPattern): it walks along the edge of the nearest dark thing and along
 * the second edge around that one's middle, and asks that both go around and have the same middle.
 *
 * @param centerX where the pattern should be, in pixels
 * @returns null when nothing there is a dot in a ring
 */
export function ringNear(binary: Binary, centerX: number, centerY: number): Lookalike | null {
  const { pxPerModule } = binary;
  const modulePx = Math.floor(pxPerModule) + 1;
  for (const [right, down] of around) {
    const x = Math.floor(centerX + modulePx * aroundModules * right);
    const y = Math.floor(centerY + modulePx * aroundModules * down);
    const thing = edgeAround(binary, x, y, { widthPx: modulePx * 3, nth: 1, goesAround: false });
    if (thing === null || !binary.isDark(thing.x, thing.y)) continue;
    const [middleX, middleY] = [Math.floor(thing.x), Math.floor(thing.y)];
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

interface Wanted {
  /** How wide the thing may be that the edge goes around, about. */
  readonly widthPx: number;
  /** Which of the edges to the right of the middle it is. */
  readonly nth: number;
  /** Whether the edge goes around the middle, and the middle is about its own. */
  readonly goesAround: boolean;
}

/**
 * Walks along an edge, which is on the right hand, until it is back where it began (zxing-cpp,
 * ConcentricFinder.cpp, CenterOfRing).
 *
 * @param middleX where it looks to the right from, in whole pixels
 * @returns null when there is no such edge, or it leads out of the picture or too far
 */
function edgeAround(
  binary: Binary,
  middleX: number,
  middleY: number,
  { widthPx, nth, goesAround }: Wanted,
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

/** The column of the first pixel beyond the nth edge to the right, or null when there is none so near. */
function beyondEdge(
  { isDark, widthPx }: Binary,
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

/** One bit for each of four sides and the four diagonals between them. */
function directionOf(x: number, y: number): number {
  const most = Math.max(Math.abs(x), Math.abs(y));
  return 1 << (4 + Math.trunc(x / most) + 3 * Math.trunc(y / most));
}

/** All but the middle. */
const allDirections = 0b1_1110_1111;
