import { type Command, type Path, polygon } from './path.ts';

/**
 * Traces the edges of the dark modules, so that no hairline shows between neighbours.
 * Modules that touch only at a corner stay apart. Outer edges run clockwise and holes counter-clockwise, so that any
 * number of shapes can share one path under the default fill rule.
 *
 * @param isDark false outside columns and rows 0 to `side` - 1
 * @param radius of convex corners, 0 to 0.5 modules
 * @param offset added to both coordinates, in modules
 */
export function outlinePath(
  isDark: (x: number, y: number) => boolean,
  side: number,
  radius: number,
  offset: number,
): Path {
  // Each edge starts at the upper left corner of a module without one above it, heading east.
  const visited = new Uint8Array((side + 1) * (side + 1));
  const path: Command[] = [];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!isDark(x, y) || isDark(x, y - 1) || visited[y * (side + 1) + x] === 1) continue;
      path.push(...polygon(followEdge(isDark, x, y, visited, side + 1), radius, offset, false));
    }
  }
  return path;
}

/** Follows one edge with the dark side on the right. Returns its corners, x and y alternately. */
function followEdge(
  isDark: (x: number, y: number) => boolean,
  startX: number,
  startY: number,
  visited: Uint8Array,
  stride: number,
): number[] {
  const corners: number[] = [];
  let [x, y, heading] = [startX, startY, 0];
  do {
    if (heading === 0) visited[y * stride + x] = 1;
    const [stepX, stepY] = [stepsX[heading] ?? 0, stepsY[heading] ?? 0];
    x += stepX;
    y += stepY;
    // The modules ahead lie on either side of the edge. Where two modules meet at a corner, it turns right.
    const isRightDark = isDark(x + (stepX - stepY - 1) / 2, y + (stepY + stepX - 1) / 2);
    const isLeftDark = isDark(x + (stepX + stepY - 1) / 2, y + (stepY - stepX - 1) / 2);
    if (isRightDark && !isLeftDark) continue;
    corners.push(x, y);
    heading = (heading + (isRightDark ? 3 : 1)) & 3;
  } while (x !== startX || y !== startY || heading !== 0);
  return corners;
}

/** Headings 0 to 3: east, south, west, north, in the order of right turns. */
const stepsX = [1, 0, -1, 0] as const;
const stepsY = [0, 1, 0, -1] as const;
