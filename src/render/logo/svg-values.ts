import { isColor } from './svg-colors.ts';

/**
 * Values of style properties, in the spelling that the rasterizer takes. It paints its default for one
 * that it does not understand, where a browser may know more.
 */

/** Reads a trimmed value; null is for one that the rasterizer does not take. */
type Read = (value: string) => string | null;

const plainLength = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?(?:px|in|cm|mm|pt|pc|%)?$/i;
const plainNumber = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?%?$/i;

// Not Figma's plus-lighter and plus-darker.
const blendModes =
  `normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference
  exclusion hue saturation color luminosity`.split(/\s+/);

const readers: Record<string, Read> = {
  fill: readPaint,
  stroke: readPaint,
  color: (value) => (value.toLowerCase() === 'currentcolor' ? 'inherit' : readColor(value)),
  'stop-color': (value) => readKeyword(value, ['currentColor']) ?? readColor(value),
  // The rasterizer takes `currentColor` for black here.
  'flood-color': readColor,
  'stroke-width': readLength,
  'stroke-dashoffset': readLength,
  'stroke-dasharray': (value) => readKeyword(value, ['none']) ?? readDashes(value),
  'stroke-miterlimit': readNumber,
  opacity: readNumber,
  'fill-opacity': readNumber,
  'stroke-opacity': readNumber,
  'stop-opacity': readNumber,
  'flood-opacity': readNumber,
  'clip-path': readReference,
  mask: readReference,
  filter: readReference,
  'mix-blend-mode': (value) => readKeyword(value, blendModes),
  isolation: (value) => readKeyword(value, ['auto', 'isolate']),
};

/** Its default is what the rasterizer paints for `initial`, as for all that it does not understand. */
const anywhere = ['inherit', 'initial'];

/** A value as the rasterizer takes it, null when it does not. */
export function readValue(property: string, value: string): string | null {
  const read = readers[property];
  return read === undefined ? value : (readKeyword(value, anywhere) ?? read(value));
}

const lengthAttributes = new Set('x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height'.split(' '));

/**
 * The value of an attribute as the rasterizer takes it, null when it is a length that it does not take.
 * What is no length at all counts as missing, for a browser too.
 */
export function readAttribute(name: string, text: string): string | null {
  const value = text.trim();
  if (!lengthAttributes.has(name)) return text;
  const otherwise = /^[-+.\d]+(?:e[-+]?\d+)?[a-z]+$/i.test(value) || value.includes('(');
  return readLength(value) ?? (otherwise ? null : text);
}

function readPaint(value: string): string | null {
  const { local, rest } = splitReference(value);
  const paint = readKeyword(rest, ['none', 'currentColor']) ?? readColor(rest);
  if (local === null) return paint;
  return rest === '' ? local : paint && `${local} ${paint}`;
}

function readReference(value: string): string | null {
  const { local, rest } = splitReference(value);
  return rest === '' ? local : readKeyword(value, ['none']);
}

/** A reference without quotes, which the rasterizer does not take, and what follows it. */
function splitReference(value: string): { local: string | null; rest: string } {
  const [whole = '', , id] = /^url\(\s*(['"]?)(#[^\s'"()]+)\1\s*\)/i.exec(value) ?? [];
  return { local: id === undefined ? null : `url(${id})`, rest: value.slice(whole.length).trim() };
}

function readColor(value: string): string | null {
  return isColor(value) ? value : null;
}

function readLength(value: string): string | null {
  return plainLength.test(value) ? value.toLowerCase() : null;
}

/** No share of the picture: how many dashes there are would depend on which picture within it is meant. */
function readDashes(value: string): string | null {
  const parts = value.split(/[\s,]+/);
  const plain = parts.every((part) => plainLength.test(part) && !part.endsWith('%'));
  return plain ? value.toLowerCase() : null;
}

function readNumber(value: string): string | null {
  return plainNumber.test(value) ? value : null;
}

/** A keyword may be written in any case, but the rasterizer takes one only. */
function readKeyword(value: string, keywords: readonly string[]): string | null {
  return keywords.find((keyword) => keyword.toLowerCase() === value.toLowerCase()) ?? null;
}
