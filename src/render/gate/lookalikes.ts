import { type Blob, blobAt } from './blobs.ts';
import type { Binary } from './threshold.ts';
import { makeVisitedAnew, type Visited } from './visited.ts';

/** Something that a scanner may take for an alignment pattern, off the pattern's place in modules. */
export interface Lookalike {
  readonly dx: number;
  readonly dy: number;
}

/** ZBar looks so many quarters of a module around a pattern's place … */
const searchQuarters = 7;
/** … and is content with so many wrong modules of 25. */
const toleratedModules = 6;

/** An alignment pattern, row by row, 1 for dark. */
const patternSide = 5;
const pattern = Uint8Array.from([
  1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1,
]);

/**
 * What comes nearest to the pattern's 25 modules, as ZBar (qrdec.c, qr_alignment_pattern_search) looks
 * for it: in ever larger squares around its place, until something better is found no more.
 *
 * @param centerX middle of the pattern's place in pixels; the search stays within the picture
 * @returns null when nothing is like the pattern
 */
export function resemblance(binary: Binary, centerX: number, centerY: number): Lookalike | null {
  const { pxPerModule, widthPx } = binary;
  const columns = placesAround(centerX, pxPerModule);
  const rows = placesAround(centerY, pxPerModule);
  const dark = binary.darkRows(rows[0] ?? 0, rows.at(-1) ?? 0);
  let best: Lookalike | null = null;
  let fewest = toleratedModules + 1;
  for (const [x, y] of spiral) {
    const [left, top] = [(x + searchQuarters) * patternSide, (y + searchQuarters) * patternSide];
    let wrong = 0;
    for (let v = 0; v < patternSide && wrong < fewest; v++) {
      const row = (rows[top + v] ?? 0) * widthPx;
      for (let u = 0; u < patternSide; u++) {
        const isDark = dark[row + (columns[left + u] ?? 0)];
        if (isDark !== pattern[v * patternSide + u]) wrong++;
      }
    }
    if (wrong >= fewest) continue;
    fewest = wrong;
    best = { dx: x / 4, dy: y / 4 };
    if (wrong === 0) break;
  }
  return best;
}

/** For each quarter of a module where a search looks, the pixels of a pattern's five modules there. */
function placesAround(centerPx: number, pxPerModule: number): Int32Array {
  const places = new Int32Array((2 * searchQuarters + 1) * patternSide);
  for (let index = 0; index < places.length; index++) {
    const quarter = Math.floor(index / patternSide) - searchQuarters;
    const module = (index % patternSide) - 2;
    places[index] = Math.floor(centerPx + (quarter * pxPerModule) / 4 + module * pxPerModule);
  }
  return places;
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

/** ZXing looks so far around a pattern's place for a dot in a ring, in modules: 2.25, and one more. */
const dotReachModules = 3.25;
/** Sizes of dot and ring that it follows, in modules; in the pattern itself they are 1 and 3. */
const [dotModules, ringModules] = [2.25, 6.25] as const;

/** One search follows the other, and each would take more time for new sets than to fill them. */
const pixelsSeen = makeVisitedAnew();
const pixelsSeenOfRing = makeVisitedAnew();

/**
 * The dark dot in a light ring that is nearest to the pattern's place, for that is all that zxing-cpp
 * and its relatives (QRDetector.cpp, LocateAlignmentPattern) ask of an alignment pattern: the finder
 * patterns of a small code in a logo are of that kind.
 */
export function nearestRing(binary: Binary, centerX: number, centerY: number): Lookalike | null {
  const { pxPerModule, widthPx } = binary;
  const reach = dotReachModules * pxPerModule;
  const [dotPx, ringPx] = [dotModules * pxPerModule, ringModules * pxPerModule];
  const seen = pixelsSeen(0, widthPx * widthPx);
  let seenOfRing: Visited | null = null;
  let nearest: Lookalike | null = null;
  for (let y = Math.floor(centerY - reach); y <= centerY + reach; y++) {
    for (let x = Math.floor(centerX - reach); x <= centerX + reach; x++) {
      if (seen.has(y * widthPx + x) || !binary.isDark(x, y)) continue;
      const dot = blobAt(binary, x, y, dotPx, seen);
      if (dot === null) continue;
      seenOfRing ??= visitedAround(widthPx, ringPx);
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
  return pixelsSeenOfRing(-beyondPx * (widthPx + 1), (widthPx + beyondPx) * (widthPx + 1));
}

function surrounds(outer: Blob, inner: Blob): boolean {
  return (
    outer.left < inner.left &&
    outer.right > inner.right &&
    outer.top < inner.top &&
    outer.bottom > inner.bottom
  );
}
