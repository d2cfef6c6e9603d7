import { expect, test } from 'bun:test';
import { createCooperativeScheduler } from '../../src/lib/event-loop.ts';

/** Pieces of work that take so long, while others take so much of each turn of the event loop. */
function world({ workMs = 0.2, othersMs = 0 }) {
  const time = { ms: 0 };
  const rests: number[] = [];
  const givingWay = createCooperativeScheduler({
    nowMs: () => time.ms,
    yieldToEventLoop: async () => {
      time.ms += othersMs;
    },
    sleep: async (ms) => {
      rests.push(ms);
      time.ms += ms;
    },
  });
  const work = (number: number) => async () => {
    const beganMs = time.ms;
    time.ms += workMs;
    return { number, beganMs };
  };
  const all = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, number) => givingWay(work(number))));
  return { givingWay, all, rests, time };
}

test('while nobody else wants the thread, one piece of work follows another at once, in order', async () => {
  const { all, rests } = world({ workMs: 1, othersMs: 0.02 });
  expect(await all(4)).toEqual(
    [0, 1, 2, 3].map((number) => ({ number, beganMs: expect.closeTo(number * 1.04) })),
  );
  expect(rests).toEqual([]);
});

test('while others do, they have the thread for far longer after each', async () => {
  const { all, time } = world({ workMs: 0.2, othersMs: 1 });
  await all(10);
  const share = (10 * 0.2) / time.ms;
  expect(share).toBeLessThan(1 / 10);
});

test('nobody waits for long behind work that took long', async () => {
  const { all, rests } = world({ workMs: 1000, othersMs: 1 });
  await all(3);
  expect(Math.max(...rests)).toBeLessThanOrEqual(5);
});

test('work that fails says so, and the next is done all the same', async () => {
  const { givingWay } = world({});
  const failed = givingWay(() => Promise.reject(new Error('broken')));
  const next = givingWay(async () => 'done');
  expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
