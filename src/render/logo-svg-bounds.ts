import { LogoRefused } from '../core/ports.ts';
import { type SvgElement, tooComplex } from './logo-svg-parse.ts';

/**
 * Bounds of the work that a drawing stands for once its references are followed. They keep the first,
 * smallest rendering in the tens of milliseconds; see `logo-svg-raster.ts` for the rest.
 */

/** Elements after following every reference; 10,000 cost 50 ms and 10 MB. */
const maxPainted = 10_000;
/** Groups within groups, through references too. */
const maxDepth = 100;
/** Each layer within a layer costs up to 6 MB: 25 canvases, because layers reach past the edge. */
const maxLayerDepth = 12;
/** Layers in all; each is a canvas of its own. */
const maxLayers = 500;
/** Filter steps in all: one blur can cost as much as a hundred shapes. Figma's shadow has seven. */
const maxFilterSteps = 200;
/** The rasteriser sorts the edges of one path against each other: time grows with the square. */
const maxPathSegments = 10_000;
const maxSegments = 30_000;
const maxDashes = 20_000;

interface Work {
  readonly painted: number;
  readonly segments: number;
  readonly dashes: number;
  readonly depth: number;
  readonly layerDepth: number;
  readonly layers: number;
  readonly filterSteps: number;
}

/** Gradients are shared by the elements that refer to them, all else is painted anew each time. */
const sharedElements = new Set(['linearGradient', 'radialGradient']);

/**
 * Follows every reference and counts what would be painted.
 *
 * @throws LogoRefused when the drawing refers to itself or is too much work
 */
export function checkWork(root: SvgElement): void {
  const elements = [...flatten(root)];
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined) byId.set(id, element);
  }
  const period = Math.min(...elements.map(dashPeriod));
  const known = new Map<SvgElement, Work>();
  const underWay = new Set<SvgElement>();

  const measure = (element: SvgElement, depth: number): Work => {
    const before = known.get(element);
    if (before) return before;
    if (underWay.has(element)) {
      throw new LogoRefused(
        'This SVG contains an element that refers to itself. Export it again from your drawing program.',
      );
    }
    if (depth > maxDepth) throw tooComplex(`references more than ${maxDepth} deep`);
    underWay.add(element);
    const own = ownWork(element, period);
    const targets = references(element).flatMap((id) => byId.get(id) ?? []);
    const parts = [
      ...element.children.map((child) => measure(child, depth + 1)),
      ...targets.map((target) => shared(target, measure(target, depth + 1))),
    ];
    const work = sum(own, parts);
    underWay.delete(element);
    check(work);
    known.set(element, work);
    return work;
  };
  measure(root, 0);
}

function* flatten(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) yield* flatten(child);
}

/** The ids that an element refers to, by `href` or by `url(#…)` in any value. */
function references({ attributes }: SvgElement): string[] {
  const ids: string[] = [];
  for (const [name, value] of attributes) {
    if (name === 'href') ids.push(value.slice(1));
    const local = /url\(\s*['"]?#([^\s'"()]+)/i.exec(value);
    if (local?.[1] !== undefined) ids.push(local[1]);
  }
  return ids;
}

function shared(element: SvgElement, work: Work): Work {
  return sharedElements.has(element.name) ? { ...work, painted: 0 } : work;
}

function sum(own: Work, parts: readonly Work[]): Work {
  const total = (key: keyof Work) => parts.reduce((value, part) => value + part[key], own[key]);
  const deepest = (key: keyof Work) => own[key] + Math.max(0, ...parts.map((part) => part[key]));
  return {
    painted: total('painted'),
    segments: total('segments'),
    dashes: total('dashes'),
    depth: deepest('depth'),
    layerDepth: deepest('layerDepth'),
    layers: total('layers'),
    filterSteps: total('filterSteps'),
  };
}

function check(work: Work): void {
  if (work.painted > maxPainted) throw tooComplex(`more than ${maxPainted} painted elements`);
  if (work.segments > maxSegments) throw tooComplex(`more than ${maxSegments} path segments`);
  if (work.dashes > maxDashes) throw tooComplex('dashed lines with too many dashes');
  if (work.layers > maxLayers) {
    throw tooComplex(`more than ${maxLayers} transparent or clipped shapes`);
  }
  if (work.filterSteps > maxFilterSteps) throw tooComplex('too many filter effects');
  if (work.depth > maxDepth) throw tooComplex(`groups more than ${maxDepth} deep`);
  if (work.layerDepth > maxLayerDepth) {
    throw tooComplex(`more than ${maxLayerDepth} transparent or clipped groups within each other`);
  }
}

function ownWork(element: SvgElement, period: number): Work {
  const { attributes } = element;
  const layered = ['opacity', 'mask', 'clip-path', 'filter', 'mix-blend-mode', 'isolation'];
  const layer = layered.some((property) => attributes.has(property)) ? 1 : 0;
  const data = attributes.get('d') ?? attributes.get('points') ?? '';
  const segments = countSegments(data);
  if (segments > maxPathSegments) {
    throw tooComplex(`a path of more than ${maxPathSegments} segments`);
  }
  return {
    painted: 1,
    segments,
    dashes: Number.isFinite(period) ? lengthBound(attributes, data) / period : 0,
    depth: 1,
    layerDepth: layer,
    layers: layer,
    filterSteps: element.name.startsWith('fe') ? 1 : 0,
  };
}

/** Segments in path data or points: numbers divided by what each command takes. */
function countSegments(data: string): number {
  let segments = 0;
  for (const [, command = '', operands = ''] of data.matchAll(/([a-z]?)([^a-df-z]*)/gi)) {
    const numbers = operands.match(numberPattern)?.length ?? 0;
    const arity = { h: 1, v: 1, c: 6, s: 4, q: 4, a: 7 }[command.toLowerCase()] ?? 2;
    segments += Math.ceil(numbers / arity) + (command === '' ? 0 : 1);
  }
  return segments;
}

const numberPattern = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** The length of one round of dashes, infinite when there are none. */
function dashPeriod({ attributes }: SvgElement): number {
  const dashes = attributes.get('stroke-dasharray')?.match(numberPattern) ?? [];
  const period = dashes.reduce((total, dash) => total + Math.abs(Number(dash)), 0);
  return period > 0 ? period : Number.POSITIVE_INFINITY;
}

/**
 * A length that a shape's outline does not exceed: no curve is longer than its control polygon, and
 * that not longer than all coordinates together, taken often enough for arcs and closed outlines.
 */
function lengthBound(attributes: ReadonlyMap<string, string>, data: string): number {
  const sides = ['width', 'height', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2'];
  const values = sides.flatMap((side) => attributes.get(side) ?? []);
  const numbers = [...values, data].flatMap((value) => value.match(numberPattern) ?? []);
  return 8 * numbers.reduce((total, number) => total + Math.abs(Number(number)), 0);
}
