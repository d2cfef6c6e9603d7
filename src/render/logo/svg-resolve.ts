import { cascade, notDrawn, rulesFor, type Style, type StyleSheet } from './svg-css.ts';
import { type Draft, tooComplex } from './svg-element.ts';
import { readAttribute } from './svg-values.ts';
import { checkNoDashes, weigh } from './svg-weighed.ts';

/** What a style sheet says is written out for every element: a file of a megabyte could come to gigabytes. */
const maxResolvedLength = 4_000_000;

/** What places the picture as a whole, which is drawn in a size of its own. */
const placements = ['x', 'y', 'width', 'height'];

/**
 * Writes the style of every element into its attributes.
 *
 * @throws InvalidLogo for what would look different, and where it comes to too much
 */
export function resolveStyles(root: Draft, sheet: StyleSheet): void {
  const elements = [...flatten(root)];
  let hasPathLength = false;
  let resolvedLength = 0;
  for (const element of elements) {
    const { attributes } = element;
    const isRoot = element === root;
    readLengths(attributes, isRoot ? placements : []);
    const style = styleOf(element, sheet);
    hasPathLength ||= style.has('pathLength');
    for (const [property, value] of weigh(element, style, isRoot)) attributes.set(property, value);
    for (const [property, value] of attributes) resolvedLength += property.length + value.length;
    if (resolvedLength > maxResolvedLength) {
      throw tooComplex('styles that come to too much once they are written out for every element');
    }
  }
  // Dashes are inherited, through references too.
  if (hasPathLength) checkNoDashes(elements);
  forgetRepeatedIds(elements);
  forgetMissingFilters(elements);
}

function styleOf({ name, attributes, presentation, inline }: Draft, sheet: StyleSheet): Style {
  const classes = attributes.get('class')?.split(/\s+/) ?? [];
  attributes.delete('class');
  return cascade(presentation, rulesFor(sheet, name, attributes.get('id'), classes), inline);
}

function* flatten(element: Draft): Generator<Draft> {
  yield element;
  for (const child of element.children) yield* flatten(child);
}

function readLengths(attributes: Map<string, string>, except: readonly string[]): void {
  for (const [name, value] of attributes) {
    if (except.includes(name)) continue;
    const read = readAttribute(name, value);
    if (read === null) throw notDrawn(name, value);
    attributes.set(name, read);
  }
}

/** The first element with an id is the one that references mean. */
function forgetRepeatedIds(elements: readonly Draft[]): void {
  const ids = new Set<string>();
  for (const { attributes } of elements) {
    const id = attributes.get('id');
    if (id === undefined) continue;
    if (ids.has(id)) attributes.delete('id');
    ids.add(id);
  }
}

/** The rasterizer leaves out what has a filter that is not there; a browser draws it without. */
function forgetMissingFilters(elements: readonly Draft[]): void {
  const known = new Set<string>();
  for (const { name, attributes } of elements) {
    const id = attributes.get('id');
    if (name === 'filter' && id !== undefined) known.add(`url(#${id})`);
  }
  for (const { attributes } of elements) {
    const filter = attributes.get('filter');
    if (filter?.startsWith('url(') && !known.has(filter)) attributes.delete('filter');
  }
}
