import { expect, test } from 'bun:test';
import { counted } from '../../src/cli/counted.ts';

test('one is one, and everything else is many', () => {
  expect([0, 1, 2].map((count) => counted(count, 'code'))).toEqual([
    '0 codes',
    '1 code',
    '2 codes',
  ]);
  expect(counted(1, 'entry', 'entries')).toBe('1 entry');
  expect(counted(3, 'entry', 'entries')).toBe('3 entries');
});
