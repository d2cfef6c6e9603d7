import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { retryKey } from '../../src/core/retry.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const digestOf = (key: string, header: string, body: string) =>
  Buffer.from(retryKey(key, header, bytes(body), 5).digest).toString('hex');

test('the same key, header and body name the same request, at any time', () => {
  expect(digestOf('k', 'h', '{}')).toBe(digestOf('k', 'h', '{}'));
  expect(digestOf('k', 'h', '{}')).toMatch(/^[0-9a-f]{64}$/);
  expect(retryKey('k', 'h', bytes(''), 5).atMs).toBe(5);
});

test('anything else names another one, wherever the parts are cut', () => {
  const part = fc.string({ unit: fc.constantFrom('a', ':', '0', '1', '2'), maxLength: 6 });
  const parts = fc.tuple(part, part, part);
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      expect(digestOf(...one) === digestOf(...other)).toBe(one.join('\n') === other.join('\n'));
    }),
    { numRuns: 1000 },
  );
});
