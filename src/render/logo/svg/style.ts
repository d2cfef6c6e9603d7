import { createCascade, type Declaration } from './cascade.ts';
import { SvgRefused } from './refusal.ts';
import { around, formatTransform, readTransform } from './transform.ts';
import { descendants, type SvgElement } from './tree.ts';
import { isPresentationAttribute, readProperty } from './values.ts';
import { substituteVariables } from './variables.ts';

/** Of these the rasterizer reads only the style attribute. */
const onlyInStyle = ['isolation', 'mix-blend-mode'];

/**
 * Replaces the style sheets and style attributes of an SVG by attributes that the rasterizer reads, with
 * colours in sRGB and without variables.
 *
 * @throws SvgRefused for what a browser would show in another way
 */
export function applyStyles(root: SvgElement): void {
  const cascade = createCascade(root, isPresentationAttribute);
  const declared = new Map<SvgElement, readonly Declaration[]>();
  for (const element of descendants(root)) declared.set(element, cascade(element));
  const declarationsOf = (element: SvgElement) => declared.get(element) ?? [];
  for (const [element, declarations] of declared) {
    const { attributes, name } = element;
    // Variables of <use> hold in its copy of another element, which is styled only once here.
    const own = declarations.find(({ property }) => property.startsWith('--'));
    if (name === 'use' && own !== undefined)
      throw new SvgRefused('variable', `${own.property} of <use>`);
    for (const key of [...attributes.keys()])
      if (/^(style|class)$/.test(key) || isPresentationAttribute(key)) attributes.delete(key);
    const candidates = declarations
      .filter(({ property, value }) => {
        // Sizes by those of a window: the viewBox has the shape.
        const isFluid =
          element === root && /^(width|height)$/.test(property) && !/^[\d.]+px$/.test(value);
        return !property.startsWith('--') && !isFluid;
      })
      .toReversed()
      .flatMap(expandShorthand);
    for (const [property, winners] of Map.groupBy(candidates, ({ property }) => property)) {
      const substituted = winners.map(({ value: written, selector }) => {
        return { written, selector, value: substituteVariables(element, written, declarationsOf) };
      });
      const value = readProperty(property, substituted);
      if (value === '') attributes.delete(property);
      else if (value !== null) attributes.set(property, value);
    }
    applyOrigin(element, root);
    const styles = onlyInStyle.filter((property) => attributes.has(property));
    const style = styles.map((property) => `${property}:${attributes.get(property)}`).join(';');
    if (style !== '') attributes.set('style', style);
  }
  drawBackground(root);
}

/** Names of the same property, as far as it is read here. */
const aliases: Readonly<Record<string, string>> = {
  '-webkit-clip-path': 'clip-path',
  '-webkit-filter': 'filter',
  '-webkit-mask': 'mask',
  '-webkit-mask-image': 'mask',
  '-webkit-transform': 'transform',
  'mask-image': 'mask',
  background: 'background-color',
};

function expandShorthand(declaration: Declaration): Declaration[] {
  const property = aliases[declaration.property] ?? declaration.property;
  if (property !== declaration.property) return [{ ...declaration, property }];
  if (property !== 'marker') return [declaration];
  return ['start', 'mid', 'end'].map((end) => ({ ...declaration, property: `marker-${end}` }));
}

/** Makes a transform about `transform-origin` one about (0, 0). */
function applyOrigin({ attributes }: SvgElement, root: SvgElement): void {
  const origin = attributes.get('transform-origin');
  const box = attributes.get('transform-box') ?? 'view-box';
  for (const name of ['transform-origin', 'transform-box']) attributes.delete(name);
  const matrix = readTransform(attributes.get('transform') ?? '');
  if (matrix === null) return;
  const [a, b, c, d] = matrix;
  const isTranslation = a === 1 && b === 0 && c === 0 && d === 1;
  if (isTranslation || (origin === undefined && box === 'view-box')) return;
  if (box !== 'view-box') throw new SvgRefused('feature', `transform-box: ${box}`);
  const [x = 0, y = 0] = readOrigin(origin ?? '', viewBoxOf(root));
  attributes.set('transform', formatTransform(around(matrix, x, y)));
}

const originKeywords: Readonly<Record<string, string>> = {
  left: '0%',
  top: '0%',
  center: '50%',
  right: '100%',
  bottom: '100%',
};

function readOrigin(origin: string, [left, top, width, height]: readonly number[]): number[] {
  const words = origin.trim().toLowerCase().split(/\s+/);
  const isVerticalFirst =
    /^(top|bottom)$/.test(words[0] ?? '') || /^(left|right)$/.test(words[1] ?? '');
  const [x = '50%', y = '50%'] = isVerticalFirst ? [words[1], words[0]] : words;
  const read = (word: string, start = 0, size = 0) => {
    const value = originKeywords[word] ?? word;
    const [, amount, unit] = /^([-+\d.e]+)(px|%)?$/.exec(value) ?? [];
    if (amount === undefined) throw new SvgRefused('feature', `transform-origin: ${origin}`);
    return unit === '%' ? start + (Number(amount) / 100) * size : Number(amount);
  };
  return [read(x, left, width), read(y, top, height)];
}

/** Returns left, top, width and height of the viewBox, or the size of the picture. */
export function viewBoxOf({ attributes }: SvgElement): readonly number[] {
  const box = attributes
    .get('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  if (box?.length === 4 && box.every(Number.isFinite)) return box;
  return [
    0,
    0,
    ...['width', 'height'].map((side) => Number.parseFloat(attributes.get(side) ?? '0')),
  ];
}

/** Draws the CSS background of the picture, which browsers show. */
function drawBackground(root: SvgElement): void {
  const color = root.attributes.get('background-color');
  root.attributes.delete('background-color');
  if (color === undefined || color === 'none') return;
  const box = viewBoxOf(root);
  const sides = ['x', 'y', 'width', 'height'].map((name, at) => [name, String(box[at])] as const);
  const attributes = new Map([...sides, ['fill', color], ['stroke', 'none']] as const);
  root.children.unshift({ name: 'rect', parent: root, attributes, children: [], text: '' });
}
