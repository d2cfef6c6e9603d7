import type { Binary } from './threshold.ts';
import { makeVisited, type Visited } from './visited.ts';

/** Something that a scanner may take for an alignment pattern, off the pattern's place in modules. */
export interface Lookalike {
  readonly dx: number;
  readonly dy: number;
}

/** ZBar looks so many quarters of a module around a pattern's place … */
const searchQuarters = 7;
/** … and is content with so many wrong modules of 25. */
const toleratedModules = 6;

/**
 * What comes nearest to the pattern's 25 modules, as ZBar (qrdec.c, qr_alignment_pattern_search) looks
 * for it: in ever larger squares around its place, until something better is found no more.
 *
 * @param centerX middle of the pattern's place in pixels
 * @returns null when nothing is like the pattern
 */
export function resemblance(binary: Binary, centerX: number, centerY: number): Lookalike | null {
  const quarter = binary.pxPerModule / 4;
  let best: Lookalike | null = null;
  let fewest = toleratedModules + 1;
  for (const [x, y] of spiral) {
    const wrong = unlike(binary, centerX + x * quarter, centerY + y * quarter);
    if (wrong >= fewest) continue;
    fewest = wrong;
    best = { dx: x / 4, dy: y / 4 };
  }
  return best;
}

/** The order of the search, in quarters of a module: which of two equals comes first decides. */
const spiral: readonly (readonly [number, number])[] = [[0, 0], ...Array.from(squares())];

function* squares(): Generator<[number, number]> {
  for (let ring = 1; ring <= searchQuarters; ring++) {
    let [x, y] = [-ring, -ring];
    // Four sides, each one step too short to close the square; ZBar goes about it the same way.
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

/** Modules of the 5 × 5 around a point that are not as in an alignment pattern; 7 for any more. */
function unlike({ isDark, pxPerModule }: Binary, centerX: number, centerY: number): number {
  let wrong = 0;
  for (let v = -2; v <= 2; v++) {
    for (let u = -2; u <= 2; u++) {
      const dark = Math.max(Math.abs(u), Math.abs(v)) !== 1;
      if (isDark(centerX + u * pxPerModule, centerY + v * pxPerModule) === dark) continue;
      if (++wrong > toleratedModules) return wrong;
    }
  }
  return wrong;
}

/** ZXing looks so far around a pattern's place for a dot in a ring, in modules: 2.25, and one more. */
const dotReachModules = 3.25;
/** Sizes of dot and ring that it follows, in modules; in the pattern itself they are 1 and 3. */
const [dotModules, ringModules] = [2.25, 6.25] as const;

/**
 * The dark dot in a light ring that is nearest to the pattern's place, for that is all that zxing-cpp
 * and its relatives (QRDetector.cpp, LocateAlignmentPattern) ask of an alignment pattern: the finder
 * patterns of a small code in a logo are of that kind.
 */
export function nearestRing(binary: Binary, centerX: number, centerY: number): Lookalike | null {
  const { pxPerModule, widthPx } = binary;
  const reach = dotReachModules * pxPerModule;
  const [dotPx, ringPx] = [dotModules * pxPerModule, ringModules * pxPerModule];
  const seen = makeVisited(0, widthPx * widthPx);
  const seenOfRing = visitedAround(widthPx, ringPx);
  let nearest: Lookalike | null = null;
  for (let y = Math.floor(centerY - reach); y <= centerY + reach; y++) {
    for (let x = Math.floor(centerX - reach); x <= centerX + reach; x++) {
      if (seen.has(y * widthPx + x) || !binary.isDark(x, y)) continue;
      const dot = blobAt(binary, x, y, dotPx, seen);
      if (dot === null) continue;
      seenOfRing.clear();
      const ring = blobAt(binary, dot.beyondX, dot.beyondY, ringPx, seenOfRing);
      if (ring === null || !surrounds(ring, dot)) continue;
      const [dotX, dotY] = [(dot.left + dot.right + 1) / 2, (dot.top + dot.bottom + 1) / 2];
      const [ringX, ringY] = [(ring.left + ring.right + 1) / 2, (ring.top + ring.bottom + 1) / 2];
      if (Math.hypot(dotX - ringX, dotY - ringY) > pxPerModule / 2) continue;
      const [dx, dy] = [(dotX - centerX) / pxPerModule, (dotY - centerY) / pxPerModule];
      if (nearest === null || Math.hypot(dx, dy) < Math.hypot(nearest.dx, nearest.dy)) {
        nearest = { dx, dy };
      }
    }
  }
  return nearest;
}

/** For a blob of light pixels, which may reach out of the picture, where all is light. */
function visitedAround(widthPx: number, limitPx: number): Visited {
  const beyondPx = Math.ceil(limitPx) + 1;
  return makeVisited(-beyondPx * (widthPx + 1), (widthPx + beyondPx) * (widthPx + 1));
}

/** Pixels of one kind that hang together: first and last column and row, and a pixel to its right. */
interface Blob {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly beyondX: number;
  readonly beyondY: number;
}

const besides = [1, 0, -1, 0, 0, 1, 0, -1] as const;
const around = [...besides, 1, 1, 1, -1, -1, 1, -1, -1] as const;

/**
 * The blob that a pixel belongs to, dark ones also over corners. Null when it is larger than a limit
 * in pixels. The pixels that were looked at are added to `seen`.
 */
function blobAt(
  { isDark, widthPx }: Binary,
  startX: number,
  startY: number,
  limitPx: number,
  seen: Visited,
): Blob | null {
  const dark = isDark(startX, startY);
  const steps = dark ? around : besides;
  const waiting = [startX, startY];
  seen.add(startY * widthPx + startX);
  let [left, right, top, bottom, beyondY] = [startX, startX, startY, startY, startY];
  // No lists within the loop: taking them apart would take longer than all the rest.
  while (waiting.length > 0) {
    // Both are there: they are pushed in pairs.
    const y = waiting.pop() ?? 0;
    const x = waiting.pop() ?? 0;
    if (x >= right) beyondY = y;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    if (right - left >= limitPx || bottom - top >= limitPx) return null;
    for (let step = 0; step < steps.length; step += 2) {
      const nextX = x + (steps[step] ?? 0);
      const nextY = y + (steps[step + 1] ?? 0);
      const place = nextY * widthPx + nextX;
      if (seen.has(place) || isDark(nextX, nextY) !== dark) continue;
      seen.add(place);
      waiting.push(nextX, nextY);
    }
  }
  return { left, right, top, bottom, beyondX: right + 1, beyondY };
}

function surrounds(outer: Blob, inner: Blob): boolean {
  return (
    outer.left < inner.left &&
    outer.right > inner.right &&
    outer.top < inner.top &&
    outer.bottom > inner.bottom
  );
}
