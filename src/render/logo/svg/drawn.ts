import { SvgRefused } from './refusal.ts';
import { identity, readTransform } from './transform.ts';
import { descendants, inherited, paintOf, type SvgElement } from './tree.ts';

/** Elements that a picture shows where they stand. */
const shown = new Set(
  'a circle ellipse foreignObject flowRoot g image line path polygon polyline rect svg switch text use'.split(
    ' ',
  ),
);

/** Elements of others: of gradients, filters and masks, which references use. */
const parts =
  /^(clipPath|fe[A-Z]\w+|filter|linearGradient|marker|mask|pattern|radialGradient|stop|symbol)$/;

/** What an attribute with url(#…) may refer to. */
const targets: Readonly<Record<string, RegExp>> = {
  fill: /^(linearGradient|radialGradient|pattern)$/,
  stroke: /^(linearGradient|radialGradient|pattern)$/,
  'clip-path': /^clipPath$/,
  mask: /^mask$/,
  filter: /^filter$/,
  'marker-start': /^marker$/,
  'marker-mid': /^marker$/,
  'marker-end': /^marker$/,
};

const animations = /^(animate|animateColor|animateMotion|animateTransform|set)$/;

/**
 * Removes what draws nothing.
 * Definitions without use, hidden parts, empty text, animations, data of drawing programs.
 *
 * @throws SvgRefused when something that is drawn needs fonts, HTML, scripts or other files
 */
export function keepDrawn(root: SvgElement): void {
  const byId = new Map<string, SvgElement>();
  for (const element of descendants(root)) {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    refuseScripts(element);
  }
  const used = new Set<SvgElement>();
  const queue = [root];
  for (let element = queue.pop(); element !== undefined; element = queue.pop()) {
    if (used.has(element)) continue;
    used.add(element);
    checkElement(element);
    queue.push(...referencesOf(element, byId), ...contentOf(element));
  }
  prune(root, used);
}

function refuseScripts({ name, attributes, text }: SvgElement): void {
  if (name === 'script' && (text.trim() !== '' || attributes.has('href')))
    throw new SvgRefused('script');
  const handler = [...attributes.keys()].find((attribute) => /^on[a-z]+$/i.test(attribute));
  if (handler !== undefined) throw new SvgRefused('script', { kind: 'attribute', name: handler });
}

function checkElement(element: SvgElement): void {
  const { name, attributes } = element;
  const hasContent = element.children.length > 0 || textOf(element).trim() !== '';
  if (name === 'foreignObject' && hasContent && isVisible(element)) throw new SvgRefused('html');
  const isText = /^(text|flowRoot)$/.test(name) && isVisible(element) && hasPaint(element);
  if (isText && textOf(element).trim() !== '') {
    throw new SvgRefused('text');
  }
  const isLinear = inherited(element, 'color-interpolation') === 'linearRGB';
  if (isLinear && /^(mask|linearGradient|radialGradient)$/.test(name)) {
    throw new SvgRefused('feature', { kind: 'linear colours', element: name });
  }
  // Browsers ignore it.
  if (name === 'mask') attributes.delete('mask');
  if (name === 'radialGradient' && Number.parseFloat(attributes.get('fr') ?? '0') > 0) {
    throw new SvgRefused('feature', { kind: 'focal radius' });
  }
  if (
    name === 'marker' &&
    ['refX', 'refY'].some((axis) => /^[a-z]/.test(attributes.get(axis) ?? ''))
  ) {
    throw new SvgRefused('feature', { kind: 'marker reference in words' });
  }
  if (
    attributes.get('vector-effect') === 'non-scaling-stroke' &&
    paintOf(element, 'stroke') !== 'none'
  ) {
    throw new SvgRefused('feature', 'vector-effect: non-scaling-stroke');
  }
  if (attributes.has('pathLength') && attributes.has('stroke-dasharray')) {
    throw new SvgRefused('feature', { kind: 'dashes with pathLength' });
  }
  if (
    isAnimated(element) &&
    (!isVisible(element) || !hasPaint(element) || isBetweenDashes(element))
  )
    throw new SvgRefused('animation');
}

function isAnimated({ attributes, children }: SvgElement): boolean {
  const hasStyle = attributes.has('animation') || attributes.has('animation-name');
  return hasStyle || children.some(({ name }) => animations.test(name));
}

