import { describe, expect, mock, test } from 'bun:test';
import fc from 'fast-check';
import { createCache } from '../../src/lib/cache.ts';

const keys = fc.integer({ min: 0, max: 12 });
const calls = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ name: fc.constant('set' as const), key: keys }) },
    { weight: 9, arbitrary: fc.record({ name: fc.constant('get' as const), key: keys }) },
    { weight: 9, arbitrary: fc.record({ name: fc.constant('delete' as const), key: keys }) },
    { weight: 1, arbitrary: fc.record({ name: fc.constant('clear' as const), key: keys }) },
  ),
  { maxLength: 200, size: 'max' },
);

describe('a bounded cache', () => {
  test('returns only the last value set, and keeps at most two generations', () => {
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 5 }), (sequence, capacity) => {
        const cache = createCache<number, number>(capacity);
        const model = new Map<number, number>();
        const check = (key: number) => {
          const value = cache.get(key);
          if (value !== undefined) expect(value).toBe(model.get(key) ?? Number.NaN);
          return value !== undefined;
        };
        for (const [value, { name, key }] of sequence.entries()) {
          if (name === 'get') check(key);
          else if (name === 'set') {
            cache.set(key, value);
            model.set(key, value);
          } else {
            cache[name](key);
            model[name](key);
          }
        }
        const kept = [...Array(13).keys()].filter(check);
        expect(kept.length).toBeLessThanOrEqual(2 * capacity);
      }),
    );
  });

  test('keeps entries that are read often and evicts the others', () => {
    const cache = createCache<string, number>(3);
    cache.set('often', 1);
    cache.set('once', 2);
    for (let other = 0; other < 50; other++) {
      cache.set(`other ${other}`, other);
      expect(cache.get('often')).toBe(1);
    }
    expect(cache.get('once')).toBeUndefined();
  });

  test('evicts nothing up to its capacity, nor when one key is set repeatedly', () => {
    const cache = createCache<number, number>(10);
    for (let key = 0; key < 10; key++) cache.set(key, key);
    for (let repeat = 0; repeat < 50; repeat++) cache.set(9, 9);
    for (let key = 0; key < 10; key++) expect(cache.get(key)).toBe(key);
  });

  test('computes the value of a key once, null included', () => {
    const cache = createCache<string, string | null>(5);
    const compute = mock(() => null);
    for (let repeat = 0; repeat < 2; repeat++)
      expect(cache.getOrInsertComputed('a', compute)).toBeNull();
    expect(compute).toHaveBeenCalledTimes(1);
  });

  test('does not keep a value heavier than its capacity, and evicts nothing for it', () => {
    const cache = createCache<string, string>(5, (text) => text.length);
    cache.set('a', 'four');
    cache.set('b', 'sixsix');
    expect([cache.get('a'), cache.get('b')]).toEqual(['four', undefined]);
    cache.set('a', 'sixsix');
    expect(cache.get('a')).toBeUndefined();
  });
});
