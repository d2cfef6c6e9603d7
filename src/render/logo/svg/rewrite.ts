import { SvgRefused } from './refusal.ts';
import { formatTransform, identity, type Matrix, multiply, readTransform } from './transform.ts';
import { descendants, type SvgElement, serializeSvg } from './tree.ts';

/** The rasterizer (resvg 0.35) leaves out elements with a smaller scale, 1/4096. */
const minScale = 1 / 2_048;

/** The same scale in steps, each of them large enough. */
const scaleStep = 1 / 1_024;

const markerProperties = ['marker-start', 'marker-mid', 'marker-end'];
const drawsMarkers = /^(path|line|polyline|polygon)$/;

/**
 * Rewrites what the rasterizer would leave out or draw in another way than browsers.
 *
 * @throws SvgRefused for what cannot be rewritten
 */
export function rewriteUndrawn(root: SvgElement): void {
  const elements = [...descendants(root)];
  for (const element of elements) {
    keepStrokeWidth(element);
    colorMarkers(element, elements);
    showMarkers(element);
    refuseContextPaint(element);
  }
  for (const element of elements) {
    if (/Gradient$|^pattern$/.test(element.name)) scaleGradient(element);
    else splitSmallScale(element);
  }
}

/** Gives a stroke that transforms leave alone (`vector-effect`) the width that the transforms undo. */
function keepStrokeWidth(element: SvgElement): void {
  const { attributes } = element;
  if (attributes.get('vector-effect') !== 'non-scaling-stroke') return;
  const [a, b, c, d] = matrixToRoot(element);
  const scale = Math.sqrt(Math.abs(a * d - b * c));
  const unscale = (lengths: string) =>
    lengths
      .split(/[\s,]+/)
      .map((length) => {
        if (!/^[-+\d.e]+(px)?$/.test(length)) {
          throw new SvgRefused('feature', `non-scaling-stroke of ${length}`);
        }
        return String(Number.parseFloat(length) / scale);
      })
      .join(' ');
  attributes.set('stroke-width', unscale(inherited(element, 'stroke-width') ?? '1'));
  const dashes = inherited(element, 'stroke-dasharray') ?? 'none';
  if (dashes !== 'none') attributes.set('stroke-dasharray', unscale(dashes));
}

function matrixToRoot({ attributes, parent }: SvgElement): Matrix {
  const matrix = readTransform(attributes.get('transform') ?? '') ?? identity;
  return parent === null ? matrix : multiply(matrixToRoot(parent), matrix);
}

