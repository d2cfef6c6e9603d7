import { InvalidLogo } from '../../core/ports.ts';
import {
  allowedProperties,
  refusedProperties,
  styleOnly,
  weighedProperties,
} from './svg-allowed.ts';
import { readValue } from './svg-values.ts';

/** Style properties with their values. */
export type Style = Map<string, string>;

/** Declarations that stand together; the important ones beat those of other places. */
export interface Declarations {
  readonly normal: Style;
  readonly important: Style;
}

interface Rule {
  readonly tag: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
  /** Ids count more than classes, classes more than the tag. */
  readonly specificity: number;
  readonly style: Declarations;
}

/** A style sheet of rules with simple selectors, in the order in which they apply. */
export type StyleSheet = readonly Rule[];

/** Every rule is tried on every element, so their number is bounded. */
const maxRules = 500;
/** Two hundred characters for each rule; Illustrator writes sixty. Comments do not count. */
const maxSheetLength = 100_000;

/**
 * Reads the style sheets that drawing programs write: rules for tags, classes and ids, no nesting.
 *
 * @throws InvalidLogo for anything that loads, or that is more than that
 */
export function readStyleSheet(text: string): StyleSheet {
  const css = withoutComments(text);
  if (css.includes('@')) {
    throw refused('a style sheet with an @-rule (such as @import or @font-face)');
  }
  if (css.length > maxSheetLength) {
    throw refused(`a style sheet of more than ${maxSheetLength} characters`);
  }
  const rules: Rule[] = [];
  for (const block of css.split('}')) {
    if (block.trim() === '') continue;
    const [selectors = '', body, ...more] = block.split('{');
    if (body === undefined || more.length > 0) throw refused('a style sheet with a syntax error');
    const style = readStyle(body);
    for (const selector of selectors.split(',')) rules.push(readSelector(selector.trim(), style));
    if (rules.length > maxRules) throw refused(`more than ${maxRules} style rules`);
  }
  return rules.sort((one, other) => one.specificity - other.specificity);
}

/**
 * CSS with a space in place of each comment; one that does not end is no comment. An expression would
 * look for an end from every beginning, hours for a megabyte of them, and nothing stops an expression.
 */
function withoutComments(css: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const begin = css.indexOf('/*', at);
    const end = begin < 0 ? -1 : css.indexOf('*/', begin + 2);
    if (end < 0) break;
    kept.push(css.slice(at, begin));
    at = end + 2;
  }
  return [...kept, css.slice(at)].join(' ');
}

function readSelector(selector: string, style: Declarations): Rule {
  if (!/^(\*|[a-z]+)?([.#][\w-]+)*$/i.test(selector) || selector === '') {
    throw refused(`the style selector “${selector.slice(0, 40)}”`);
  }
  const tag = /^[a-z]+/i.exec(selector)?.[0] ?? null;
  const ids = [...selector.matchAll(/#([\w-]+)/g)].map((match) => match[1] ?? '');
  const classes = [...selector.matchAll(/\.([\w-]+)/g)].map((match) => match[1] ?? '');
  const specificity = ids.length * 10_000 + classes.length * 100 + (tag === null ? 0 : 1);
  return { tag, id: ids[0] ?? null, classes, specificity, style };
}

/**
 * Reads declarations, as in a `style` attribute. Properties that a logo has no use for are left out.
 * What cannot be drawn is left out beside a plainer declaration of the same property: Figma writes each
 * colour as sRGB and then as Display P3.
 *
 * @throws InvalidLogo for values that load something or cannot be drawn, and for properties that would
 *   move a shape
 */
export function readStyle(text: string): Declarations {
  const style: Declarations = { normal: new Map(), important: new Map() };
  const unread: Style = new Map();
  // A comment that does not end reaches to the end.
  const [declarations = ''] = withoutComments(text).split('/*', 1);
  for (const declaration of declarations.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const given = declaration.slice(colon + 1);
    const value = given.replace(/!\s*important\s*$/i, '').trim();
    if (!isUseful(property, value)) continue;
    const kept = readValue(property, value);
    if (kept === null) unread.set(property, value);
    else style[value === given.trim() ? 'normal' : 'important'].set(property, kept);
  }
  for (const [property, value] of unread) {
    const plainer = style.normal.has(property) || style.important.has(property);
    if (!plainer) throw notDrawn(property, value);
  }
  return style;
}

/**
 * The value of a style property that stands as an attribute, null if it is of no use.
 *
 * @throws InvalidLogo as `readStyle` does
 */
export function readProperty(property: string, text: string): string | null {
  const value = text.trim();
  if (!isUseful(property, value) || styleOnly.has(property)) return null;
  const kept = readValue(property, value);
  if (kept === null) throw notDrawn(property, value);
  return kept;
}

/** Values that undo a declaration before them, which therefore does not stand for them. */
const resets = ['unset', 'revert', 'revert-layer'];

/** Values that programs write for no value; a browser leaves them out. */
const noValues = ['', 'null', 'undefined'];

function isUseful(property: string, value: string): boolean {
  if (/\\/.test(value) || /url\s*\(/i.test(value)) {
    const local = /^url\(\s*(['"]?)#([^\s'"()\\<>]+)\1\s*\)(\s[^()\\]*)?$/i.exec(value);
    if (!local)
      throw refused(`“${property}: ${value.slice(0, 60)}”, which points outside the file`);
  }
  if (refusedProperties.has(property) && value !== 'none') {
    throw refused(`the style property “${property}”`);
  }
  if (noValues.includes(value)) return false;
  if (!allowedProperties.has(property)) return weighedProperties.has(property);
  if (/var\s*\(|env\s*\(/i.test(value)) throw refused('style variables');
  if (resets.includes(value.toLowerCase())) throw notDrawn(property, value);
  return true;
}

/** What the rules declare for an element, the strongest last. */
export function rulesFor(
  sheet: StyleSheet,
  tag: string,
  id: string | undefined,
  classes: readonly string[],
): Declarations[] {
  return sheet
    .filter(
      (rule) =>
        (rule.tag === null || rule.tag === tag) &&
        (rule.id === null || rule.id === id) &&
        rule.classes.every((name) => classes.includes(name)),
    )
    .map((rule) => rule.style);
}

/** The style of an element from all that is declared for it, the strongest winning. */
export function cascade(
  presentation: Style,
  rules: readonly Declarations[],
  inline: Declarations,
): Style {
  const parts = [
    presentation,
    ...rules.map(({ normal }) => normal),
    inline.normal,
    ...rules.map(({ important }) => important),
    inline.important,
  ];
  const style: Style = new Map();
  for (const part of parts) {
    for (const [property, value] of part) style.set(property, value);
  }
  return style;
}

/** A value that the rasterizer would paint as something else. */
export function notDrawn(property: string, value: string): InvalidLogo {
  const wayOut = styleOnly.has(property)
    ? ''
    : ': colours have to be written as #rrggbb, and lengths as plain numbers';
  return refused(`“${property}: ${value.slice(0, 60)}”, which cannot be drawn here${wayOut}`);
}

function refused(what: string): InvalidLogo {
  return new InvalidLogo(
    `This SVG contains ${what}. Export it with plain presentation attributes, or as PNG.`,
  );
}
