import { SaxesParser, type SaxesTagNS } from 'saxes';
import { InvalidLogo } from '../../core/ports.ts';
import {
  allowedAttributes,
  allowedElements,
  animationElements,
  conditions,
  droppedElements,
  refusedElements,
} from './svg-allowed.ts';
import { readProperty, readStyle, readStyleSheet } from './svg-css.ts';
import { type Draft, type SvgElement, tooComplex } from './svg-element.ts';
import { resolveStyles } from './svg-resolve.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/** An illustration has some hundred elements; ten times as many are drawn in a blink. */
const maxElements = 5_000;
const maxDepth = 64;
const maxAttributes = 100;
/** Path data may be long; all other values are short. */
const maxValueLength = 2_000;
const maxPathLength = 200_000;
/** Inkscape names sixty properties in some two thousand characters. */
const maxStyleLength = 10_000;

/** The document type that drawing programs write. It declares nothing, and it is never fetched. */
const standardDoctype =
  /^\s*svg(\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [\w. /-]{1,40}"\s+"https?:\/\/www\.w3\.org\/[\w./-]{1,100}")?\s*$/;

/**
 * Parses an SVG strictly and keeps what a logo needs: allowed elements and attributes, with all
 * style resolved. What is returned is complete; nothing of the text itself has to be passed on.
 *
 * @throws InvalidLogo naming what is not allowed, or where the text is not well-formed
 */
export function parseSvg(text: string): SvgElement {
  const roots: Draft[] = [];
  const open: Draft[] = [];
  let css = '';
  let inStyle = false;
  let droppedDepth = 0;
  let depth = 0;
  let elements = 0;

  const parser = new SaxesParser({ xmlns: true, position: true });
  parser.on('error', (error) => {
    throw new InvalidLogo(
      `This SVG is not well-formed XML (${error.message.slice(0, 120)}). Export it again from your drawing program.`,
    );
  });
  parser.on('doctype', (doctype) => {
    if (!standardDoctype.test(doctype)) throw refused('a document type with declarations');
  });
  parser.on('processinginstruction', ({ target }) => {
    if (droppedDepth === 0) throw refused(`the processing instruction “${target.slice(0, 40)}”`);
  });
  parser.on('opentag', (tag) => {
    elements++;
    depth++;
    if (elements > maxElements) throw tooComplex(`more than ${maxElements} elements`);
    if (depth > maxDepth) throw tooComplex(`elements nested more than ${maxDepth} deep`);
    if (droppedDepth > 0 || isDropped(tag)) {
      droppedDepth++;
      return;
    }
    inStyle = tag.local === 'style';
    if (inStyle) return checkMedia(tag);
    const element = draft(tag);
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else roots.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    depth--;
    if (droppedDepth > 0) droppedDepth--;
    else if (inStyle) inStyle = false;
    else open.pop();
  });
  const collect = (part: string) => {
    if (inStyle && droppedDepth === 0) css += part;
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.write(text).close();

  const root = roots[0];
  if (root?.name !== 'svg') throw new InvalidLogo('This file is XML, but not an SVG picture.');
  resolveStyles(root, readStyleSheet(css));
  return root;
}

/** Foreign namespaces are an editor's notes; a browser paints none of them either. */
function isDropped(tag: SaxesTagNS): boolean {
  const foreign = tag.uri !== svgNamespace && tag.uri !== '';
  return foreign || droppedElements.has(tag.local);
}

/** A picture is shown on a screen; what applies to print only would be applied here too. */
function checkMedia(tag: SaxesTagNS): void {
  const media = tag.attributes['media']?.value ?? '';
  const shown = media.split(',').some((part) => /^(?:all|screen)?$/i.test(part.trim()));
  if (!shown) throw refused(`a style sheet for “${media.slice(0, 40)}”`);
}

function draft(tag: SaxesTagNS): Draft {
  const name = tag.local;
  if (animationElements.has(name)) {
    throw new InvalidLogo(
      'This SVG is animated, but a printed code shows one picture only. Export the picture you want without animation.',
    );
  }
  const known = Object.hasOwn(refusedElements, name) ? refusedElements[name] : undefined;
  if (known !== undefined) throw new InvalidLogo(`This SVG contains ${known}.`);
  if (name.startsWith('text') || name === 'tspan') return refuseText();
  if (!allowedElements.has(name)) throw refused(`the element <${name.slice(0, 40)}>`);
  const element: Draft = {
    name,
    attributes: new Map(),
    children: [],
    presentation: new Map(),
    inline: { normal: new Map(), important: new Map() },
  };
  const attributes = Object.values(tag.attributes);
  if (attributes.length > maxAttributes) throw tooComplex(`more than ${maxAttributes} attributes`);
  for (const { uri, local, value } of attributes) {
    if (local === 'href' && (uri === '' || uri === xlinkNamespace)) {
      const reference = localReference(name, value);
      // Whichever stands first, the one without a namespace counts.
      if (uri === '' || !element.attributes.has('href')) element.attributes.set('href', reference);
    } else if (uri === '') {
      keep(element, local, value);
    }
  }
  return element;
}

/** Puts an attribute where it belongs, or leaves it out when a logo has no use for it. */
function keep(element: Draft, name: string, value: string): void {
  if (/^on/i.test(name)) throw refused(`the script attribute “${name.slice(0, 40)}”`);
  const longest = name === 'd' || name === 'points' ? maxPathLength : maxValueLength;
  if (name === 'style') {
    if (value.length > maxStyleLength) throw tooComplex('an attribute “style” that is too long');
    const { normal, important } = readStyle(value);
    for (const [property, kept] of normal) element.inline.normal.set(property, kept);
    for (const [property, kept] of important) element.inline.important.set(property, kept);
    return;
  }
  if (conditions.has(name)) throw refused(`parts that are drawn on condition (“${name}”)`);
  if (allowedAttributes.has(name)) {
    if (value.length > longest) throw tooComplex(`an attribute “${name}” that is too long`);
    element.attributes.set(name, value);
    return;
  }
  const kept = readProperty(name, value);
  if (kept === null) return;
  if (kept.length > longest) throw tooComplex(`an attribute “${name}” that is too long`);
  element.presentation.set(name, kept);
}

function localReference(name: string, value: string): string {
  if (/^#[^\s'"()\\<>]+$/.test(value.trim())) return value.trim();
  throw refused(`<${name}> with a reference to something outside the file`);
}

function refuseText(): never {
  throw new InvalidLogo(`This SVG contains ${refusedElements['text']}.`);
}

function refused(what: string): InvalidLogo {
  return new InvalidLogo(
    `This SVG contains ${what}, which a logo may not have. Export it as plain SVG, or as PNG.`,
  );
}
