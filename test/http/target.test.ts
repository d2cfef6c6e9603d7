import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTarget } from '../../src/http/target.ts';
import { wholeNumber } from '../../src/lib/whole-number.ts';

const pieces = [
  '/',
  'qrs',
  '7h3k9m2x',
  '.png',
  '.',
  '..',
  '%2e',
  '?',
  '&',
  '=',
  'size',
  'limit',
  '7',
];
const text = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 3 })),
  )
  .map((parts) => parts.join(''))
  // A fragment is never sent (RFC 9110, 4.2.5).
  .filter((parts) => !parts.includes('#'));

describe('the fast paths agree with the URL standard', () => {
  test('path and query', () => {
    fc.assert(
      fc.property(text, (rest) => {
        const { pathname: path, search } = new URL(`http://localhost/${rest}`);
        expect(parseTarget(`/${rest}`)).toEqual({ path, search });
      }),
      { numRuns: 5000 },
    );
  });

  test('a number in the query', () => {
    const range = { default: -1, min: 0, max: 1e9 };
    fc.assert(
      fc.property(text, (rest) => {
        const last = new URLSearchParams(rest).getAll('size').at(-1) ?? '';
        const expected = /^[+-]?\d+$/.test(last) ? Math.min(Math.max(Number(last), 0), 1e9) : -1;
        expect(wholeNumber(`?${rest}`, 'size', range)).toBe(expected);
      }),
      { numRuns: 5000, examples: [['size=7'], ['size=7&size=8'], ['limit=7'], ['size=']] },
    );
  });
});
