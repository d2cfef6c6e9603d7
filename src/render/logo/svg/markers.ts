import svgpath from 'svgpath';
import { SvgRefused } from './refusal.ts';
import { createGroup, readRadians } from './transform.ts';
import {
  copyElement,
  descendants,
  inherited,
  maxElements,
  readViewBox,
  type SvgElement,
} from './tree.ts';

type Point = readonly [x: number, y: number];

/** A point at which a path has a marker, with the directions of the path before and after it. */
interface Vertex {
  readonly at: Point;
  before: Point | null;
  after: Point | null;
}

const shapes = /^(path|line|polyline|polygon)$/;
const properties = ['marker-start', 'marker-mid', 'marker-end'] as const;

/** Properties that a marker inherits from where it is defined, with their initial values. */
const inheritedProperties: Readonly<Record<string, string>> = {
  'clip-rule': 'nonzero',
  color: '#000',
  fill: '#000',
  'fill-opacity': '1',
  'fill-rule': 'nonzero',
  'paint-order': 'normal',
  stroke: 'none',
  'stroke-dasharray': 'none',
  'stroke-dashoffset': '0',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  'stroke-miterlimit': '4',
  'stroke-opacity': '1',
  'stroke-width': '1',
  visibility: 'visible',
};

/** Of a shape, these hold for its markers too. */
const ofTheWhole = /^(clip-path|display|filter|id|mask|opacity|style|transform)$/;

/**
 * Draws the markers of an SVG as elements. The rasterizer leaves out those of paths without fill and stroke,
 * and turns others in another direction than browsers.
 *
 * @throws SvgRefused for what cannot be drawn so
 */
