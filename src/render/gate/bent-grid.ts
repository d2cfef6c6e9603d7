import type { Matrix } from '../matrix.ts';
import type { Picture } from '../svg.ts';
import { type Damage, damageOf } from './damage.ts';
import { type Lookalike, nearestRing, resemblance } from './lookalikes.ts';
import { alignmentCenters, hiddenCenters, placementOf } from './placement.ts';
import type { LightMap } from './reflectance.ts';
import { type Binary, binarized } from './threshold.ts';

/**
 * From version 7 on an alignment pattern lies under the logo. That it is gone does no harm, but
 * scanners that look for it near its place may take a piece of the logo for it and bend their grid to
 * that, so that modules far beyond the logo are read in the wrong place. This finds such pieces and
 * counts the codewords that the bent grid loses: that of a piece almost in place loses none.
 */

/** Windows of scanners near and far, as the modules that an eighth of the frame spans. */
const windowsModules = [7, 8, 10] as const;

/** The damage done by the worst piece of the logo, or null when there is none. */
export function bentDamage({ design, layout, matrix }: Picture, map: LightMap): Damage | null {
  if (design.logo === null) return null;
  const { side, quietZoneModules } = layout;
  const placement = placementOf(side);
  const centers = hiddenCenters(side);
  let worst: Damage | null = null;
  if (centers.length === 0) return null;
  const binaries = binarized(map, windowsModules);
  const toPx = (module: number) => (module + quietZoneModules + 0.5) * map.pxPerModule;
  for (const column of centers) {
    for (const row of centers) {
      const rings = binaries.map((binary) => nearestRing(binary, toPx(column), toPx(row)));
      // A ring has to be clear to mislead; one that comes and goes with the window is none.
      const clear = !rings.includes(null);
      for (const [place, binary] of binaries.entries()) {
        const ring = clear ? (rings[place] ?? null) : null;
        for (const piece of [resemblance(binary, toPx(column), toPx(row)), ring]) {
          if (piece === null) continue;
          const wrong = misread(binary, quietZoneModules, matrix, { column, row, ...piece });
          const damage = damageOf(placement, wrong);
          if (worst === null || damage.damage > worst.damage) worst = damage;
        }
      }
    }
  }
  return worst;
}

/** Modules that are read wrong on the grid that a misplaced alignment pattern bends, 1 for wrong. */
function misread(
  binary: Binary,
  quietZoneModules: number,
  { side, isDark }: Matrix,
  pulled: Lookalike & { readonly column: number; readonly row: number },
): Uint8Array {
  const wrong = new Uint8Array(side * side);
  const centers = alignmentCenters(side, (side - 17) / 4);
  const { column, row, dx, dy } = pulled;
  const [left, right] = neighbours(centers, column);
  const [top, bottom] = neighbours(centers, row);
  const toPx = (module: number) => (module + quietZoneModules + 0.5) * binary.pxPerModule;
  // Scanners use a cell up to the next pattern, and those at the edge for all beyond it too.
  const [fromX, toX] = [left === 6 ? 0 : left, right === side - 7 ? side : right];
  const [fromY, toY] = [top === 6 ? 0 : top, bottom === side - 7 ? side : bottom];
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX; x < toX; x++) {
      // Each cell has one corner that is pulled: at 1, 1 of it, its fixed corner being at 0, 0.
      const width = (x < column ? left : right) - column;
      const height = (y < row ? top : bottom) - row;
      const [s, t] = [1 - (x - column) / width, 1 - (y - row) / height];
      const [atX, atY] = bent(s, t, -dx / width, -dy / height);
      const readDark = binary.isDark(
        toPx(column + (1 - atX) * width),
        toPx(row + (1 - atY) * height),
      );
      if (readDark !== isDark(x, y)) wrong[y * side + x] = 1;
    }
  }
  return wrong;
}

function neighbours(centers: readonly number[], center: number): [number, number] {
  const place = centers.indexOf(center);
  return [centers[place - 1] ?? center, centers[place + 1] ?? center];
}

/**
 * Where a point of the unit square lies when its corner 1, 1 is pulled by dx, dy and the other three
 * stay: the projective map of a square to a quadrilateral (Heckbert 1989, 2.2.3).
 */
function bent(s: number, t: number, dx: number, dy: number): [number, number] {
  const spread = 1 + dx + dy;
  const [g, h] = [-dy / spread, -dx / spread];
  const depth = g * s + h * t + 1;
  return [((1 + g) * s) / depth, ((1 + h) * t) / depth];
}
