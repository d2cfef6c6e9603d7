import { SvgRefused } from '../refusal.ts';
import { around, createGroup, type Matrix, readTransform } from '../transform.ts';
import { descendants, inherited, type SvgElement, viewBoxOf } from '../tree.ts';
import { createCascade, type Declaration } from './cascade.ts';
import { readColor } from './color.ts';
import { isPresentationAttribute, readProperty } from './values.ts';
import { substituteVariables, variablesOf } from './variables.ts';

/** Of these the rasterizer reads only the style attribute. */
const onlyInStyle = ['isolation', 'mix-blend-mode'];

/** What the rasterizer reads in attributes, and browsers in style sheets only. */
const notAttributes: ReadonlySet<string> = new Set(['class', 'style', ...onlyInStyle]);

/**
 * Replaces the styles of an SVG by attributes that the rasterizer reads.
 * Colours are in sRGB, and there are no variables.
 *
 * @throws SvgRefused for what a browser would show in another way
 */
export function applyStyles(root: SvgElement): void {
  const cascade = createCascade(root, isPresentationAttribute);
  const declared = new Map<SvgElement, readonly Declaration[]>();
  for (const element of descendants(root)) declared.set(element, cascade(element));
  const variables = variablesOf(root, declared);
  for (const [element, declarations] of declared) {
    const { attributes } = element;
    for (const key of [...attributes.keys()])
      if (isPresentationAttribute(key) || notAttributes.has(key)) attributes.delete(key);
    const candidates = declarations
      .filter(({ property, value }) => {
        // Sizes by those of a window: the viewBox has the shape.
        const isFluid =
          element === root && /^(width|height)$/.test(property) && !/^[\d.]+px$/.test(value);
        return !property.startsWith('--') && !isFluid;
      })
      .toReversed()
      .flatMap(expandShorthand);
    const byProperty = Map.groupBy(candidates, ({ property }) => property);
    // Others may take this colour.
    const properties = [...byProperty].toSorted(
      ([a], [b]) => Number(b === 'color') - Number(a === 'color'),
    );
    for (const [property, winners] of properties) {
      const substituted = winners.map(({ value: written, selector }) => {
        return { written, selector, value: substituteVariables(written, variables) };
      });
      const value = readProperty(property, substituted, inherited(element, 'color') ?? '#000');
      if (value === '') attributes.delete(property);
      else if (value !== null) attributes.set(property, value);
    }
    inheritCurrentColor(element);
    checkOrigin(element, root);
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

/**
 * Functions of images have a hyphen, such as `linear-gradient`.
 * `color-mix`, a function of colours, has one too: it is refused as well.
 */
const backgroundImage = /^(?:url|image|[a-z]*-[a-z-]*)\(/i;

function expandShorthand(declaration: Declaration): Declaration[] {
  const property = aliases[declaration.property] ?? declaration.property;
  if (declaration.property === 'background') {
    const parts = declaration.value.match(/[^\s(]+(?:\((?:[^()]|\([^()]*\))*\))?/g) ?? [];
    const color = parts.find((part) => readColor(part) !== null);
    const image = parts.find((part) => backgroundImage.test(part));
    return [
      { ...declaration, property, value: color ?? (image ? 'none' : declaration.value) },
      { ...declaration, property: 'background-image', value: image ?? 'none' },
    ];
  }
  if (property !== declaration.property) return [{ ...declaration, property }];
  if (property !== 'marker') return [declaration];
  return ['start', 'mid', 'end'].map((end) => ({ ...declaration, property: `marker-${end}` }));
}

/** Repeats an inherited "currentColor" where the colour changes: it is inherited as such. */
function inheritCurrentColor(element: SvgElement): void {
  if (!element.attributes.has('color')) return;
  for (const paint of ['fill', 'stroke'])
    if (inherited(element, paint) === 'currentColor') element.attributes.set(paint, 'currentColor');
}

/** Refuses transforms about another point than (0, 0), or than the middle of the picture for its own. */
function checkOrigin(element: SvgElement, root: SvgElement): void {
  const { attributes, name } = element;
  const origin = attributes.get('transform-origin') ?? '';
  const box = attributes.get('transform-box') ?? 'view-box';
  for (const name of ['transform-origin', 'transform-box']) attributes.delete(name);
  const matrix = readTransform(attributes.get('transform') ?? '');
  if (matrix === null) return;
  if (attributes.has('transform') && /Gradient$|^(pattern|symbol)$/.test(name)) {
    throw new SvgRefused('feature', { kind: 'transform of an element', element: name });
  }
  const [a, b, c, d] = matrix;
  const isTranslation = a === 1 && b === 0 && c === 0 && d === 1;
  const usual = element === root ? /^((center|50%) ?){0,2}$/ : /^(0(px)? ?){0,2}$/;
  if (!isTranslation && !(usual.test(origin) && box === 'view-box'))
    throw new SvgRefused('feature', `transform-origin: ${origin}`);
  if (element === root) transformRoot(root, matrix);
}

/** Moves the transform of a picture, which is in pixels and about the middle, into it. */
function transformRoot(root: SvgElement, matrix: Matrix): void {
  const { attributes, children } = root;
  if (!attributes.delete('transform')) return;
  const [left = 0, top = 0, width = 0, height = 0] = viewBoxOf(root);
  const [a, b, c, d, e, f] = matrix;
  const pixel = unitsPerPixel(root);
  const inUnits: Matrix = [a, b, c, d, e * pixel, f * pixel];
  const group = createGroup(root, around(inUnits, left + width / 2, top + height / 2));
  for (const child of children) child.parent = group;
  group.children = children;
  root.children = [group];
}

/** Returns how many units of the viewBox a pixel is, at the size that the file says. */
function unitsPerPixel(root: SvgElement): number {
  const [, , width = 0] = viewBoxOf(root);
  const written = root.attributes.get('width') ?? '';
  const widthPx = /^[\d.]+(px)?$/.test(written) ? Number.parseFloat(written) : width;
  return widthPx > 0 && width > 0 ? width / widthPx : 1;
}

/** Draws the CSS background of the picture, which browsers show. */
function drawBackground(root: SvgElement): void {
  const image = root.attributes.get('background-image');
  if (image !== undefined) throw new SvgRefused('feature', `background-image: ${image}`);
  const color = root.attributes.get('background-color');
  root.attributes.delete('background-color');
  if (color === undefined || color === 'none' || color === 'inherit') return;
  const box = viewBoxOf(root);
  const sides = ['x', 'y', 'width', 'height'].map((name, at) => [name, String(box[at])] as const);
  const attributes = new Map([...sides, ['fill', color], ['stroke', 'none']] as const);
  root.children.unshift({ name: 'rect', parent: root, attributes, children: [], text: '' });
}
