import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SvgRefused } from './refusal.ts';

/** An element of the SVG namespace. Elements of other namespaces, comments and the like draw nothing. */
export interface SvgElement {
  name: string;
  parent: SvgElement | null;
  /** Attributes without a prefix; `xlink:href` is `href`. */
  readonly attributes: Map<string, string>;
  children: SvgElement[];
  /** Text of the element itself. */
  text: string;
}

/** Illustrations have some hundred elements. */
const maxElements = 5_000;

const svgNamespace = 'http://www.w3.org/2000/svg';
const xlinkNamespace = 'http://www.w3.org/1999/xlink';

/** The document type that drawing programs write. It is never fetched. */
const standardDoctype =
  /^\s*(?:svg|html)(?:\s+PUBLIC\s+(["'])-\/\/W3C\/\/DTD [^"'[\]]*\1\s+(["'])[^"'[\]]*\2)?\s*(?:\[(?<subset>.*)\]\s*)?$/is;

/** What Illustrator declares inside: entities of plain text. Other declarations have no effect here. */
const internalDeclaration =
  /\s+|<!--.*?-->|<!(?:ATTLIST|ELEMENT)[^<>&%]*>|<!ENTITY\s+(?<name>[\w.-]+)\s+(?:"(?<double>(?:[^"<&%]|&#\w+;)*)"|'(?<single>(?:[^'<&%]|&#\w+;)*)')\s*>/sy;

const maxEntities = 100;
/** Old versions of Illustrator write each style as an entity. */
const maxEntityLength = 2_000;
const maxExpandedLength = 1_000_000;

/**
 * Parses an SVG into a tree of its SVG elements.
 *
 * @throws SvgRefused when it is not well-formed, too large, or needs other files
 */
export function parseSvg(source: string): SvgElement {
  let root: SvgElement | null = null;
  let elements = 0;
  /** Open elements; null for those of other namespaces. */
  const open: (SvgElement | null)[] = [];
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { xlink: xlinkNamespace } });
  const isSvg = ({ uri }: SaxesTagNS) => uri === svgNamespace || uri === '';
  parser.on('error', ({ message }) => {
    throw new SvgRefused('xml', message);
  });
  parser.on('doctype', (doctype) => declareEntities(parser.ENTITIES, doctype));
  parser.on('processinginstruction', ({ target, body }) => {
    if (target === 'xml-stylesheet' && !/href\s*=\s*["']#/.test(body))
      throw new SvgRefused('stylesheet');
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', (tag) => {
    elements++;
    if (elements > maxElements) throw new SvgRefused('size');
    const parent = open.at(-1) ?? null;
    const element =
      isSvg(tag) && (parent !== null || root === null) ? createElement(tag, parent) : null;
    if (root === null) {
      if (element?.name !== 'svg') throw new SvgRefused('otherXml');
      root = element;
    }
    if (element !== null) parent?.children.push(element);
    // The content of HTML counts, because its presence is a reason to refuse.
    else if (parent?.name === 'foreignObject') parent.text += tag.name;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(source).close();
  if (root === null) throw new SvgRefused('otherXml');
  return root;
}

function createElement({ local, attributes }: SaxesTagNS, parent: SvgElement | null): SvgElement {
  const kept = new Map<string, string>();
  for (const { prefix, local: name, uri, value } of Object.values(attributes)) {
    if (prefix === '' && name !== 'xmlns') kept.set(name, value);
    else if (uri === xlinkNamespace && name === 'href' && !kept.has('href')) kept.set(name, value);
  }
  return { name: local, parent, attributes: kept, children: [], text: '' };
}

/** Defines the entities of an internal subset. Values are text: no markup and no other entities. */
function declareEntities(entities: Record<string, string>, doctype: string): void {
  const match = standardDoctype.exec(doctype);
  if (match === null) throw new SvgRefused('doctype');
  const { subset = '' } = match.groups ?? {};
  let expanded = 0;
  let count = 0;
  internalDeclaration.lastIndex = 0;
  while (internalDeclaration.lastIndex < subset.length) {
    const { groups = {} } = internalDeclaration.exec(subset) ?? refuseDoctype();
    const { name, double, single } = groups;
    const value = (double ?? single ?? '').replaceAll(
      /&#(?:x([\da-f]+)|(\d+));/gi,
      (_, hex, decimal) =>
        String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    );
    if (name === undefined || Object.hasOwn(entities, name)) continue;
    count++;
    if (count > maxEntities || value.length > maxEntityLength) throw new SvgRefused('doctype');
    Object.defineProperty(entities, name, {
      get() {
        expanded += value.length;
        if (expanded > maxExpandedLength) throw new SvgRefused('doctype');
        return value;
      },
    });
  }
}

function refuseDoctype(): never {
  throw new SvgRefused('doctype');
}

/** Returns an element and its descendants in document order. */
export function* descendants(element: SvgElement): Generator<SvgElement> {
  yield element;
  for (const child of element.children) yield* descendants(child);
}

/** Returns the value of an attribute of an element or of those around it. */
export function inherited({ attributes, parent }: SvgElement, name: string): string | undefined {
  const value = attributes.get(name);
  if (value !== undefined && value !== 'inherit') return value;
  return parent === null ? undefined : inherited(parent, name);
}

/** Returns the colour or reference that an element is filled or stroked with, or `none`. */
export function paintOf(element: SvgElement, paint: 'fill' | 'stroke'): string {
  return inherited(element, paint) ?? (paint === 'fill' ? '#000' : 'none');
}

/** Returns left, top, width and height of the viewBox, or the size of the picture. */
export function viewBoxOf({ attributes }: SvgElement): readonly number[] {
  const written = (attributes.get('viewBox') ?? '').trim();
  const box = written.split(/[\s,]+/).map(Number);
  if (box.length === 4 && box.every(Number.isFinite)) return box;
  const side = (name: string) => Number.parseFloat(attributes.get(name) ?? '0');
  return [0, 0, side('width'), side('height')];
}

/** Returns an element as XML text, in the SVG namespace. */
export function serializeSvg(root: SvgElement): string {
  root.attributes.set('xmlns', svgNamespace);
  return serialize(root);
}

function serialize({ name, attributes, children }: SvgElement): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('');
  return `<${name}${written}>${children.map(serialize).join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"\n\t\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
