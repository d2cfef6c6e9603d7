import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { bearerKey } from '../../src/core/accounts/api-key.ts';

const hex = '0123456789abcdef0123456789abcdef01234567';
const key = `wmk_${hex}`;

// test/contract/authentication.test.ts has the table of invalid headers.
test('a header contains the longest prefix that can be configured', () => {
  const long = `abcdefghijklmnop_${hex}`;
  expect(bearerKey(`Bearer   ${long}`)).toBe(long);
});

test('any header contains a key in the right format or none', () => {
  const parts = fc.constantFrom('Bearer', ' ', 'wmk', '_', hex, ',', key, '\n', 'é');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (some) => {
      const found = bearerKey(some.join(''));
      // The prefix may be configured in capitals.
      if (found !== null) expect(found).toMatch(/^[a-z][a-z0-9]*_[0-9a-f]{40}$/i);
    }),
    { examples: [[['Bearer', ' ', 'Bearer', key]]] },
  );
});
