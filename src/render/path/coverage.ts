import type { Curve, Path, Quadratic } from './path.ts';

/** Straight edges, four numbers each: x and y of the start, x and y of the end, in pixels. */
export type Edges = Float64Array;

/** Maximum deviation of a flattened curve, in pixels. */
const flatnessPx = 0.05;

/**
 * Flattens a path to edges.
 *
 * @param scale pixels per unit of the path
 * @param left pixels added to x
 * @param top pixels added to y
 */
export function flatten(path: Path, scale: number, left: number, top = left): Edges {
  const edges: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    if (toY !== y) edges.push(x, y, toX, toY);
    [x, y] = [toX, toY];
  };
  for (const command of path) {
    if (command.kind === 'line') {
      if (command.axis === 'x') lineTo(command.to * scale + left, y);
      else lineTo(x, command.to * scale + top);
    } else if (command.kind === 'curve') {
      drawCurve(x, y, command, scale, lineTo);
    } else if (command.kind === 'point') {
      lineTo(command.x * scale + left, command.y * scale + top);
    } else if (command.kind === 'quadratic') {
      drawQuadratic(x, y, command, { scale, left, top }, lineTo);
    } else if (command.kind === 'move') {
      [startX, startY] = [command.x * scale + left, command.y * scale + top];
      [x, y] = [startX, startY];
    } else lineTo(startX, startY);
  }
  return new Float64Array(edges);
}

/** Draws a quarter circle as chords, by the rational parameterization of the circle. */
function drawCurve(
  x: number,
  y: number,
  curve: Curve,
  scale: number,
  lineTo: (x: number, y: number) => void,
): void {
  const [dx, dy] = [curve.dx * scale, curve.dy * scale];
  const radius = Math.abs(dx);
  // A chord of angle a deviates by radius × a² / 8; the largest angle is 2 / chords.
  const chords = Math.ceil(2 * Math.sqrt(radius / (8 * flatnessPx)));
  for (let chord = 1; chord < chords; chord++) {
    const t = chord / chords;
    const near = (2 * t) / (1 + t * t);
    const far = 1 - (1 - t * t) / (1 + t * t);
    const [right, down] = curve.axis === 'x' ? [near, far] : [far, near];
    lineTo(x + dx * right, y + dy * down);
  }
  lineTo(x + dx, y + dy);
}

/** Draws a quadratic Bézier curve as chords of equal steps of its parameter. */
function drawQuadratic(
  x: number,
  y: number,
  curve: Quadratic,
  { scale, left, top }: { scale: number; left: number; top: number },
  lineTo: (x: number, y: number) => void,
): void {
  const [controlX, controlY] = [curve.controlX * scale + left, curve.controlY * scale + top];
  const [endX, endY] = [curve.x * scale + left, curve.y * scale + top];
  const bend = Math.max(Math.abs(x - 2 * controlX + endX), Math.abs(y - 2 * controlY + endY));
  // A chord of a step t deviates by the second derivative × t² / 8, which is twice the bend.
  const chords = Math.max(1, Math.ceil(Math.sqrt(bend / (4 * flatnessPx))));
  for (let chord = 1; chord <= chords; chord++) {
    const t = chord / chords;
    const [start, middle, end] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
    lineTo(start * x + middle * controlX + end * endX, start * y + middle * controlY + end * endY);
  }
}

/** Rows of the accumulation buffer. Bounds the memory for large pictures. */
const bandRows = 128;

/**
 * Computes the exact area coverage of a path on a square canvas.
 * Every edge adds the area to its right to an accumulation buffer; a running sum over each row gives the covered part
 * of each pixel. Only basic arithmetic is used, so that results are equal on every machine.
 *
 * @param onRow receives each row with an edge in it: the coverage of its pixels, 0 to 1, and whether it equals
 *   the row above. The array is reused.
 */
