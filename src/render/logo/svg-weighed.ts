import { InvalidLogo } from '../../core/ports.ts';
import { weighedProperties } from './svg-allowed.ts';
import type { Style } from './svg-css.ts';
import type { SvgElement } from './svg-element.ts';

/**
 * What the rasterizer does not know, and what moves or redraws a shape in some places only. Drawing
 * programs write much of it where it does nothing, and there it is left out.
 */

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];

/** Elements whose attribute a browser overrides by the style property of the same name. */
const geometry: Record<string, readonly string[]> = {
  x: ['rect', 'svg', 'use'],
  y: ['rect', 'svg', 'use'],
  width: ['rect', 'svg'],
  height: ['rect', 'svg'],
  cx: ['circle', 'ellipse'],
  cy: ['circle', 'ellipse'],
  r: ['circle'],
  rx: ['rect', 'ellipse'],
  ry: ['rect', 'ellipse'],
  d: ['path'],
};

const emptyBackgrounds = ['none', 'transparent', 'initial', 'unset', '0 0', 'rgba(0, 0, 0, 0)'];

/**
 * The style of an element without what is never drawn. Its `transform` goes where its style says so.
 *
 * @throws InvalidLogo for what would have to be drawn
 */
export function weigh(element: SvgElement, style: Style, isRoot: boolean): Style {
  const { attributes } = element;
  if (style.has('transform')) attributes.delete('transform');
  if (isRoot) checkRoot(attributes, style);
  else checkGeometry(element.name, style);
  checkOrigin(attributes, style);
  const strokes = shapes.includes(element.name) && style.get('stroke') !== 'none';
  if (strokes && style.get('vector-effect') === 'non-scaling-stroke') {
    throw refused('“vector-effect: non-scaling-stroke”');
  }
  return new Map([...style].filter(([property]) => !weighedProperties.has(property)));
}

/** @throws InvalidLogo where dashes would be measured in lengths of the path */
export function checkNoDashes(elements: readonly SvgElement[]): void {
  for (const { attributes } of elements) {
    const dashes = attributes.get('stroke-dasharray') ?? 'none';
    if (dashes !== 'none') throw refused('dashed lines with a “pathLength”');
  }
}

function checkRoot(attributes: ReadonlyMap<string, string>, style: Style): void {
  const transform = attributes.get('transform') ?? '';
  if (!isNoMove(transform)) throw refused('a transform on its <svg> element');
  for (const property of ['background', 'background-color', 'background-image']) {
    const value = style.get(property) ?? 'none';
    if (!emptyBackgrounds.includes(value)) {
      throw refused(`“${property}: ${value.slice(0, 60)}” instead of a shape in that colour`);
    }
  }
}

function checkGeometry(name: string, style: Style): void {
  for (const property of style.keys()) {
    if (!geometry[property]?.includes(name)) continue;
    throw refused(`“${property}” as the style of a <${name}>; it has to be an attribute`);
  }
}

/** Where the origin lies does not matter to what is only shifted, or not transformed at all. */
function checkOrigin(attributes: ReadonlyMap<string, string>, style: Style): void {
  const transform = attributes.get('transform') ?? attributes.get('gradientTransform') ?? '';
  if (isNoMove(transform.replaceAll(/translate\s*\([^()]*\)/gi, ''))) return;
  const origin = (style.get('transform-origin') ?? '0').toLowerCase().split(/\s+/);
  if (!origin.every((part) => /^(?:0(?:px|%)?|left|top|initial)$/.test(part))) {
    throw refused('a “transform-origin”');
  }
  if (!['view-box', 'initial'].includes(style.get('transform-box') ?? 'initial')) {
    throw refused('a “transform-box”');
  }
}

/** Whether each function of a transform leaves everything as it is. */
function isNoMove(transform: string): boolean {
  const functions = [...transform.matchAll(/([a-z]+)\s*\(([^()]*)\)/gi)];
  return functions.every(([, name = '', given = '']) => {
    const numbers = given
      .split(/[\s,]+/)
      .filter((part) => part !== '')
      .map(Number);
    if (name === 'scale') return numbers.every((number) => number === 1);
    if (name === 'matrix') return numbers.join(' ') === '1 0 0 1 0 0';
    return (name === 'rotate' ? numbers.slice(0, 1) : numbers).every((number) => number === 0);
  });
}

function refused(what: string): InvalidLogo {
  return new InvalidLogo(
    `This SVG contains ${what}, which cannot be drawn here. Export it as plain SVG, or as PNG.`,
  );
}
