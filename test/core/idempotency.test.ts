import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { idempotencyKey } from '../../src/core/codes/idempotency.ts';

const digestOf = (sender: string, key: string, content: string) =>
  idempotencyKey(sender, key, content, 5).digest.toHex();

test('two requests have the same digest only if sender, key and content are equal', () => {
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
