import { shorten } from '../../../../lib/text/shorten.ts';
import { SvgRefused } from '../refusal.ts';
import { formatTransform, readTransform } from '../transform.ts';
import { readColor } from './color.ts';

/** Reads a value of a property. Returns null when a browser would ignore it. */
type Reader = (value: string) => string | null;

/** Browsers ignore the case of keywords, the rasterizer does not. */
const camelCase = new Map(
  'crispEdges geometricPrecision linearRGB optimizeQuality optimizeSpeed sRGB'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

const keyword: Reader = (value) => {
  const word = value.toLowerCase();
  return /^[a-z-]+$/.test(word) ? (camelCase.get(word) ?? word) : null;
};
/** Where browsers may choose, they do not take linear colours. */
const filterColors: Reader = (value) => (/^auto$/i.test(value) ? 'sRGB' : keyword(value));

/** Of the rasterizer, optimizeSpeed shows pixels as squares. */
const imageRendering: Reader = (value) => {
  const word = value.toLowerCase();
  if (/^(crisp-edges|pixelated)$/.test(word)) return 'optimizeSpeed';
  return /^(auto|high-quality|optimizequality|optimizespeed|smooth|-webkit-optimize-contrast)$/.test(
    word,
  )
    ? 'optimizeQuality'
    : null;
};

const keywords: Reader = (value) => (/^[a-z\s-]+$/i.test(value) ? value.toLowerCase() : null);

const number: Reader = (value) => (value !== '' && Number.isFinite(Number(value)) ? value : null);

const alpha: Reader = (value) => {
  const [, percentage] = /^([\d.]+)%$/.exec(value) ?? [];
  const read = percentage === undefined ? number(value) : Number(percentage) / 100;
  return read === null ? null : String(Math.min(1, Math.max(0, Number(read))));
};

const length: Reader = (value) => {
  const [, unit = ''] = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?([a-z]*|%)$/i.exec(value) ?? [];
  if (/^(rem|ch|v\w+|q)$/i.test(unit))
    throw new SvgRefused('feature', { kind: 'length', text: shorten(value) });
  return /^[+-.\d][\d.e+-]*(px|pt|pc|mm|cm|in|em|ex|%)?$/i.test(value) ? value.toLowerCase() : null;
};

const blendModes =
  /^(normal|multiply|screen|overlay|darken|lighten|color-dodge|color-burn|hard-light|soft-light|difference|exclusion|hue|saturation|color|luminosity)$/i;

const blendMode: Reader = (value) => {
  if (/^plus-/i.test(value)) throw new SvgRefused('feature', `mix-blend-mode: ${value}`);
  return blendModes.test(value) ? value.toLowerCase() : null;
};

/** Marks an element for the search for parts that only an animation shows. */
const animation: Reader = (value) => (/^none\b/i.test(value) ? null : 'yes');

const dashes: Reader = (value) => {
  if (value === 'none') return value;
  const lengths = value.split(/\s*,\s*|\s+/).map((one) => length(one));
  return lengths.includes(null) ? null : lengths.join(' ');
};

/** A reference to an element of the file. */
const reference: Reader = (value) => {
  if (value === 'none') return value;
  const [whole, double, single, plain = ''] =
    /^url\(\s*(?:"([^"]*)"\s*|'([^']*)'\s*|([^"'\s)]+)\s*)\)/i.exec(value) ?? [];
  if (whole === undefined) return null;
  const target = (double ?? single ?? plain).trim();
  if (!target.startsWith('#')) throw new SvgRefused('external', value);
  return whole === value ? `url(${target})` : null;
};

const transform: Reader = (value) => {
  const matrix = readTransform(value);
  return matrix && formatTransform(matrix);
};

/** The value "auto" removes an attribute. */
const geometryLength: Reader = (value) => (value === 'auto' ? '' : length(value));

/** Properties that transform beside `transform`. */
const otherTransform: Reader = (value) => {
  if (value === 'none') return null;
  throw new SvgRefused('feature', { kind: 'property of a transform', text: shorten(value) });
};

const pathData: Reader = (value) => {
  const [, double, single] = /^path\(\s*(?:"([^"]*)"|'([^']*)')\s*\)$/.exec(value) ?? [];
  return double ?? single ?? null;
};

function shared(reader: Reader, names: string): Record<string, Reader> {
  return Object.fromEntries(names.split(' ').map((name) => [name, reader]));
}

/** Properties without colours that the rasterizer knows. */
const readers: Readonly<Record<string, Reader>> = {
  ...shared(keyword, 'clip-rule color-interpolation display fill-rule'),
  ...shared(keyword, 'mask-type overflow shape-rendering'),
  ...shared(keyword, 'stroke-linecap stroke-linejoin transform-box vector-effect visibility'),
  ...shared(alpha, 'fill-opacity flood-opacity opacity stop-opacity stroke-opacity'),
  ...shared(length, 'font-size stroke-dashoffset stroke-width'),
  ...shared(reference, 'clip-path filter marker-end marker-mid marker-start mask'),
  'color-interpolation-filters': filterColors,
  'image-rendering': imageRendering,
  'paint-order': keywords,
  'stroke-dasharray': dashes,
  'stroke-miterlimit': number,
  'transform-origin': (value) => value,
  transform,
};

/** Browsers turn a picture as its EXIF data say, unless it is this. */
const imageOrientation: Reader = (value) => {
  if (/^none$/i.test(value)) throw new SvgRefused('feature', `image-orientation: ${value}`);
  return null;
};

/** With both, light is shown to those who prefer it. */
const colorScheme: Reader = (value) => {
  if (/\bdark\b/i.test(value) && !/\blight\b/i.test(value))
    throw new SvgRefused('feature', `color-scheme: ${value}`);
  return null;
};

const maskMode: Reader = (value) => {
  if (/\balpha\b/i.test(value)) throw new SvgRefused('feature', `mask-mode: ${value}`);
  return null;
};

/** Properties that are no presentation attributes. Attributes of the same name are left as they are. */
const cssReaders: Readonly<Record<string, Reader>> = {
  'background-image': (value) => (/^none$/i.test(value) ? '' : value),
  'color-scheme': colorScheme,
  'image-orientation': imageOrientation,
  'mask-mode': maskMode,
  'mix-blend-mode': blendMode,
  isolation: keyword,
  ...shared(geometryLength, 'cx cy height r rx ry width x y'),
  ...shared(otherTransform, 'rotate scale translate'),
  d: pathData,
  animation,
  'animation-name': animation,
};

/** Colours, with their initial value. */
const colors: Readonly<Record<string, string>> = {
  'background-color': 'none',
  color: '#000',
  fill: '#000',
  'flood-color': '#000',
  'lighting-color': '#fff',
  'stop-color': '#000',
  stroke: 'none',
};

export function isPresentationAttribute(name: string): boolean {
  return Object.hasOwn(readers, name) || (name in colors && name !== 'background-color');
}

/** A declared value, its variables replaced, or null where one is undefined. */
export interface Candidate {
  readonly value: string | null;
  /** As it is written, for messages. */
  readonly written: string;
  readonly selector: string;
}

/**
 * Returns the value of the first declaration that can be read.
 *
 * @param candidates the one that wins first
 * @param currentColor the value of `color` for the element
 * @returns null when the property is unknown or remains as if it were not declared
 * @throws SvgRefused when a browser would show what none of the declarations says here
 */
export function readProperty(
  property: string,
  candidates: readonly Candidate[],
  currentColor: string,
): string | null {
  if (Object.hasOwn(colors, property)) return readColorProperty(property, candidates, currentColor);
  const reader = readers[property] ?? cssReaders[property];
  if (reader === undefined) return null;
  for (const { value, written } of candidates) {
    if (value === null) throw new SvgRefused('variable', written);
    if (/^(initial|unset|revert|revert-layer)$/i.test(value)) return null;
    const read = reader(value);
    if (read !== null) return read;
  }
  const unread = candidates.find(({ written }) => written.includes('('));
  // Browsers, too, ignore a misspelled value.
  if (unread === undefined || property === 'transform') return null;
  throw new SvgRefused(
    property === 'filter' ? 'filter' : 'feature',
    `${property}: ${unread.written}`,
  );
}

/** Colours between which browsers mix in Oklab, also in gradients of SVG. */
const mixedInOklab = /^(color|(ok)?(lab|lch))\(/i;

function readColorProperty(
  property: string,
  candidates: readonly Candidate[],
  currentColor: string,
): string | null {
  const read = (value: string) => readPaint(value, currentColor);
  for (const [at, { value, selector, written }] of candidates.entries()) {
    if (value === null) throw new SvgRefused('variable', written);
    if (/^initial$/i.test(value)) return colors[property] ?? null;
    if (/^(unset|revert|revert-layer)$/i.test(value)) return null;
    const paint = read(value);
    if (paint === null) continue;
    const isMixed = property === 'stop-color' && mixedInOklab.test(value);
    if (paint.kind === 'srgb' && !isMixed) return paint.value;
    if (paint.kind === 'unread') throw new SvgRefused('color', written);
    const earlier = candidates.slice(at + 1).filter((candidate) => candidate.selector === selector);
    const inSrgb = earlier.map((candidate) => read(candidate.value ?? ''));
    const sameColor = isMixed ? null : paint.value;
    const chosen = inSrgb.find((other) => other?.kind === 'srgb')?.value ?? sameColor;
    if (chosen === null) throw new SvgRefused('color', written);
    return chosen;
  }
  const unread = candidates.find(({ written }) => written.includes('('));
  if (unread === undefined || property === 'background-color') return null;
  throw new SvgRefused('color', unread.written);
}

const paintKeywords = /^(none|inherit|context-fill|context-stroke)$/i;

function readPaint(value: string, currentColor: string): ReturnType<typeof readColor> {
  if (paintKeywords.test(value)) return { kind: 'srgb', value: value.toLowerCase() };
  const [url, , fallback = ''] = /^(url\([^)]*\))\s*(.*)$/is.exec(value) ?? [];
  if (url === undefined) return readColor(value, currentColor);
  const target = reference(value.slice(0, value.indexOf(')') + 1)) ?? '';
  if (fallback === '') return { kind: 'srgb', value: target };
  const paint = readPaint(fallback, currentColor);
  if (paint === null || paint.value === null) return paint;
  return { kind: 'srgb', value: `${target} ${paint.value}` };
}
