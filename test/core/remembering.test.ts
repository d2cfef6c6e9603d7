import { expect, test } from 'bun:test';
import { memoize } from '../../src/lib/memoize.ts';

test('what was made once is given to everyone', async () => {
  let made = 0;
  const get = memoize(async () => ++made);
  expect(made).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test('what failed is told to all who waited, and tried again when it is next asked for', async () => {
  let tries = 0;
  const get = memoize(async () => {
    if (++tries === 1) throw new Error('too many open files');
    return tries;
  });
  const waiting = [get(), get()];
  for (const one of waiting) await expect(one).rejects.toThrow('too many open files');
  expect(tries).toBe(1);
  expect([await get(), await get()]).toEqual([2, 2]);
});
