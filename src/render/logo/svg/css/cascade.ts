import { compile } from 'css-select';
import type { CssNode } from 'css-tree';
import parseCss from 'css-tree/parser';
import { type PseudoSelector, parse as parseSelector, type Selector, SelectorType } from 'css-what';
import { shorten } from '../../../../lib/text/shorten.ts';
import { replaceSpans, trimEndWhere } from '../../../../lib/trim.ts';
import { SvgRefused } from '../refusal.ts';
import { descendants, type SvgElement } from '../tree.ts';

/** A declaration that applies to an element. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
  /** Selector of its rule, or '' for the element's own attributes. */
  readonly selector: string;
}

/** Rule with one selector. */
interface Rule {
  readonly matches: (element: SvgElement) => boolean;
  readonly declarations: readonly Declaration[];
  readonly specificity: number;
}

/**
 * Media features for which a logo is drawn.
 * The preferences of the user have their usual values; colours are in sRGB.
 */
const trueMedia = new Set([
  ...['', 'all', 'screen', 'only all', 'only screen', 'not print'],
  '(prefers-color-scheme:light)',
  '(prefers-contrast:no-preference)',
  '(prefers-reduced-data:no-preference)',
  '(prefers-reduced-motion:no-preference)',
  '(prefers-reduced-transparency:no-preference)',
  '(forced-colors:none)',
  '(color-gamut:srgb)',
  'not(color-gamut:p3)',
  'not(color-gamut:rec2020)',
]);

/** What depends on the size at which a picture is shown. */
const mediaOfSize = /\b(width|height|aspect-ratio|orientation|resolution)\b/i;

function matchesMedia(query: string): boolean {
  if (mediaOfSize.test(query)) throw new SvgRefused('sizes', `@media ${query.trim()}`);
  return query.split(/\band\b/i).every((part) => trueMedia.has(withoutSpaces(part)));
}

/** Returns a media query in lower case, without the spaces that do not separate words. */
function withoutSpaces(query: string): string {
  return query
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([():]) ?/g, '$1')
    .trim();
}

const selectorOptions = {
  xmlMode: true,
  adapter: {
    isTag: (_: SvgElement): _ is SvgElement => true,
    getAttributeValue: ({ attributes }: SvgElement, name: string) => attributes.get(name),
    getChildren: ({ children }: SvgElement) => children,
    getName: ({ name }: SvgElement) => name,
    getParent: ({ parent }: SvgElement) => parent,
    getSiblings: (element: SvgElement) => element.parent?.children ?? [element],
    getText: ({ text }: SvgElement) => text,
    hasAttrib: ({ attributes }: SvgElement, name: string) => attributes.has(name),
    removeSubsets: (elements: SvgElement[]) => elements,
  },
} as const;

/**
 * Reads the style sheets of an SVG.
 *
 * @returns the declarations of an element, the one that wins last: attributes, rules by specificity and order,
 *   the style attribute; then the important ones
 * @throws SvgRefused for a style sheet that imports another one
 */
export function createCascade(
  root: SvgElement,
  isPresentationAttribute: (name: string) => boolean,
): (element: SvgElement) => Declaration[] {
  const sheets = [...descendants(root)].filter(({ name }) => name === 'style').filter(applies);
  const rules = sheets
    .flatMap(({ text }) => rulesOf(parse(text, 'stylesheet')))
    .toSorted((a, b) => a.specificity - b.specificity);
  return (element) => {
    const attributes = [...element.attributes]
      .filter(([name, value]) => isPresentationAttribute(name) && !isCssTransform(name, value))
      .map(([property, value]) => ({
        property,
        value: closed(value.trim()),
        isImportant: false,
        selector: '',
      }));
    const matching = rules.filter(({ matches }) => matches(element));
    const own = declarationsOf(parse(element.attributes.get('style') ?? '', 'declarationList'), '');
    const all = [...attributes, ...matching.flatMap(({ declarations }) => declarations), ...own];
    return all.toSorted((a, b) => Number(a.isImportant) - Number(b.isImportant));
  };
}

/** Browsers ignore a transform attribute with units. */
function isCssTransform(name: string, value: string): boolean {
  return name === 'transform' && /[\d.](?:[a-df-z%]|e[a-z])/i.test(value);
}

