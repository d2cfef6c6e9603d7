import type { Design, FinderShape, ModuleShape } from '../../core/designs/design.ts';
import type { Layout } from '../symbol/layout.ts';
import type { Matrix } from '../symbol/matrix.ts';
import { blockPath, outlinePath } from '../symbol/outline.ts';

/** One filled path per colour, in modules from the corner of the quiet zone. */
export interface Fill {
  readonly color: string;
  readonly path: string;
}

/** How far the corners of joined modules are cut in the shape `rounded`, in modules. */
export const roundedRadius = 0.5;

/**
 * How far the corners of a dot are cut, in modules. Of full circles jsQR, which scans in many web pages, loses most in
 * large pictures: of 60 codes at 24, 31 and 48 pixels a module it reads 27, 33 and 18, of these 60, 52 and 51.
 */
export const dotRadius = 0.43;

/**
 * Corner radii of a finder's outer edge, inner edge and core, in modules. The ring is of even width:
 * where its inner corner is cut further, ZBar takes rows through that corner for the finder's side and
 * fits a grid that is up to two modules off in pictures of 256 pixels. `circle` has a round core in a
 * soft ring: of a ring that is a full circle ZBar reads half as many camera pictures, because the rows
 * off its middle lose the proportion 1:1:3:1:1. Of these it reads 97 %, of `rounded` and of `square` 99 %.
 */
export const finderRadii: Record<FinderShape, readonly [number, number, number]> = {
  square: [0, 0, 0],
  rounded: [1.6, 0.6, 0.7],
  circle: [2, 1, 1.25],
};

/** Draws the dark parts of a symbol: the logo's patch stays empty, the logo itself is not here. */
export function fillsOf(matrix: Matrix, layout: Layout, design: Design): Fill[] {
  const { side, quietZoneModules } = layout;
  const isDrawn = drawnModules(matrix, layout);
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

/** Tells which modules are drawn dark, those of finder patterns apart. */
export function drawnModules({ isDark }: Matrix, { side, isCleared }: Layout) {
  return (x: number, y: number) => isDark(x, y) && !isFinder(side, x, y) && !isCleared(x, y);
}

/** The dark ones of `side` columns and rows of modules, moved right and down by `offset` modules. */
export function modulesPath(
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
      if (isDark(x, y)) path += blockPath(x + offset, y + offset, 1, dotRadius);
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

/** A finder pattern, 7 × 7 modules from the upper left corner at (x, y). */
export function finderPath(x: number, y: number, shape: FinderShape): string {
  const [outer, inner, core] = finderRadii[shape];
  return (
    blockPath(x, y, 7, outer) +
    blockPath(x + 1, y + 1, 5, inner, true) +
    blockPath(x + 2, y + 2, 3, core)
  );
}

/** Whether a module belongs to one of the three finder patterns, 7 × 7 modules each. */
export function isFinder(side: number, x: number, y: number): boolean {
  const [left, top] = [x < 7, y < 7];
  const [right, bottom] = [x >= side - 7, y >= side - 7];
  return (left && top) || (right && top) || (left && bottom);
}
