import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Cache, createCache } from '../../src/lib/cache.ts';

const keys = fc.integer({ min: 0, max: 12 });
const steps = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ act: fc.constant('set' as const), key: keys }) },
    { weight: 9, arbitrary: fc.record({ act: fc.constant('get' as const), key: keys }) },
    { weight: 9, arbitrary: fc.record({ act: fc.constant('delete' as const), key: keys }) },
    // Seldom, so that there is something to clear.
    { weight: 1, arbitrary: fc.record({ act: fc.constant('clear' as const), key: keys }) },
  ),
  // Of ten steps, which is what arrays have otherwise, few fill two generations.
  { maxLength: 200, size: 'max' },
);

describe('a bounded cache', () => {
  test('never answers with anything but the last value set, and keeps at most two generations', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (all, capacity) => {
        const cache = createCache<number, number>(capacity);
        const model = new Map<number, number>();
        for (const [at, { act, key }] of all.entries()) {
          if (act === 'clear') {
            cache.clear();
            model.clear();
          } else if (act === 'set') {
            cache.set(key, at);
            model.set(key, at);
          } else if (act === 'delete') {
            cache.delete(key);
            model.delete(key);
          } else {
            const value = cache.get(key);
            if (value !== undefined) expect(value).toBe(model.get(key) ?? Number.NaN);
          }
        }
        const kept = [...Array(13).keys()].filter((key) => peeked(cache, key) !== undefined);
        expect(kept.length).toBeLessThanOrEqual(2 * capacity);
      }),
    );
  });

  test('keeps what was asked for lately and forgets the rest', () => {
    const cache = createCache<string, number>(3);
    cache.set('often', 1);
    cache.set('once', 2);
    for (let other = 0; other < 50; other++) {
      cache.set(`other ${other}`, other);
      expect(cache.get('often')).toBe(1);
    }
    expect(cache.get('once')).toBeUndefined();
  });

  test('keeps everything while there is room', () => {
    const cache = createCache<number, number>(10);
    for (let key = 0; key < 10; key++) cache.set(key, key);
    for (let key = 0; key < 10; key++) expect(cache.get(key)).toBe(key);
  });

  test.each([
    ['new', () => {}],
    ['cleared', (cache: Cache<number, number>) => cache.clear()],
  ])('a %s one keeps the last two generations whole, and nothing before them', (_, prepare) => {
    for (let key = 0; key < 9; key++) {
      const cache = createCache<number, number>(6, () => 2);
      cache.set(0, 0);
      prepare(cache);
      for (let set = 0; set < 9; set++) cache.set(set, set);
      expect(cache.get(key)).toBe(key < 3 ? undefined : key);
    }
  });

  test('a key set again and again takes the place of no other', () => {
    const cache = createCache<string, number>(2);
    cache.set('other', 0);
    for (let value = 0; value < 50; value++) cache.set('same', value);
    expect([cache.get('same'), cache.get('other')]).toEqual([49, 0]);
  });

  test('keeps at most twice the weight, whatever is set, replaced, deleted and asked for', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, capacity) => {
        // Each value is its own weight.
        const cache = createCache<number, number>(capacity, (value) => value);
        for (const [at, { act, key }] of all.entries()) {
          if (act === 'clear') cache.clear();
          else if (act === 'set') cache.set(key, (at * 7) % 25);
          else cache[act](key);
        }
        const kept = [...Array(13).keys()].map((key) => cache.get(key) ?? 0);
        // Looking moves values between the generations, and may let an old one go, never gain one.
        expect(kept.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(3 * capacity);
      }),
    );
  });

  test('what outweighs a generation is not kept, and takes the place of nothing', () => {
    const cache = createCache<string, string>(5, (text) => text.length);
    cache.set('a', 'four');
    cache.set('b', 'sixsix');
    expect([cache.get('a'), cache.get('b')]).toEqual(['four', undefined]);
    cache.set('a', 'fives');
    expect(cache.get('a')).toBe('fives');
    cache.set('a', 'sixsix');
    expect(cache.get('a')).toBeUndefined();
  });
});

/** Whether a key is kept. Asking may make the cache forget others, so a count of these is a lower bound. */
function peeked(cache: { get(key: number): number | undefined }, key: number) {
  return cache.get(key);
}
