import { InvalidLogo } from '../../core/ports.ts';
import { checkShape, maxStoredSidePx } from './bounds.ts';
import type { Pixels } from './pixels.ts';
import { styleOnly } from './svg-allowed.ts';
import { checkWork } from './svg-bounds.ts';
import type { SvgElement } from './svg-element.ts';
import { unitsPx } from './svg-numbers.ts';
import { parseSvg } from './svg-parse.ts';
import { paintSvg } from './svg-raster.ts';

/** Numbers outside are nonsense, and floating point of 32 bits would paint nonsense. */
const size = { min: 0.01, max: 1_000_000 };

/**
 * Paints an SVG at a longer side of 512 pixels. The document that reaches the rasterizer is written
 * here, from the parts that the parser let through; the uploaded text never does.
 *
 * @throws InvalidLogo
 */
export async function rasterizeSvg(bytes: Uint8Array): Promise<Pixels> {
  const root = parseSvg(decodeUtf8(bytes));
  checkWork(root);
  const width = readLength(root.attributes.get('width'));
  const height = readLength(root.attributes.get('height'));
  const box = readViewBox(root.attributes.get('viewBox'));
  const shape = width && height ? { width, height } : box;
  if (!shape) {
    throw new InvalidLogo(
      'This SVG does not say how large it is. Give its <svg> element a viewBox, or a width and a height.',
    );
  }
  checkShape(shape.width, shape.height);
  if (!box) root.attributes.set('viewBox', `0 0 ${shape.width} ${shape.height}`);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  for (const placement of ['x', 'y', 'transform']) root.attributes.delete(placement);
  const svgAt = (longerSidePx: number) => {
    const factor = longerSidePx / Math.max(shape.width, shape.height);
    root.attributes.set('width', String(Math.max(1, Math.round(shape.width * factor))));
    root.attributes.set('height', String(Math.max(1, Math.round(shape.height * factor))));
    return write(root);
  };
  return paintSvg(svgAt, maxStoredSidePx);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidLogo('This file is not text in UTF-8, as an SVG should be. Export it again.');
  }
}

/** A length in CSS pixels; null when it is missing or relative. */
function readLength(text: string | undefined): number | null {
  const length = (text ?? '').trim();
  const match = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:e([-+]?\d{1,2}))?\s*([a-z]*)$/i.exec(length);
  if (!match) return null;
  const unit = unitsPx.get(match[3]?.toLowerCase() ?? '');
  if (unit === undefined) return null;
  return checkLength(Number(`${match[1]}e${match[2] ?? 0}`) * unit);
}

function readViewBox(text: string | undefined): { width: number; height: number } | null {
  if (text === undefined) return null;
  const numbers = text
    .trim()
    .split(/\s*,\s*|\s+/)
    .map(Number);
  const [left = Number.NaN, top = Number.NaN, width = 0, height = 0] = numbers;
  const placed = Math.abs(left) <= size.max && Math.abs(top) <= size.max;
  if (numbers.length !== 4 || !placed) {
    throw new InvalidLogo('The viewBox of this SVG is not four usable numbers. Export it again.');
  }
  return { width: checkLength(width), height: checkLength(height) };
}

function checkLength(length: number): number {
  if (length >= size.min && length <= size.max) return length;
  throw new InvalidLogo(
    'The width, height or viewBox of this SVG is zero, negative or beyond a million. Export it in an ordinary size.',
  );
}

/** Writes an element as XML. */
function write({ name, attributes, children }: SvgElement): string {
  const styled = [...attributes].filter(([key]) => styleOnly.has(key));
  const plain = [...attributes].filter(([key]) => !styleOnly.has(key));
  const style = styled.filter(([, value]) => /^[a-z-]+$/.test(value)).map((pair) => pair.join(':'));
  if (style.length > 0) plain.push(['style', style.join(';')]);
  const written = plain.map(([key, value]) => ` ${key}="${escapeValue(value)}"`);
  return `<${name}${written.join('')}>${children.map(write).join('')}</${name}>`;
}

function escapeValue(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
