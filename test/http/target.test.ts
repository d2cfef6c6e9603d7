import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTarget } from '../../src/http/target.ts';

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

describe('parseTarget', () => {
  test('agrees with the URL standard', () => {
    fc.assert(
      fc.property(text, (rest) => {
        const { pathname: path, search } = new URL(`http://localhost/${rest}`);
        expect(parseTarget(`/${rest}`)).toEqual({ path, search });
      }),
      { numRuns: 5000 },
    );
  });
});
