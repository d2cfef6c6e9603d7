import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { idempotencyKey } from '../../src/core/codes/idempotency.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const digestOf = (key: string, header: string, body: string) =>
  Buffer.from(idempotencyKey(key, header, bytes(body), 5).digest).toString('hex');

test('the same key, header and body name the same request, at any time', () => {
  expect(digestOf('k', 'h', '{}')).toBe(digestOf('k', 'h', '{}'));
  expect(digestOf('k', 'h', '{}')).toMatch(/^[0-9a-f]{64}$/);
  expect(idempotencyKey('k', 'h', bytes(''), 5).atMs).toBe(5);
});

test('another key, header or body names another one', () => {
  const all = [
    digestOf('k', 'h', '{}'),
    digestOf('K', 'h', '{}'),
    digestOf('k', 'H', '{}'),
    digestOf('k', 'h', '[]'),
  ];
  expect(new Set(all).size).toBe(all.length);
});

test('so does the same text where its parts are cut elsewhere', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ':', '0', '1', '2'), maxLength: 18 });
  const cut = fc.nat(18);
  fc.assert(
    fc.property(text, cut, cut, cut, cut, (whole, ...cuts) => {
      const partsAt = (one = 0, other = 0) => {
        const [first, second] = one < other ? [one, other] : [other, one];
        return [whole.slice(0, first), whole.slice(first, second), whole.slice(second)] as const;
      };
      const [one, other] = [partsAt(cuts[0], cuts[1]), partsAt(cuts[2], cuts[3])];
      expect(digestOf(...one) === digestOf(...other)).toBe(one.join('\n') === other.join('\n'));
    }),
    { numRuns: 1000 },
  );
});