export function drawMarkers(root: SvgElement): void {
  const byId = new Map<string, SvgElement>();
  const elements = [...descendants(root)];
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (element.name === 'marker' && id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  let drawn = 0;
  for (const element of elements) {
    if (!shapes.test(element.name) || isIn(element, /^(clipPath|marker)$/)) continue;
    const [start, mid, end] = properties.map((property) =>
      byId.get(/^url\(#(.*)\)$/.exec(inherited(element, property) ?? '')?.[1] ?? ''),
    );
    const isHidden = inherited(element, 'visibility') === 'hidden';
    if (isHidden || !(start ?? mid ?? end)) continue;
    const vertices = verticesOf(element);
    const markers = vertices.flatMap((vertex, at) => {
      const places = at === 0 ? [start] : [mid];
      if (at === vertices.length - 1) places.splice(at === 0 ? 1 : 0, 1, end);
      return places.flatMap((marker) =>
        marker === undefined
          ? []
          : drawMarker(element, marker, vertex, marker === start && at === 0),
      );
    });
    drawn += markers.reduce((sum, marker) => sum + [...descendants(marker)].length, 0);
    if (drawn > maxElements) throw new SvgRefused('size');
    addBehind(element, markers);
  }
  for (const { attributes } of elements)
    for (const property of properties) attributes.delete(property);
}

function isIn({ parent }: SvgElement, names: RegExp): boolean {
  return parent !== null && (names.test(parent.name) || isIn(parent, names));
}

/** Puts a shape and its markers into a group. */
function addBehind(element: SvgElement, markers: SvgElement[]): void {
  const { parent } = element;
  if (parent === null) return;
  const whole = [...element.attributes].filter(([name]) => ofTheWhole.test(name));
  const group: SvgElement = { ...createGroup(parent), attributes: new Map(whole) };
  for (const [name] of whole) element.attributes.delete(name);
  parent.children = parent.children.map((child) => (child === element ? group : child));
  group.children = [element, ...markers];
  for (const child of group.children) child.parent = group;
}

function drawMarker(
  shape: SvgElement,
  marker: SvgElement,
  { at: [x, y], before, after }: Vertex,
  isStart: boolean,
): SvgElement {
  const { attributes } = marker;
  const size = (name: string) => plainNumber(attributes.get(name) ?? '3');
  const isScaled = attributes.get('markerUnits') !== 'userSpaceOnUse';
  const scale = isScaled ? plainNumber(inherited(shape, 'stroke-width') ?? '1') : 1;
  const angle = angleOf(attributes.get('orient') ?? '0', before, after, isStart);
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
  const group = createGroup(shape, [cos, sin, -sin, cos, x, y]);
  const viewport: SvgElement = { ...createGroup(group), name: 'svg' };
  const [width, height] = [size('markerWidth'), size('markerHeight')];
  const [left, top] = referencePoint(marker, width, height);
  viewport.attributes.clear();
  for (const [name, value] of Object.entries({ x: -left, y: -top, width, height }))
    viewport.attributes.set(name, String(value));
  for (const name of ['viewBox', 'preserveAspectRatio', 'overflow']) {
    const value = attributes.get(name);
    if (value !== undefined) viewport.attributes.set(name, value);
  }
  const content = createGroup(viewport);
  content.attributes.clear();
  for (const [name, initial] of Object.entries(inheritedProperties))
    content.attributes.set(name, inherited(marker, name) ?? initial);
  const paints: Readonly<Record<string, string>> = {
    'context-fill': inherited(shape, 'fill') ?? '#000',
    'context-stroke': inherited(shape, 'stroke') ?? 'none',
  };
  // Gradients would lie in the coordinates of the marker.
  for (const { attributes: own } of descendants(marker))
    for (const value of own.values())
      if (paints[value]?.startsWith('url(')) throw new SvgRefused('color', value);
  content.children = marker.children.map((child) => copyElement(child, content, paints));
  viewport.children = [content];
  group.children = [viewport];
  return group;
}

/** Returns the reference point of a marker in its viewport. */
function referencePoint(marker: SvgElement, width: number, height: number): Point {
  const { attributes } = marker;
  const [x, y] = [attributes.get('refX'), attributes.get('refY')].map((value) =>
    plainNumber(value ?? '0'),
  );
  const box = readViewBox(marker);
  if (box === null) return [x ?? 0, y ?? 0];
  const [left = 0, top = 0, boxWidth = 0, boxHeight = 0] = box;
  const ratio = attributes.get('preserveAspectRatio')?.trim() ?? 'xMidYMid';
  if (!/^(none|xMidYMid( meet)?)$/.test(ratio))
    throw new SvgRefused('feature', `a marker with preserveAspectRatio: ${ratio}`);
  const scales = [width / boxWidth, height / boxHeight] as const;
  const same = Math.min(...scales);
  const [scaleX, scaleY] = ratio === 'none' ? scales : [same, same];
  return [
    ((x ?? 0) - left) * scaleX + (width - boxWidth * scaleX) / 2,
    ((y ?? 0) - top) * scaleY + (height - boxHeight * scaleY) / 2,
  ];
}

function angleOf(
  orient: string,
  before: Point | null,
  after: Point | null,
  isStart: boolean,
): number {
  if (!orient.startsWith('auto')) return readRadians(orient) || 0;
  const directions = [before, after].flatMap((one) =>
    one === null ? [] : [Math.atan2(one[1], one[0])],
  );
  const [first = 0, second = first] = directions;
  // The bisector of the smaller angle.
  const turn = Math.atan2(Math.sin(second - first), Math.cos(second - first));
  const isReversed = isStart && /^auto-start-reverse$/i.test(orient);
  return first + turn / 2 + (isReversed ? Math.PI : 0);
}

function plainNumber(text: string): number {
  if (!/^\s*[-+]?[\d.]+(?:e[-+]?\d+)?(?:px)?\s*$/i.test(text))
    throw new SvgRefused('feature', `a marker with ${text}`);
  return Number.parseFloat(text);
}

function pathDataOf({ name, attributes }: SvgElement): string {
  if (name === 'path') return attributes.get('d') ?? '';
  if (name !== 'line') return `M${attributes.get('points') ?? ''}${name === 'polygon' ? 'z' : ''}`;
  const [x1, y1, x2, y2] = ['x1', 'y1', 'x2', 'y2'].map((key) =>
    plainNumber(attributes.get(key) ?? '0'),
  );
  return `M${x1} ${y1}L${x2} ${y2}`;
}

/** Returns the vertices of a shape in order. A closed subpath ends where it begins. */
function verticesOf(element: SvgElement): Vertex[] {
  const path = svgpath(pathDataOf(element)).abs().unshort();
  path.iterate(([command, to = 0], _, x, y) => {
    if (command === 'H') return [['L', to, y]];
    return command === 'V' ? [['L', x, to]] : undefined;
  });
  const vertices: Vertex[] = [];
  let first: Vertex | undefined;
  path.iterate((segment, _, x, y) => {
    const [command, ...values] = segment;
    if (command === 'M' || (first === undefined && command !== 'Z')) {
      const [toX = x, toY = y] = values;
      first = { at: [toX, toY], before: null, after: null };
      vertices.push(first);
      return;
    }
    const last = vertices.at(-1);
    if (first === undefined || last === undefined) return;
    const points = pointsOf([x, y], segment, first.at);
    const end = points.at(-1) ?? last.at;
    last.after = directionOf(points);
    const before = directionOf(points.toReversed(), -1) ?? last.before;
    const vertex: Vertex = { at: end, before, after: null };
    vertices.push(vertex);
    if (command !== 'Z') return;
    // What follows begins a new subpath there.
    vertex.after = first.after;
    first.before = vertex.before;
  });
  return vertices;
}

/** Returns the points of a segment, from its start, that span it and its directions. */
function pointsOf([x, y]: Point, segment: readonly (string | number)[], start: Point): Point[] {
  const [command, ...rest] = segment;
  const values = rest.map(Number);
  if (command === 'Z') return [[x, y], start];
  if (command !== 'A') return pairs([x, y, ...values]);
  const curves: Point[] = [[x, y]];
  svgpath(`M${x} ${y}A${values.join(' ')}`)
    .unarc()
    .iterate(([name, ...coordinates]) => {
      if (name !== 'M') curves.push(...pairs(coordinates));
    });
  return curves;
}

function pairs(numbers: readonly number[]): Point[] {
  return Array.from(
    { length: numbers.length / 2 },
    (_, at): Point => [numbers[2 * at] ?? 0, numbers[2 * at + 1] ?? 0],
  );
}

/** Returns the direction from the first point to the next one that differs. */
function directionOf([from, ...others]: readonly Point[], sign = 1): Point | null {
  if (from === undefined) return null;
  const to = others.find(([x, y]) => x !== from[0] || y !== from[1]);
  return to === undefined ? null : [sign * (to[0] - from[0]), sign * (to[1] - from[1])];
}
