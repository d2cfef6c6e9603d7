/**
 * Path data of dark modules. Every shape below is drawn clockwise, holes counter-clockwise, so that
 * any number of them can share one path under the default fill rule.
 */

/** East, south, west, north, in the order of right turns when y points down. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * Traces the edge of the dark modules as one path, so that no hairline shows between neighbours.
 * Modules that touch only at a corner stay apart.
 *
 * @param isDark answers for columns and rows from 0 to `side` - 1, and false outside
 * @param radius cuts every convex corner by a quarter circle, 0 to 0.5 modules
 * @param offset moves the drawing right and down, in modules
 */
export function outlinePath(
  isDark: (x: number, y: number) => boolean,
  side: number,
  radius: number,
  offset: number,
): string {
  // Each tour begins at the upper left corner of a module without one above it, heading east.
  const visited = new Uint8Array((side + 1) * (side + 1));
  let path = '';
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!isDark(x, y) || isDark(x, y - 1) || visited[y * (side + 1) + x] === 1) continue;
      path += cornersPath(tour(isDark, x, y, visited, side + 1), radius, offset);
    }
  }
  return path;
}

/** Walks around one edge with the dark side on the right; returns its corners, x and y in turn. */
function tour(
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
    x += stepX(heading);
    y += stepY(heading);
    const turn = turnAt(isDark, x, y, heading);
    if (turn !== 0) corners.push(x, y);
    heading = (heading + turn) & 3;
  } while (x !== startX || y !== startY || heading !== 0);
  return corners;
}

/** 1 turns right, 3 turns left, 0 goes on. A right turn wins where two modules meet at a corner. */
function turnAt(isDark: (x: number, y: number) => boolean, x: number, y: number, heading: number) {
  const [forwardX, forwardY] = [stepX(heading), stepY(heading)];
  // The two modules ahead of the corner at (x, y): on the right hand and on the left hand.
  const ahead = (handX: number, handY: number) =>
    isDark(x + (forwardX + handX - 1) / 2, y + (forwardY + handY - 1) / 2);
  if (!ahead(-forwardY, forwardX)) return 1;
  return ahead(forwardY, -forwardX) ? 3 : 0;
}

function stepX(heading: number): number {
  return steps[heading & 3]?.[0] ?? 0;
}

function stepY(heading: number): number {
  return steps[heading & 3]?.[1] ?? 0;
}

/** A closed polygon with axis-parallel edges; its right turns are rounded. */
function cornersPath(corners: readonly number[], radius: number, offset: number): string {
  const count = corners.length / 2;
  const at = (corner: number) => {
    const index = ((corner + count) % count) * 2;
    return { x: corners[index] ?? 0, y: corners[index + 1] ?? 0 };
  };
  let path = '';
  for (let corner = 0; corner < count; corner++) {
    const [before, here, after] = [at(corner - 1), at(corner), at(corner + 1)];
    const [inX, inY] = [Math.sign(here.x - before.x), Math.sign(here.y - before.y)];
    const [outX, outY] = [Math.sign(after.x - here.x), Math.sign(after.y - here.y)];
    const cut = inX * outY - inY * outX > 0 ? radius : 0;
    const x = decimal(here.x - inX * cut + offset);
    const y = decimal(here.y - inY * cut + offset);
    if (corner === 0) path += `M${x} ${y}`;
    else path += inX === 0 ? `V${y}` : `H${x}`;
    if (cut > 0) path += arc(cut, (inX + outX) * cut, (inY + outY) * cut);
  }
  return `${path}z`;
}

function arc(radius: number, dx: number, dy: number): string {
  return `a${decimal(radius)} ${decimal(radius)} 0 0 1 ${decimal(dx)} ${decimal(dy)}`;
}

/** A square ring or block with rounded corners, `radius` 0 for sharp ones, half the side for a circle. */
export function blockPath(
  x: number,
  y: number,
  side: number,
  radius: number,
  hole = false,
): string {
  const straight = side - 2 * radius;
  const round = (dx: number, dy: number) =>
    radius === 0
      ? ''
      : `a${decimal(radius)} ${decimal(radius)} 0 0 ${hole ? 0 : 1} ${decimal(dx)} ${decimal(dy)}`;
  const r = radius;
  if (hole) {
    return `M${decimal(x + r)} ${decimal(y)}${round(-r, r)}v${decimal(straight)}${round(r, r)}h${decimal(straight)}${round(r, -r)}v${decimal(-straight)}${round(-r, -r)}z`;
  }
  return `M${decimal(x + r)} ${decimal(y)}h${decimal(straight)}${round(r, r)}v${decimal(straight)}${round(-r, r)}h${decimal(-straight)}${round(-r, -r)}v${decimal(-straight)}${round(r, -r)}z`;
}

/** At most three decimals and never `-0`, so that the text does not depend on rounding noise. */
export function decimal(value: number): string {
  return String(rounded(value));
}

/** The number that {@link decimal} writes. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
