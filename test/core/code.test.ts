import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  codeAlphabet,
  formatCodeNumber,
  newCode,
  parseCode,
  parseCodeNumber,
} from '../../src/core/codes/code.ts';
import { words } from '../support/words.ts';

const codes = fc
  .array(fc.constantFrom(...codeAlphabet), { minLength: 8, maxLength: 8 })
  .map((characters) => characters.join(''));

describe('parsing a code', () => {
  test('the alphabet is Crockford base32 in lower case', () => {
    expect(new Set(codeAlphabet).size).toBe(32);
    expect(codeAlphabet).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
  });

  test('ignores case', () => {
    const capitals = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(codes, capitals, (code, isCapital) => {
        const typed = [...code].map((one, at) => (isCapital[at] ? one.toUpperCase() : one));
        expect(parseCode(typed.join(''))).toBe(code);
      }),
    );
  });

  test('a number identifies one code, at any position in a text', () => {
    fc.assert(
      fc.property(codes, codes, fc.string(), fc.string(), (code, other, before, behind) => {
        const number = parseCodeNumber(before + code + behind, before.length, before.length + 8);
        expect(number).toBe(parseCodeNumber(code.toUpperCase(), 0, 8));
        expect(formatCodeNumber(number ?? -1)).toBe(code);
        expect(number === parseCodeNumber(other, 0, 8)).toBe(code === other);
      }),
    );
    expect(parseCodeNumber('zzzzzzzz', 0, 8)).toBe(2 ** 40 - 1);
  });

  test.each([
    [0, 7],
    [0, 9],
    [-1, 7],
    [5, 13],
    [8, 0],
  ])('rejects the characters from %d to %d of a code', (from, to) => {
    expect(parseCodeNumber('0123abcd', from, to)).toBeNull();
  });

  test.each([
    ...words('0123abc 0123abcde 0123abci 0123abcL 0123abco 0123abcU 0123abc- ０１２３ＡＢＣＤ'),
    ...[undefined, null, '', '0123abc\n'],
    '0123abc\u212a', // the Kelvin sign, whose lower case is k
  ])('rejects %p', (text) => {
    expect(parseCode(text)).toBeNull();
  });

  test('returns the stored form or null for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 7, maxLength: 9 }), (text) => {
        expect(parseCode(text) ?? '00000000').toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
      }),
    );
  });
});

describe('a new code', () => {
  test('is eight characters from eight bytes', () => {
    const bytes = Uint8Array.from([0, 1, 31, 32, 63, 64, 254, 255]);
    expect(newCode((length) => bytes.subarray(0, length))).toBe('01z0z0yz');
  });

  test('has every character with the same probability', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++)
      for (const one of newCode((length) => new Uint8Array(length).fill(byte)))
        counts.set(one, (counts.get(one) ?? 0) + 1);
    expect([...counts.keys()].sort().join('')).toBe(codeAlphabet);
    expect(new Set(counts.values())).toEqual(new Set([64]));
  });
});