export function fill(
  edges: Edges,
  widthPx: number,
  onRow: (y: number, coverage: Float32Array, isRepeated: boolean) => void,
): void {
  const row = new Float32Array(widthPx);
  const isNew = newRows(edges, widthPx);
  let hasEdge = false;
  for (let top = 0; top < widthPx; top += bandRows) {
    const band = createBand(widthPx, top, isNew);
    for (let at = 0; at < edges.length; at += 4) {
      const [startY, endY] = [edges[at + 1] ?? 0, edges[at + 3] ?? 0];
      if (Math.max(startY, endY) <= top || Math.min(startY, endY) >= top + bandRows) continue;
      const [startX, endX] = [edges[at] ?? 0, edges[at + 2] ?? 0];
      if (startY < endY) band.addEdge(startX, startY, endX, endY, 1);
      else band.addEdge(endX, endY, startX, startY, -1);
    }
    for (let y = top; y < Math.min(top + bandRows, widthPx); y++) {
      if (isNew[y] === 1) hasEdge = band.readRow(y, row);
      if (hasEdge) onRow(y, row, isNew[y] === 0);
    }
  }
}

/** Marks the rows that may differ from the one above: those with a slope, or an end of a vertical edge. */
function newRows(edges: Edges, widthPx: number): Uint8Array {
  const isNew = new Uint8Array(widthPx);
  for (let at = 0; at < edges.length; at += 4) {
    const [startY, endY] = [edges[at + 1] ?? 0, edges[at + 3] ?? 0];
    const [first, last] = [Math.floor(Math.min(startY, endY)), Math.ceil(Math.max(startY, endY))];
    if (edges[at] !== edges[at + 2]) isNew.fill(1, Math.max(0, first), last + 1);
    else for (const y of [first, first + 1, last - 1, last]) if (y >= 0) isNew[y] = 1;
  }
  return isNew;
}

/** Creates an accumulation buffer for the rows from `top` on. */
function createBand(widthPx: number, top: number, isNew: Uint8Array) {
  const stride = widthPx + 2;
  const areas = new Float32Array(stride * bandRows);
  const hasEdge = new Uint8Array(bandRows);

  const add = (at: number, area: number) => {
    areas[at] = (areas[at] ?? 0) + area;
  };

  /** Adds the part of an edge that lies in one row, split at the borders of pixels. */
  const addSpan = (start: number, left: number, right: number, height: number) => {
    const last = Math.max(Math.floor(left), Math.ceil(right) - 1);
    const perPx = right > left ? height / (right - left) : 0;
    for (let x = Math.floor(left); x <= last; x++) {
      const [from, to] = [Math.max(left, x), Math.min(right, x + 1)];
      const share = perPx === 0 ? height : perPx * (to - from);
      const rightPart = share * ((from + to) / 2 - x);
      add(start + x, share - rightPart);
      add(start + x + 1, rightPart);
    }
  };

  return {
    /** @param direction 1 for an edge of the path that leads down, -1 for one that leads up */
    addEdge(topX: number, topY: number, bottomX: number, bottomY: number, direction: number): void {
      const firstY = Math.max(topY, top);
      const lastY = Math.min(bottomY, top + bandRows, widthPx);
      const slope = (bottomX - topX) / (bottomY - topY);
      let x = topX + (firstY - topY) * slope;
      for (let y = Math.floor(firstY); y < lastY; y++) {
        if (isNew[y] === 0) continue;
        const height = Math.min(y + 1, lastY) - Math.max(y, firstY);
        const nextX = x + slope * height;
        const left = Math.min(Math.max(Math.min(x, nextX), 0), widthPx);
        const right = Math.min(Math.max(x, nextX, 0), widthPx);
        addSpan((y - top) * stride, left, right, height * direction);
        hasEdge[y - top] = 1;
        x = nextX;
      }
    },

    /** Writes the coverage of a row. Returns false, and writes nothing, when no edge crosses it. */
    readRow(y: number, row: Float32Array): boolean {
      if (hasEdge[y - top] === 0) return false;
      let area = 0;
      const start = (y - top) * stride;
      for (let x = 0; x < widthPx; x++) {
        area += areas[start + x] ?? 0;
        row[x] = Math.min(1, Math.abs(area));
      }
      return true;
    },
  };
}
