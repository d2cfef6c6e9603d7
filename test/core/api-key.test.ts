import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bearerKey, generateKey, hashKey } from '../../src/core/accounts/api-key.ts';

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const hex = '0123456789abcdef0123456789abcdef01234567';
const key = `wmk_${hex}`;

describe('a new key', () => {
  test('is the prefix, an underscore and 40 hexadecimal digits of 160 random bits', () => {
    const made = generateKey('wmk', (length) => Uint8Array.from({ length }, (_, at) => at));
    expect(made.key).toBe('wmk_000102030405060708090a0b0c0d0e0f10111213');
    expect(made.lastFour).toBe('1213');
    expect(made.hash).toBe(hashKey(made.key));
    expect(bearerKey(`Bearer ${made.key}`)).toBe(made.key);
  });

  test('is another one each time', () => {
    const keys = Array.from({ length: 1000 }, () => generateKey('wmk', randomBytes).key);
    expect(new Set(keys).size).toBe(1000);
  });
});

test('the hash is the SHA-256 of the whole key', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('the key in a header', () => {
  test.each([`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`])(
    '%p',
    (header) => {
      expect(bearerKey(header)).toBe(key);
    },
  );

  test('with the longest prefix that can be configured', () => {
    const long = `abcdefghijklmnop_${hex}`;
    expect(bearerKey(`Bearer ${long}`)).toBe(long);
  });

  test.each([
    [null],
    [''],
    [key],
    ['Bearer'],
    ['Bearer '],
    [`Bearer${key}`],
    [`Bearer\t${key}`],
    [` Bearer ${key}`],
    [`Bearer ${key} `],
    [`Bearer ${key}\n`],
    [`Bearer ${key}0`],
    [`Bearer ${key.slice(0, -1)}`],
    [`Bearer wmk_${'g'.repeat(40)}`],
    [`Bearer ${hex}`],
    [`Bearer _${hex}`],
    [`Bearer 1mk_${hex}`],
    [`Bearer ${key}, Bearer ${key}`],
    [`Basic ${key}`],
    [`Token ${key}`],
    [`Bearer "${key}"`],
    [`Bearer ${' '.repeat(200)}${key}`],
    [`Bearer ${'a'.repeat(100_000)}_${hex}`],
  ])('%p has none', (header) => {
    expect(bearerKey(header)).toBeNull();
  });

  test('whatever the header, a key is taken from it or not, and never anything else', () => {
    const parts = fc.constantFrom('Bearer', ' ', 'wmk', '_', hex, ',', key, '\n', 'é');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (some) => {
        const found = bearerKey(some.join(''));
        // A prefix may be set in capitals.
        if (found !== null) expect(found).toMatch(/^[a-z][a-z0-9]*_[0-9a-f]{40}$/i);
      }),
      { examples: [[['Bearer', ' ', 'Bearer', key]]] },
    );
  });
});
