import { SvgRefused } from './refusal.ts';
import type { SvgElement } from './tree.ts';

/** Maps (x, y) to (a·x + c·y + e, b·x + d·y + f). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the matrix that applies `second`, then `first`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** A number, with its unit. Minifiers write two as ".5.5" or "1-2". */
const argument = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:[a-z]+|%)?/gi;

const translate = (x: number, y = 0): Matrix => [1, 0, 0, 1, x, y];

/** Reads the value of a transform attribute or property. Returns null when a browser would ignore it. */
export function readTransform(value: string): Matrix | null {
  if (value.trim() === '' || value.trim() === 'none') return identity;
  if (/\b(calc|min|max|clamp)\(/i.test(value))
    throw new SvgRefused('feature', `transform: ${value}`);
  if (!/^(?:[\s,]*\w+\s*\([^()]*\))+[\s,]*$/.test(value)) return null;
  let matrix = identity;
  for (const [, name = '', content = ''] of value.matchAll(/[\s,]*(\w+)\s*\(([^()]*)\)/gy)) {
    const values = content.match(argument) ?? [];
    const isUnread = /[^\s,]/.test(content.replaceAll(argument, ''));
    if (isUnread || (name === 'rotate' && values.length === 2)) return null;
    const step = readFunction(name.toLowerCase(), values);
    if (step === undefined) throw new SvgRefused('feature', `transform: ${value}`);
    if (step.some(Number.isNaN)) return null;
    matrix = multiply(matrix, step);
  }
  return matrix;
}

/** Returns undefined for functions and units that need the size of the element, or three dimensions. */
function readFunction(name: string, values: readonly string[]): Matrix | undefined {
  if (values.some((value) => /%|em|v[wh]|calc/.test(value))) return undefined;
  const [x = Number.NaN, y, ...rest] = values.map(
    name.startsWith('translate') || name === 'matrix' ? readPx : readNumber,
  );
  const [cx, cy = 0] = rest;
  const [angleX, angleY] = values.map(readRadians);
  if (name === 'translate' || name === 'translatex') return translate(x, y);
  if (name === 'translatey') return translate(0, x);
  if (name === 'scale') return [x, 0, 0, y ?? x, 0, 0];
  if (name === 'scalex') return [x, 0, 0, 1, 0, 0];
  if (name === 'scaley') return [1, 0, 0, x, 0, 0];
  if (name === 'skew') return [1, Math.tan(angleY ?? 0), Math.tan(angleX ?? 0), 1, 0, 0];
  if (name === 'skewx') return [1, 0, Math.tan(angleX ?? 0), 1, 0, 0];
  if (name === 'skewy') return [1, Math.tan(angleX ?? 0), 0, 1, 0, 0];
  if (name === 'translate3d' && rest[0] === 0) return translate(x, y);
  if (name === 'translatez' && x === 0) return identity;
  if (name === 'matrix' && values.length === 6) {
    const [c = 0, d = 0, e = 0, f = 0] = rest;
    return [x, y ?? 0, c, d, e, f];
  }
  if (name !== 'rotate' && name !== 'rotatez') return undefined;
  const angle = angleX ?? 0;
  const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0];
  const center = y === undefined ? [0, 0] : [y, cx ?? 0];
  return around(turn, center[0] ?? 0, center[1] ?? cy);
}

/** Returns a transform about a point. */
export function around(matrix: Matrix, x: number, y: number): Matrix {
  return multiply(multiply(translate(x, y), matrix), translate(-x, -y));
}

function readPx(value: string): number {
  return readNumber(value.replace(/px$/i, ''));
}

function readNumber(value: string): number {
  return value === '' ? Number.NaN : Number(value.replace(/(deg|rad|grad|turn)$/i, ''));
}

const radians: Readonly<Record<string, number>> = {
  deg: Math.PI / 180,
  grad: Math.PI / 200,
  rad: 1,
  turn: 2 * Math.PI,
};

/** Returns NaN for what is no angle. */
function readRadians(value: string): number {
  const unit = /(?:deg|grad|rad|turn)$/i.exec(value)?.[0].toLowerCase() ?? 'deg';
  return readNumber(value) * (radians[unit] ?? Number.NaN);
}

export function formatTransform(matrix: Matrix): string {
  return `matrix(${matrix.join(' ')})`;
}

export function createGroup(parent: SvgElement, transform: Matrix = identity): SvgElement {
  const attributes = new Map([['transform', formatTransform(transform)]]);
  return { name: 'g', parent, attributes, children: [], text: '' };
}
