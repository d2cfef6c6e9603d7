/** Straight edges: x and y of the start and of the end, in pixels, four numbers each. */
export type Edges = Float64Array;

/** Deviation of a flattened arc from the true one, in pixels. */
const flatnessPx = 0.05;

/**
 * Flattens path data to edges.
 *
 * @param path with the commands that outline.ts writes: M H V a z, arcs being quarter circles
 * @param scale pixels per unit of the path
 * @param offset pixels added to both coordinates
 */
export function flatten(path: string, scale: number, offset: number): Edges {
  const edges: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    if (toY !== y) edges.push(x, y, toX, toY);
    [x, y] = [toX, toY];
  };
  const tokens = path.match(/[a-zA-Z]|-?[\d.]+/g) ?? [];
  let at = 0;
  const next = () => Number(tokens[at++]);
  while (at < tokens.length) {
    const command = tokens[at++];
    if (command === 'H') lineTo(next() * scale + offset, y);
    else if (command === 'V') lineTo(x, next() * scale + offset);
    else if (command === 'a') {
      // Both radii are equal, and of rotation and flags only the direction matters.
      at += 4;
      quarterArc(x, y, next() === 1, next() * scale, next() * scale, lineTo);
    } else if (command === 'M') {
      [startX, startY] = [next() * scale + offset, next() * scale + offset];
      [x, y] = [startX, startY];
    } else lineTo(startX, startY);
  }
  return Float64Array.from(edges);
}

/** Draws a quarter circle as chords, by the rational parameterization of the circle. */
function quarterArc(
  x: number,
  y: number,
  isClockwise: boolean,
  dx: number,
  dy: number,
  lineTo: (x: number, y: number) => void,
): void {
  const radius = Math.abs(dx);
  // A chord over the angle a deviates by radius × a² / 8, and the first one spans 2 / chords.
  const chords = Math.ceil(2 * Math.sqrt(radius / (8 * flatnessPx)));
  // The arc leaves along one axis: along x where a clockwise turn from x leads to y, else along y.
  const isAlongX = (dx > 0 === dy > 0) === isClockwise;
  for (let chord = 1; chord < chords; chord++) {
    const t = chord / chords;
    const near = (2 * t) / (1 + t * t);
    const far = 1 - (1 - t * t) / (1 + t * t);
    lineTo(x + dx * (isAlongX ? near : far), y + dy * (isAlongX ? far : near));
  }
  lineTo(x + dx, y + dy);
}

/** Rows that are filled at a time, which bounds the memory of large pictures. */
const bandRows = 128;

/**
 * Computes the exact area coverage of a path on a square canvas. Every edge adds the area to its right to an
 * accumulation buffer; a running sum over each row gives the covered part of each pixel. Only basic arithmetic
 * is used, so that results are equal on every machine.
 *
 * @param onRow receives each row with an edge in it: the coverage of its pixels, 0 to 1. The array is
 *   reused.
 */
export function fill(
  edges: Edges,
  widthPx: number,
  onRow: (y: number, coverage: Float32Array) => void,
): void {
  const stride = widthPx + 2;
  const areas = new Float32Array(stride * bandRows);
  const row = new Float32Array(widthPx);
  for (let top = 0; top < widthPx; top += bandRows) {
    const bottom = Math.min(top + bandRows, widthPx);
    const touched = new Uint8Array(bandRows);
    for (let at = 0; at < edges.length; at += 4) addEdge(areas, touched, edges, at, top, bottom);
    for (let y = top; y < bottom; y++) {
      if (touched[y - top] === 0) continue;
      const start = (y - top) * stride;
      let area = 0;
      for (let x = 0; x < widthPx; x++) {
        area += areas[start + x] ?? 0;
        row[x] = Math.min(1, Math.abs(area));
      }
      onRow(y, row);
    }
    areas.fill(0);
  }
}

/** Adds the area to the right of one edge, within the rows of a band. */
function addEdge(
  areas: Float32Array,
  touched: Uint8Array,
  edges: Edges,
  at: number,
  top: number,
  bottom: number,
): void {
  const isDown = (edges[at + 1] ?? 0) < (edges[at + 3] ?? 0);
  const [from, to] = isDown ? [at, at + 2] : [at + 2, at];
  const [startX, startY] = [edges[from] ?? 0, edges[from + 1] ?? 0];
  const [endX, endY] = [edges[to] ?? 0, edges[to + 1] ?? 0];
  if (endY <= top || startY >= bottom) return;
  const widthPx = areas.length / bandRows - 2;
  const slope = (endX - startX) / (endY - startY);
  const firstY = Math.max(startY, top);
  const lastY = Math.min(endY, bottom);
  let x = startX + (firstY - startY) * slope;
  for (let row = Math.floor(firstY); row < lastY; row++) {
    const height = Math.min(row + 1, lastY) - Math.max(row, firstY);
    const nextX = x + slope * height;
    touched[row - top] = 1;
    addSpan(
      areas,
      (row - top) * (widthPx + 2),
      Math.min(Math.max(Math.min(x, nextX), 0), widthPx),
      Math.min(Math.max(x, nextX, 0), widthPx),
      isDown ? height : -height,
    );
    x = nextX;
  }
}

/** Adds the part of an edge that lies in one row of pixels, from `left` to `right`. */
function addSpan(
  areas: Float32Array,
  start: number,
  left: number,
  right: number,
  height: number,
): void {
  const first = Math.floor(left);
  const end = Math.ceil(right);
  if (end <= first + 1) {
    const partRight = (left + right) / 2 - first;
    add(areas, start + first, height * (1 - partRight));
    add(areas, start + first + 1, height * partRight);
    return;
  }
  // The area right of the edge grows by half a square, then linearly, then by half a square.
  const perPixel = 1 / (right - left);
  let before = 0;
  for (let x = first; x < end; x++) {
    const [from, to] = [Math.max(left, x), Math.min(right, x + 1)];
    const risen = (to - left) * perPixel;
    const area = risen - ((risen - (from - left) * perPixel) * (to + from - 2 * x)) / 2;
    add(areas, start + x, height * (area - before));
    before = area;
  }
  add(areas, start + end, height * (1 - before));
}

function add(areas: Float32Array, at: number, area: number): void {
  areas[at] = (areas[at] ?? 0) + area;
}
