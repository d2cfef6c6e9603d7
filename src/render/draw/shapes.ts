import type { Design, FinderShape, ModuleShape } from '../../core/designs/design.ts';
import type { Layout } from '../symbol/layout.ts';
import type { Matrix } from '../symbol/matrix.ts';
import { outlinePath, squarePath } from '../symbol/outline.ts';

/** One filled path per colour, in modules from the corner of the quiet zone. */
export interface Fill {
  readonly color: string;
  readonly path: string;
}

/** Radius of the convex corners of joined modules in the shape `rounded`, in modules. */
const roundedRadius = 0.5;

/** Corner radius of a dot, in modules. Full circles (0.5) are hard to read for jsQR in large pictures. */
export const dotRadius = 0.43;

/**
 * Corner radii of a finder's outer edge, inner edge and core, in modules. The ring has the same width
 * everywhere, because ZBar mistakes rows through a thinner corner for the finder's side. `circle` is a round
 * core in a rounded ring: a full circle has the proportions 1:1:3:1:1 only in rows through its center.
 */
const finderRadii: Record<FinderShape, readonly [number, number, number]> = {
  square: [0, 0, 0],
  rounded: [1.6, 0.6, 0.7],
  circle: [2, 1, 1.25],
};

/** Returns the dark parts of a symbol, one path per colour, without the logo and what it covers. */
export function fillsOf(matrix: Matrix, layout: Layout, design: Design): Fill[] {
  const { side, quietZoneModules } = layout;
  const isDrawn = (x: number, y: number) =>
    matrix.isDark(x, y) && !isFinder(side, x, y) && !layout.isCleared(x, y);
  const modules = modulesPath(isDrawn, side, design.moduleShape, quietZoneModules);
  const finders = findersPath(layout, design.finderShape);
  const finderColor = design.finderColor ?? design.foreground;
  if (finderColor === design.foreground) {
    return [{ color: design.foreground, path: modules + finders }];
  }
  return [
    { color: design.foreground, path: modules },
    { color: finderColor, path: finders },
  ];
}

/** @param offset added to both coordinates, in modules */
function modulesPath(
  isDark: (x: number, y: number) => boolean,
  side: number,
  shape: ModuleShape,
  offset: number,
): string {
  if (shape !== 'dots') {
    return outlinePath(isDark, side, shape === 'rounded' ? roundedRadius : 0, offset);
  }
  let path = '';
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (isDark(x, y)) path += squarePath(x + offset, y + offset, 1, dotRadius);
    }
  }
  return path;
}

function findersPath(layout: Layout, shape: FinderShape): string {
  const near = layout.quietZoneModules;
  const far = near + layout.side - 7;
  return (
    finderPath(near, near, shape) + finderPath(far, near, shape) + finderPath(near, far, shape)
  );
}

/** Draws a finder pattern, 7 × 7 modules from the upper left corner at (x, y). */
function finderPath(x: number, y: number, shape: FinderShape): string {
  const [outer, inner, core] = finderRadii[shape];
  return (
    squarePath(x, y, 7, outer) +
    squarePath(x + 1, y + 1, 5, inner, true) +
    squarePath(x + 2, y + 2, 3, core)
  );
}

/** Returns whether a module belongs to one of the three finder patterns. */
function isFinder(side: number, x: number, y: number): boolean {
  const [left, top] = [x < 7, y < 7];
  const [right, bottom] = [x >= side - 7, y >= side - 7];
  return (left && top) || (right && top) || (left && bottom);
}
