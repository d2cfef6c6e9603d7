import { InvalidLogo } from '../../core/ports.ts';
import type { SvgElement } from './svg-element.ts';

// Written so that no two parts beside each other can take the same characters: which takes how many
// would otherwise be tried out where the rest does not fit, for seconds where a value is long.

/** A number as it stands in path data. */
export const numberPattern = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi;

/** CSS pixels per unit, CSS Values 4. */
export const unitsPx: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 96 / 72],
  ['pc', 16],
  ['in', 96],
  ['cm', 96 / 2.54],
  ['mm', 96 / 25.4],
]);

/** A trimmed value that is one number, with or without a unit. */
const singleNumber = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*([a-z%]*)$/i;

/** Values that consist of many numbers. */
const numberLists = [
  'd',
  'points',
  'transform',
  'gradientTransform',
  'viewBox',
  'values',
  'tableValues',
  'stdDeviation',
  'stroke-dasharray',
];

/** An arc of radius 1e38 is cut into so many pieces that resvg panics after seconds. */
const maxNumber = 1_000_000;

/** @throws InvalidLogo when a number is beyond what a drawing needs */
export function checkNumbers(attributes: ReadonlyMap<string, string>): void {
  for (const [name, value] of attributes) {
    const numbers = numberLists.includes(name)
      ? (value.match(numberPattern) ?? [])
      : [singleNumber.exec(value.trim())?.[1] ?? '0'];
    if (numbers.every((number) => Math.abs(Number(number)) <= maxNumber)) continue;
    throw new InvalidLogo(
      `This SVG contains a number beyond a million (in “${name}”). Export it in an ordinary size.`,
    );
  }
}

/** Segments in path data or points: numbers divided by what each command takes. */
export function countSegments(data: string): number {
  let segments = 0;
  for (const [, command = '', operands = ''] of data.matchAll(/([a-z]?)([^a-df-z]*)/gi)) {
    const numbers = operands.match(numberPattern)?.length ?? 0;
    const arity = { h: 1, v: 1, c: 6, s: 4, q: 4, a: 7 }[command.toLowerCase()] ?? 2;
    segments += Math.max(command === '' ? 0 : 1, Math.ceil(numbers / arity));
  }
  return segments;
}

/**
 * The size of a length, or of all lengths in a list, in pixels of the drawing; 0 when it is none.
 *
 * @param wholePx what 100% stand for
 */
export function sizePx(text: string, wholePx: number): number {
  let total = 0;
  for (const length of text.trim().split(/[\s,]+/)) {
    const [, number = '0', unit = ''] = singleNumber.exec(length) ?? [];
    const perUnit = unit === '%' ? wholePx / 100 : (unitsPx.get(unit.toLowerCase()) ?? 1);
    total += Math.abs(Number(number)) * perUnit;
  }
  return total;
}

/**
 * What a percentage is a share of, at most: the longest side of the picture and of those within it.
 *
 * @param elements all of them, the picture itself first
 */
export function longestViewport([root, ...others]: readonly SvgElement[]): number {
  const inner = others.filter(({ name }) => ['svg', 'symbol', 'use'].includes(name));
  // Pictures larger than those around them grow with every level, and nobody draws them.
  const grows = inner.some(({ attributes }) =>
    sidesOf(attributes).some((side) => side.endsWith('%') && sizePx(side, 100) > 100),
  );
  if (root === undefined || grows) return Number.MAX_VALUE;
  const sizes = [root, ...inner].flatMap(({ attributes }) =>
    [attributes.get('viewBox') ?? '', ...sidesOf(attributes)].map((size) => sizePx(size, 0)),
  );
  return Math.max(...sizes);
}

function sidesOf(attributes: ReadonlyMap<string, string>): string[] {
  return ['width', 'height'].map((name) => (attributes.get(name) ?? '').trim());
}

/**
 * A length that a shape's outline does not exceed. No curve is longer than its control polygon, and
 * that is at most twice as long as all coordinates together; circles and arcs take 2π of a radius.
 *
 * @param wholePx what 100% stand for, at most
 */
export function lengthBound(
  attributes: ReadonlyMap<string, string>,
  data: string,
  wholePx: number,
): number {
  const sides = ['width', 'height', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2'];
  const values = sides.flatMap((side) => attributes.get(side) ?? []);
  const factor = values.length > 0 || /a/i.test(data) ? 8 : 2;
  const coordinates = data.match(numberPattern) ?? [];
  const inData = coordinates.reduce((total, number) => total + Math.abs(Number(number)), 0);
  return factor * values.reduce((total, value) => total + sizePx(value, wholePx), inData);
}