/** Returns whether an element, or one around it, is neither transparent nor of no size. */
function isVisible(element: SvgElement): boolean {
  if (inherited(element, 'visibility') === 'hidden') return false;
  for (let one: SvgElement | null = element; one !== null; one = one.parent) {
    const { attributes } = one;
    const isZero = (name: string) => Number.parseFloat(attributes.get(name) ?? '1') === 0;
    const [a, b, c, d] = readTransform(attributes.get('transform') ?? '') ?? identity;
    if (isZero('opacity') || a * d === b * c) return false;
    if (one === element && ['width', 'height', 'r', 'rx', 'ry', 'font-size'].some(isZero))
      return false;
  }
  return true;
}

function hasPaint(element: SvgElement): boolean {
  return (['fill', 'stroke'] as const).some(
    (name) =>
      paintOf(element, name) !== 'none' &&
      Number.parseFloat(inherited(element, `${name}-opacity`) ?? '1') !== 0,
  );
}

/** Returns whether a line begins in a gap that is as long as its dash, before it is drawn. */
function isBetweenDashes({ attributes }: SvgElement): boolean {
  const [dash = 0, gap = dash] = (attributes.get('stroke-dasharray') ?? '')
    .split(' ')
    .map(Number.parseFloat);
  const offset = Number.parseFloat(attributes.get('stroke-dashoffset') ?? '0');
  const start = (((offset % (dash + gap)) + dash + gap) % (dash + gap)) - dash;
  return start >= 0 && gap - start >= dash;
}

function textOf(element: SvgElement): string {
  return [...descendants(element)].map(({ text }) => text).join('');
}

/** Returns the children that are drawn with an element. */
function contentOf({ name, children }: SvgElement): SvgElement[] {
  const drawn = children.filter(({ name: child, attributes }) => {
    const isContent = shown.has(child) || (parts.test(name) && /^(stop|fe[A-Z]\w+)$/.test(child));
    return isContent && attributes.get('display') !== 'none' && suitsReader(attributes);
  });
  return name === 'switch' ? drawn.slice(0, 1) : drawn;
}

/** Conditions of SVG: no extension is supported, and the language is English. */
function suitsReader(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.has('requiredExtensions')) return attributes.get('requiredExtensions') === '';
  return /(^|,)\s*en\b/i.test(attributes.get('systemLanguage') ?? 'en');
}

/** Returns the elements that an element refers to, and removes references to nothing. */
function referencesOf(element: SvgElement, byId: ReadonlyMap<string, SvgElement>): SvgElement[] {
  const { name, attributes } = element;
  const found: SvgElement[] = [];
  const find = (id: string) => byId.get(id) ?? byId.get(decodedId(id));
  if (name === 'a') attributes.delete('href');
  const href = attributes.get('href')?.trim();
  if (href === '') attributes.delete('href');
  else if (
    href !== undefined &&
    name !== 'image' &&
    !(name === 'feImage' && /^data:/i.test(href))
  ) {
    if (!href.startsWith('#')) throw new SvgRefused('external', href);
    const target = find(href.slice(1));
    if (target !== undefined) {
      found.push(target);
      attributes.set('href', `#${target.attributes.get('id')}`);
    }
  }
  for (const [attribute, allowed] of Object.entries(targets)) {
    const [, id] = /^url\(#(.*?)\)/.exec(attributes.get(attribute) ?? '') ?? [];
    if (id === undefined) continue;
    const target = find(id);
    const isPaint = attribute === 'fill' || attribute === 'stroke';
    if (target !== undefined && allowed.test(target.name)) {
      found.push(target);
      attributes.set(attribute, `url(#${target.attributes.get('id')})`);
    } else if (target !== undefined && isPaint) throw new SvgRefused('feature', `<${target.name}>`);
    // A browser draws the element as if the reference were not there.
    else if (!isPaint) attributes.delete(attribute);
  }
  return found;
}

function decodedId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Removes what is not used. Elements around something used become <defs>. */
function prune(element: SvgElement, used: ReadonlySet<SvgElement>): boolean {
  element.children = element.children.filter((child) => prune(child, used));
  if (element.name === 'a') element.name = 'g';
  if (used.has(element)) return shown.has(element.name) || parts.test(element.name);
  if (element.children.length === 0) return false;
  element.name = 'defs';
  for (const name of ['display', 'transform', 'id']) element.attributes.delete(name);
  return true;
}
