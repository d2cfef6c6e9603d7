import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  codeAlphabet,
  formatCodeNumber,
  newCode,
  parseCode,
  parseCodeNumber,
} from '../../src/core/codes/code.ts';

const codes = fc
  .array(fc.constantFrom(...codeAlphabet), { minLength: 8, maxLength: 8 })
  .map((characters) => characters.join(''));

describe('reading a code', () => {
  test('the alphabet is that of Crockford, in lower case', () => {
    expect(codeAlphabet).toHaveLength(32);
    expect(new Set(codeAlphabet).size).toBe(32);
    for (const missing of 'ilou') expect(codeAlphabet).not.toContain(missing);
  });

  test('every code reads as itself, in any case', () => {
    fc.assert(
      fc.property(
        codes,
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        (code, capitals) => {
          const typed = [...code]
            .map((one, at) => (capitals[at] ? one.toUpperCase() : one))
            .join('');
          expect(parseCode(typed)).toBe(code);
        },
      ),
    );
  });

  test('the number of a code stands for it alone, wherever it is written and in any case', () => {
    fc.assert(
      fc.property(codes, codes, fc.string(), fc.string(), (code, other, before, behind) => {
        const number = parseCodeNumber(before + code + behind, before.length, before.length + 8);
        expect(number).toBe(parseCodeNumber(code.toUpperCase(), 0, 8));
        expect(formatCodeNumber(number ?? -1)).toBe(code);
        expect(number === parseCodeNumber(other, 0, 8)).toBe(code === other);
      }),
    );
    expect([parseCodeNumber('00000000', 0, 8), parseCodeNumber('zzzzzzzz', 0, 8)]).toEqual([
      0,
      2 ** 40 - 1,
    ]);
  });

  test('one that is cut off, or stands beside the place that is read, is none', () => {
    for (const [from, to] of [
      [0, 7],
      [0, 9],
      [1, 9],
      [-1, 7],
      [5, 13],
      [8, 0],
    ] as const)
      expect(parseCodeNumber('0123abcd', from, to)).toBeNull();
  });

  test.each([
    [undefined],
    [null],
    [''],
    ['0123abc'],
    ['0123abcde'],
    ['0123abci'],
    ['0123abcL'],
    ['0123abco'],
    ['0123abcU'],
    ['0123abc-'],
    [' 123abcd'],
    ['0123abc\n'],
    ['0123abc%'],
    ['../../..'],
    ['0123abc\u212a'], // the Kelvin sign, which is a k in lower case
    ['０１２３ＡＢＣＤ'],
    ['0123\0bcd'],
  ])('%p is none', (text) => {
    expect(parseCode(text)).toBeNull();
  });

  test('whatever is asked for, the answer is null or spelled as codes are stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 7, maxLength: 9 }), (text) => {
        expect(parseCode(text) ?? '00000000').toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
      }),
    );
  });
});

describe('a new code', () => {
  test('takes eight characters from eight bytes', () => {
    const asked: number[] = [];
    const bytes = (length: number) => {
      asked.push(length);
      return Uint8Array.from([0, 1, 31, 32, 63, 64, 254, 255]);
    };
    expect(newCode(bytes)).toBe('01z0z0yz');
    expect(asked).toEqual([8]);
  });

  test('favours no character', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++)
      for (const one of newCode((length) => new Uint8Array(length).fill(byte)))
        counts.set(one, (counts.get(one) ?? 0) + 1);
    expect([...counts.keys()].sort().join('')).toBe([...codeAlphabet].sort().join(''));
    expect(new Set(counts.values())).toEqual(new Set([64]));
  });
});