/** Closes a function at the end of an attribute, as CSS does. */
function closed(value: string): string {
  return /\([^()]*$/.test(value) ? `${value})` : value;
}

function applies({ attributes }: SvgElement): boolean {
  const isCss = /^\s*(?:text\/css\s*)?(?:;.*)?$/i.test(attributes.get('type') ?? '');
  return isCss && (attributes.get('media') ?? '').split(',').some(matchesMedia);
}

function parse(css: string, context: string): CssNode {
  const raw = { parseValue: false, parseRulePrelude: false, parseAtrulePrelude: false };
  return parseCss(css, { context, ...raw });
}

function rulesOf(node: CssNode): Rule[] {
  if (node.type === 'StyleSheet' || node.type === 'Block')
    return node.children.toArray().flatMap(rulesOf);
  if (node.type === 'Rule' && node.prelude.type === 'Raw') {
    const selectors = node.prelude.value.trim();
    const declarations = declarationsOf(node.block, selectors);
    return selectorsOf(selectors).map((selector) => {
      return { matches: matcherOf(selector), declarations, specificity: specificityOf(selector) };
    });
  }
  if (node.type !== 'Atrule') return [];
  const prelude = node.prelude?.type === 'Raw' ? node.prelude.value : '';
  if (/^import$/i.test(node.name)) throw new SvgRefused('external', `@import ${prelude}`);
  if (/^(layer|container|scope)$/i.test(node.name)) {
    throw new SvgRefused('feature', `@${node.name} ${prelude}`);
  }
  const isApplied =
    (node.name === 'media' && prelude.split(',').some(matchesMedia)) ||
    (node.name === 'supports' && !/\bnot\b/i.test(prelude));
  return isApplied && node.block !== null ? rulesOf(node.block) : [];
}

function declarationsOf(list: CssNode, selector: string): Declaration[] {
  if (list.type !== 'Block' && list.type !== 'DeclarationList') return [];
  return list.children.toArray().flatMap((node) => {
    const isNested = node.type === 'Rule' || (node.type === 'Raw' && node.value.includes('{'));
    if (isNested || node.type === 'Atrule')
      throw new SvgRefused('feature', { kind: 'nested rule', selector: shorten(selector) });
    if (node.type !== 'Declaration' || node.value.type !== 'Raw') return [];
    const isCustom = node.property.startsWith('--');
    const property = isCustom ? node.property : node.property.toLowerCase();
    const value = replaceSpans(node.value.value, '/*', '*/', ' ').trim();
    return [{ property, value, isImportant: node.important !== false, selector }];
  });
}

/** Returns the selectors of a list, none if one cannot be read, as CSS says. */
function selectorsOf(list: string): Selector[][] {
  try {
    // Prefixes of namespaces do not count: all elements are of SVG.
    return parseSelector(withoutNamespaces(replaceSpans(list, '/*', '*/', ' ')));
  } catch {
    return [];
  }
}

/** Removes the name of a namespace and its `|` before the name of an element. */
function withoutNamespaces(selectors: string): string {
  const isName = (unit: string) => /[\w*]/.test(unit);
  const parts = selectors.split('|');
  return parts
    .map((part, index) => {
      const next = parts[index + 1];
      if (next === undefined) return part;
      return isName(next.charAt(0)) ? trimEndWhere(part, isName) : `${part}|`;
    })
    .join('');
}

function matcherOf(selector: Selector[]): (element: SvgElement) => boolean {
  try {
    return compile<SvgElement, SvgElement>([selector], selectorOptions);
  } catch {
    // A pseudo-class of pages, such as :target.
    return () => false;
  }
}

/** Returns ids, classes and names of a selector as digits of a number. */
function specificityOf(selector: Selector[]): number {
  let specificity = 0;
  for (const token of selector) {
    if (token.type === SelectorType.Attribute) {
      specificity += token.name === 'id' && token.action === 'equals' ? 1_000_000 : 1_000;
    } else if (token.type === SelectorType.Tag) specificity += 1;
    else if (token.type === SelectorType.Pseudo) specificity += specificityOfPseudo(token);
  }
  return specificity;
}

function specificityOfPseudo({ name, data }: PseudoSelector): number {
  if (name === 'where') return 0;
  return Array.isArray(data) ? Math.max(0, ...data.map(specificityOf)) : 1_000;
}
