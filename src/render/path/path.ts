/**
 * A command of a path.
 * Coordinates are modules from the corner of the quiet zone, rounded to thousandths, so that rounding noise does not
 * show.
 */
export type Command =
  | { readonly kind: 'move'; readonly x: number; readonly y: number }
  /** A line along an axis to a coordinate on it. */
  | { readonly kind: 'line'; readonly axis: Axis; readonly to: number }
  | Curve
  /** A line to any point, of a letter. */
  | { readonly kind: 'point'; readonly x: number; readonly y: number }
  | Quadratic
  | { readonly kind: 'close' };

/** A quarter circle that starts along an axis, to a point relative to its start. */
export interface Curve {
  readonly kind: 'curve';
  readonly axis: Axis;
  readonly dx: number;
  readonly dy: number;
}

/** A quadratic Bézier curve, of a letter: its control point and its end. */
export interface Quadratic {
  readonly kind: 'quadratic';
  readonly controlX: number;
  readonly controlY: number;
  readonly x: number;
  readonly y: number;
}

type Axis = 'x' | 'y';

/** Closed shapes, filled by the nonzero rule. svg.ts, coverage.ts and the PDF writer draw them. */
export type Path = readonly Command[];

/**
 * Returns a closed polygon with axis-parallel edges and rounded convex corners.
 *
 * @param corners x and y alternately
 * @param offset added to both coordinates
 * @param isHole whether the corners run counter-clockwise
 */
export function polygon(
  corners: readonly number[],
  radius: number,
  offset: number,
  isHole: boolean,
): Path {
  const at = (index: number) => corners[index % corners.length] ?? 0;
  const path: Command[] = [];
  let [beforeX, beforeY] = [at(corners.length - 2), at(corners.length - 1)];
  for (let index = 0; index < corners.length; index += 2) {
    const [cornerX, cornerY] = [at(index), at(index + 1)];
    const [inX, inY] = [Math.sign(cornerX - beforeX), Math.sign(cornerY - beforeY)];
    const [outX, outY] = [Math.sign(at(index + 2) - cornerX), Math.sign(at(index + 3) - cornerY)];
    const isConvex = inX * outY - inY * outX > 0 !== isHole;
    const cut = isConvex ? radius : 0;
    const axis = inX === 0 ? 'y' : 'x';
    const x = thousandths(cornerX - inX * cut + offset);
    const y = thousandths(cornerY - inY * cut + offset);
    if (index === 0) path.push({ kind: 'move', x, y });
    else path.push({ kind: 'line', axis, to: axis === 'x' ? x : y });
    if (cut > 0) {
      const [dx, dy] = [thousandths((inX + outX) * cut), thousandths((inY + outY) * cut)];
      path.push({ kind: 'curve', axis, dx, dy });
    }
    [beforeX, beforeY] = [cornerX, cornerY];
  }
  path.push({ kind: 'close' });
  return path;
}

/** Returns a square, or a square hole, with corners of a radius: half the side for a circle. */
export function square(x: number, y: number, side: number, radius: number, isHole = false): Path {
  const [right, bottom] = [x + side, y + side];
  const corners = isHole
    ? [x, y, x, bottom, right, bottom, right, y]
    : [x, y, right, y, right, bottom, x, bottom];
  return polygon(corners, radius, 0, isHole);
}

/** Rounds to thousandths, never to -0. */
export function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}

/** Formats a number with at most three decimals. */
export function decimal(value: number): string {
  return String(thousandths(value));
}