/** Gives a path whose markers take its colours (context-fill, context-stroke) markers of its own. */
function colorMarkers(element: SvgElement, elements: readonly SvgElement[]): void {
  if (!drawsMarkers.test(element.name)) return;
  const paints: Readonly<Record<string, string>> = {
    'context-fill': inherited(element, 'fill') ?? '#000',
    'context-stroke': inherited(element, 'stroke') ?? 'none',
  };
  for (const property of markerProperties) {
    const [, id] = /^url\(#(.*)\)$/.exec(inherited(element, property) ?? '') ?? [];
    const marker = elements.find(({ attributes }) => id && attributes.get('id') === id);
    const text = marker === undefined ? '' : serializeSvg(marker);
    if (!marker?.parent || !text.includes('="context-')) continue;
    const own = copy(marker, marker.parent, paints);
    const ownId = `${id} of ${elements.indexOf(element)}`.replaceAll(' ', '-');
    own.attributes.set('id', ownId);
    marker.parent.children.push(own);
    element.attributes.set(property, `url(#${ownId})`);
  }
}

/** Refuses colours of a context outside of markers, where <use> gives them. */
function refuseContextPaint(element: SvgElement): void {
  const paint = ['fill', 'stroke'].find((name) =>
    element.attributes.get(name)?.startsWith('context-'),
  );
  for (let parent = element.parent; parent !== null; parent = parent.parent)
    if (parent.name === 'marker') return;
  if (paint !== undefined) throw new SvgRefused('color', element.attributes.get(paint));
}

/** Copies an element with its content, some attribute values replaced by others. */
function copy(
  element: SvgElement,
  parent: SvgElement,
  values: Readonly<Record<string, string>>,
): SvgElement {
  const attributes = new Map(
    [...element.attributes].map(([name, value]) => [name, values[value] ?? value]),
  );
  const copied: SvgElement = { ...element, parent, attributes, children: [] };
  copied.children = element.children.map((child) => copy(child, copied, values));
  return copied;
}

/**
 * Gives a path that only carries markers an invisible stroke: without one it is left out. The rasterizer
 * draws markers on all shapes, browsers on these only.
 */
function showMarkers(element: SvgElement): void {
  const { attributes, name } = element;
  if (!markerProperties.some((property) => inherited(element, property))) return;
  if (!drawsMarkers.test(name)) {
    if (/^(rect|circle|ellipse)$/.test(name)) {
      for (const property of markerProperties) attributes.set(property, 'none');
    }
    return;
  }
  const isFilled = (inherited(element, 'fill') ?? '#000') !== 'none';
  const isStroked = (inherited(element, 'stroke') ?? 'none') !== 'none';
  if (isFilled || isStroked) return;
  attributes.set('stroke', '#000');
  attributes.set('stroke-opacity', '0');
}

/** Returns the value of an attribute of an element or of those around it. */
function inherited(element: SvgElement, name: string): string | undefined {
  const value = element.attributes.get(name);
  if (value !== undefined && value !== 'inherit') return value;
  return element.parent === null ? undefined : inherited(element.parent, name);
}

/** Puts an element with a small scale into groups with a part of it each. */
function splitSmallScale(element: SvgElement): void {
  const { attributes, parent } = element;
  const matrix = readTransform(attributes.get('transform') ?? '');
  if (matrix === null || parent === null || !isSmall(matrix)) return;
  if (parent.name === 'clipPath') throw new SvgRefused('feature', 'a clip path of a tiny scale');
  const steps = Math.ceil(Math.log(minScale / smallestScale(matrix)) / -Math.log(scaleStep));
  const [a, b, c, d, e, f] = matrix;
  const rest = 1 / scaleStep ** steps;
  const outer: Matrix = [a * rest, b * rest, c * rest, d * rest, e, f];
  let group = createGroup(parent, outer);
  parent.children = parent.children.map((child) => (child === element ? group : child));
  // References include the transform.
  const id = attributes.get('id');
  if (id !== undefined) group.attributes.set('id', id);
  for (const name of ['id', 'transform']) attributes.delete(name);
  for (let step = 0; step < steps; step++) {
    const inner = createGroup(group, [scaleStep, 0, 0, scaleStep, 0, 0]);
    group.children = [inner];
    group = inner;
  }
  group.children = [element];
  element.parent = group;
}

/** Coordinates of gradients; the first ones have no default in plain numbers. */
const gradientCoordinates = ['x2', 'cx', 'cy', 'r', 'x1', 'y1', 'y2', 'fx', 'fy'];

/** Moves a small scale of a gradient into its coordinates. Patterns have none. */
function scaleGradient({ name, attributes }: SvgElement): void {
  const property = name === 'pattern' ? 'patternTransform' : 'gradientTransform';
  const matrix = readTransform(attributes.get(property) ?? '');
  if (matrix === null) return;
  const [a, b, c, d, e, f] = matrix;
  // Browsers draw nothing with it.
  if (a * d === b * c) attributes.delete('id');
  if (!isSmall(matrix)) return;
  const needed = gradientCoordinates.slice(...(name === 'linearGradient' ? [0, 1] : [1, 4]));
  const isPlain = (key: string) => Number.isFinite(Number(attributes.get(key) ?? 0));
  const canScale = needed.every((key) => attributes.has(key)) && gradientCoordinates.every(isPlain);
  if (name === 'pattern' || !canScale) {
    throw new SvgRefused('feature', `<${name}> of a tiny scale`);
  }
  const scale = smallestScale(matrix);
  const larger: Matrix = [a / scale, b / scale, c / scale, d / scale, e, f];
  attributes.set(property, formatTransform(larger));
  for (const key of gradientCoordinates) {
    const coordinate = attributes.get(key);
    if (coordinate !== undefined) attributes.set(key, String(Number(coordinate) * scale));
  }
}

function createGroup(parent: SvgElement, transform: Matrix): SvgElement {
  const attributes = new Map([['transform', formatTransform(transform)]]);
  return { name: 'g', parent, attributes, children: [], text: '' };
}

function smallestScale([a, b, c, d]: Matrix): number {
  return Math.min(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a, c), Math.hypot(b, d));
}

function isSmall(matrix: Matrix): boolean {
  const scale = smallestScale(matrix);
  // A scale of 0 draws nothing anywhere.
  return scale > 0 && scale < minScale;
}
