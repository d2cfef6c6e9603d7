import type { Design, FinderShape } from '../../core/designs/design.ts';
import { codewordLayoutOf, finderCorners } from '../symbol/codewords.ts';
import type { Layout } from '../symbol/layout.ts';
import type { Matrix } from '../symbol/matrix.ts';
import { outlinePath } from './outline.ts';
import { type Path, square } from './path.ts';

/** The dark parts of one colour, in modules from the corner of the quiet zone. */
export interface Fill {
  readonly color: string;
  /** Upper left corners of the modules that are dots. */
  readonly dots: readonly Point[];
  /** Everything else. */
  readonly path: Path;
}

type Point = readonly [x: number, y: number];

/** Returns the path of a fill with its dots. */
export function pathOf({ dots, path }: Fill): Path {
  return [...dots.flatMap(([x, y]) => square(x, y, 1, dotRadius)), ...path];
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

/** Returns the dark parts of a symbol, one fill per colour, without the logo and what it covers. */
export function fillsOf(matrix: Matrix, layout: Layout, design: Design): Fill[] {
  const { foreground, moduleShape } = design;
  const { side, quietZoneModules } = layout;
  const { roles } = codewordLayoutOf(side);
  const isDrawn = (x: number, y: number) =>
    matrix.isDark(x, y) && roles[y * side + x] !== 'finder' && !layout.isCleared(x, y);
  const isDots = moduleShape === 'dots';
  const dots = isDots ? dotsOf(isDrawn, side, quietZoneModules) : [];
  const radius = moduleShape === 'rounded' ? roundedRadius : 0;
  const modules = isDots ? [] : outlinePath(isDrawn, side, radius, quietZoneModules);
  const finders = findersPath(layout, design.finderShape);
  const finderColor = design.finderColor ?? foreground;
  if (finderColor === foreground) {
    return [{ color: foreground, dots, path: [...modules, ...finders] }];
  }
  return [
    { color: foreground, dots, path: modules },
    { color: finderColor, dots: [], path: finders },
  ];
}

/** @param offset added to both coordinates, in modules */
function dotsOf(
  isDark: (x: number, y: number) => boolean,
  side: number,
  offset: number,
): readonly Point[] {
  const dots: Point[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) if (isDark(x, y)) dots.push([x + offset, y + offset]);
  }
  return dots;
}

function findersPath({ quietZoneModules, side }: Layout, shape: FinderShape): Path {
  const [outer, inner, core] = finderRadii[shape];
  return finderCorners(side).flatMap(([column, row]) => {
    const [x, y] = [column + quietZoneModules, row + quietZoneModules];
    return [
      ...square(x, y, 7, outer),
      ...square(x + 1, y + 1, 5, inner, true),
      ...square(x + 2, y + 2, 3, core),
    ];
  });
}
