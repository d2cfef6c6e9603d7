import type { Binary } from './threshold.ts';

/** Something that a scanner may take for an alignment pattern, off the pattern's place in modules. */
export interface Lookalike {
  readonly dx: number;
  readonly dy: number;
}

/** ZBar looks so many quarters of a module around a pattern's place … */
const searchQuarters = 7;
/** … and is content with so many wrong modules of 25. */
export const toleratedModules = 6;
/** In a picture of another size a module more or less may be wrong. */
const modulesInDoubt = 1;

/** An alignment pattern, row by row, 1 for dark. */
const patternSide = 5;
const pattern = Uint8Array.from([
  1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1,
]);

/** What comes nearest to an alignment pattern around a place. */
export interface Search {
  /** How many of the pattern's 25 modules are wrong. */
  readonly wrongModules: number;
  /** What has so many wrong modules, in the order in which ZBar comes by: it takes the first. */
  readonly found: readonly Lookalike[];
}

/**
 * What comes nearest to the pattern's 25 modules, as ZBar (qrdec.c, qr_alignment_pattern_search) looks
 * for it: in ever larger squares around its place. Nothing is found that has more than a module more
 * wrong than ZBar tolerates.
 *
 * @param centerX middle of the pattern's place in pixels; the search stays within the picture
 */
export function searchAround(binary: Binary, centerX: number, centerY: number): Search {
  const { pxPerModule, widthPx } = binary;
  const columns = placesAround(centerX, pxPerModule);
  const rows = placesAround(centerY, pxPerModule);
  const dark = binary.darkRows(rows[0] ?? 0, rows.at(-1) ?? 0);
  const found: Lookalike[] = [];
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
