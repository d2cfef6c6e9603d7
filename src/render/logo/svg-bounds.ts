import { InvalidLogo } from '../../core/ports.ts';
import { type SvgElement, tooComplex } from './svg-element.ts';
import {
  checkNumbers,
  countSegments,
  lengthBound,
  longestViewport,
  sizePx,
} from './svg-numbers.ts';

/**
 * Bounds of the work that a drawing stands for once its references are followed. They keep the first,
 * smallest rendering in the tens of milliseconds; see `svg-raster.ts` for the rest.
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
/** The rasterizer sorts the edges of one path against each other: time grows with the square. */
const maxPathSegments = 10_000;
const maxSegments = 30_000;
const maxDashes = 20_000;

interface Work {
  readonly painted: number;
  readonly segments: number;
  /** Length of the outlines that inherit their dashes from further up. */
  readonly outline: number;
  readonly dashes: number;
  readonly depth: number;
  readonly layerDepth: number;
  readonly layers: number;
  readonly filterSteps: number;
}

const nothing: Work = {
  painted: 0,
  segments: 0,
  outline: 0,
  dashes: 0,
  depth: 0,
  layerDepth: 0,
  layers: 0,
  filterSteps: 0,
};

const referredElements = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'filter',
  'linearGradient',
  'radialGradient',
]);

/** Gradients are shared by the elements that refer to them, all else is painted anew each time. */
const sharedElements = new Set(['linearGradient', 'radialGradient']);

/**
 * Follows every reference and counts what would be painted.
 *
 * @throws InvalidLogo when the drawing refers to itself or is too much work
 */
export function checkWork(root: SvgElement): void {
  const elements = [...flatten(root)];
  const byId = new Map<string, SvgElement>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined) byId.set(id, element);
  }
  const wholePx = longestViewport(elements);
  const known = new Map<SvgElement, Work>();
  const underWay = new Set<SvgElement>();

  const measure = (element: SvgElement, depth: number): Work => {
    const before = known.get(element);
    if (before) return before;
    if (underWay.has(element)) {
      throw new InvalidLogo(
        'This SVG contains an element that refers to itself. Export it again from your drawing program.',
      );
    }
    if (depth > maxDepth) throw tooComplex(`references more than ${maxDepth} deep`);
    underWay.add(element);
    const own = ownWork(element, wholePx);
    const targets = references(element).flatMap((id) => byId.get(id) ?? []);
    const parts = [
      ...element.children.map((child) => inPlace(child, measure(child, depth + 1))),
      ...targets.map((target) => shared(target, measure(target, depth + 1))),
    ];
    const work = dashed(element, sum(own, parts));
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

/** What stands there for others to refer to is not painted where it stands. */
function inPlace(element: SvgElement, work: Work): Work {
  return referredElements.has(element.name) ? nothing : work;
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
    outline: total('outline'),
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

function ownWork(element: SvgElement, wholePx: number): Work {
  const { attributes } = element;
  checkNumbers(attributes);
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
    outline: lengthBound(attributes, data, wholePx),
    dashes: 0,
    depth: 1,
    layerDepth: layer,
    layers: layer,
    filterSteps: element.name.startsWith('fe') ? 1 : 0,
  };
}

/** An element that has dashes lends them to all outlines below it. */
function dashed(element: SvgElement, work: Work): Work {
  const pattern = element.attributes.get('stroke-dasharray');
  if (pattern === undefined || pattern === 'inherit') return work;
  const period = sizePx(pattern, 0);
  const dashes = work.dashes + (period > 0 ? work.outline / period : 0);
  return { ...work, dashes, outline: 0 };
}
