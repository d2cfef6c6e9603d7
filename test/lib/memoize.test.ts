import { expect, test } from 'bun:test';
import { memoize } from '../../src/lib/memoize.ts';

test('concurrent and later calls share one result', async () => {
  let calls = 0;
  const get = memoize(async () => ++calls);
  expect(calls).toBe(0);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

test('a rejection reaches all concurrent callers and is not cached', async () => {
  let calls = 0;
  const get = memoize(async () => {
    if (++calls === 1) throw new Error('too many open files');
    return calls;
  });
  const concurrent = [get(), get()];
  for (const call of concurrent) await expect(call).rejects.toThrow('too many open files');
  expect(await get()).toBe(2);
});
