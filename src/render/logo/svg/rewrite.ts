import { rewriteMarkers } from './markers.ts';
import { SvgRefused } from './refusal.ts';
import {
  createGroup,
  formatTransform,
  identity,
  type Matrix,
  multiply,
  readTransform,
} from './transform.ts';
import { descendants, type SvgElement } from './tree.ts';

/** The rasterizer (resvg 0.35) leaves out elements with a smaller scale, 1/4096. */
const minScale = 1 / 2_048;

/** The part of a smaller scale that stays with its element. */
const kept = 1 / 1_024;

/**
 * Rewrites what the rasterizer would leave out or draw in another way than browsers.
 *
 * @throws SvgRefused for what cannot be rewritten
 */
export function rewriteUndrawn(root: SvgElement): void {
  rewriteMarkers(root);
  const elements = [...descendants(root)];
  for (const element of elements) refuseContextPaint(element);
  for (const use of elements.filter(({ name }) => name === 'use')) {
    const href = use.attributes.get('href');
    const symbol = elements.find(({ attributes }) => href === `#${attributes.get('id')}`);
    if (symbol?.name === 'symbol') takeSize(use, symbol);
  }
  for (const element of elements) {
    if (/Gradient$|^pattern$/.test(element.name)) refuseSmallScale(element);
    else splitSmallScale(element);
  }
}

/** Gives a use of a symbol the size that the symbol has, where it has none of its own. */
function takeSize({ attributes }: SvgElement, symbol: SvgElement): void {
  for (const side of ['width', 'height']) {
    const size = symbol.attributes.get(side);
    if (size !== undefined && !attributes.has(side)) attributes.set(side, size);
  }
  if (['x', 'y'].some((side) => Number.parseFloat(symbol.attributes.get(side) ?? '0') !== 0)) {
    throw new SvgRefused('feature', { kind: 'symbol with a position' });
  }
}

/** Returns the transforms of an element and of those around it. */
export function matrixToRoot({ attributes, parent }: SvgElement): Matrix {
  const matrix = readTransform(attributes.get('transform') ?? '') ?? identity;
  return parent === null ? matrix : multiply(matrixToRoot(parent), matrix);
}

/** Refuses colours of a context outside of markers, where <use> gives them. */
function refuseContextPaint({ attributes }: SvgElement): void {
  for (const name of ['fill', 'stroke'])
    if (attributes.get(name)?.startsWith('context-'))
      throw new SvgRefused('color', attributes.get(name));
}

/** Splits a small scale of an element: a part stays, the rest is in a group around it. */
function splitSmallScale(element: SvgElement): void {
  const { attributes, parent } = element;
  const matrix = readTransform(attributes.get('transform') ?? '');
  if (matrix === null || parent === null || !isSmall(matrix)) return;
  const [a, b, c, d, e, f] = matrix;
  const rest: Matrix = [a / kept, b / kept, c / kept, d / kept, e, f];
  if (isSmall(rest) || parent.name === 'clipPath')
    throw new SvgRefused('feature', { kind: 'tiny scale', element: element.name });
  const group = createGroup(parent, rest);
  parent.children = parent.children.map((child) => (child === element ? group : child));
  // References include the transform.
  const id = attributes.get('id');
  if (id !== undefined) group.attributes.set('id', id);
  attributes.delete('id');
  attributes.set('transform', formatTransform([kept, 0, 0, kept, 0, 0]));
  group.children = [element];
  element.parent = group;
}

/**
 * Refuses gradients and patterns of a small scale.
 * Removes those of none, with which browsers draw nothing.
 */
function refuseSmallScale({ name, attributes }: SvgElement): void {
  const property = name === 'pattern' ? 'patternTransform' : 'gradientTransform';
  const matrix = readTransform(attributes.get(property) ?? '');
  if (matrix === null) return;
  const [a, b, c, d] = matrix;
  if (a * d === b * c) attributes.delete('id');
  if (isSmall(matrix)) throw new SvgRefused('feature', { kind: 'tiny scale', element: name });
}

function isSmall([a, b, c, d]: Matrix): boolean {
  const scale = Math.min(Math.hypot(a, b), Math.hypot(c, d), Math.hypot(a, c), Math.hypot(b, d));
  // A scale of 0 draws nothing anywhere.
  return scale > 0 && scale < minScale;
}
