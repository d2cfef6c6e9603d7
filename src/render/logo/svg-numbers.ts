import { LogoRefused } from '../../core/ports.ts';

// Written so that no two parts beside each other can take the same characters: which takes how many
// would otherwise be tried out where the rest does not fit, for seconds where a value is long.

/** A number as it stands in path data. */
export const numberPattern = /[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?/gi;

/** A trimmed value that is one number, with or without a unit. */
const singleNumber = /^([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*[a-z%]*$/i;

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

/** @throws LogoRefused when a number is beyond what a drawing needs */
export function checkNumbers(attributes: ReadonlyMap<string, string>): void {
  for (const [name, value] of attributes) {
    const numbers = numberLists.includes(name)
      ? (value.match(numberPattern) ?? [])
      : [singleNumber.exec(value.trim())?.[1] ?? '0'];
    if (numbers.every((number) => Math.abs(Number(number)) <= maxNumber)) continue;
    throw new LogoRefused(
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
 * A length that a shape's outline does not exceed. No curve is longer than its control polygon, and
 * that is at most twice as long as all coordinates together; circles and arcs take 2π of a radius.
 */
export function lengthBound(attributes: ReadonlyMap<string, string>, data: string): number {
  const sides = ['width', 'height', 'r', 'rx', 'ry', 'x1', 'y1', 'x2', 'y2'];
  const values = sides.flatMap((side) => attributes.get(side) ?? []);
  const numbers = [...values, data].flatMap((value) => value.match(numberPattern) ?? []);
  const factor = values.length > 0 || /a/i.test(data) ? 8 : 2;
  return factor * numbers.reduce((total, number) => total + Math.abs(Number(number)), 0);
}
