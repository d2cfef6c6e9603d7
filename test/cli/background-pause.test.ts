import { expect, test } from 'bun:test';
import { createBackgroundPause } from '../../src/cli/background-pause.ts';

/** How long a command pauses after each of some pieces of its work, in milliseconds. */
async function restsAfter(...pieces: readonly { workMs: number; waitMs: number }[]) {
  let turns = { workMs: 70, waitMs: 30 };
  const pauses: number[] = [];
  const pause = createBackgroundPause(
    () => turns,
    async (ms) => {
      pauses.push(ms);
      // It has to wait again when it is woken.
      turns = { ...turns, waitMs: turns.waitMs + 50 };
    },
  );
  for (const { workMs, waitMs } of pieces) {
    turns = { workMs: turns.workMs + workMs, waitMs: turns.waitMs + waitMs };
    await pause();
  }
  return pauses;
}

test('a command that has to wait for a processor pauses eight times as long as it worked', async () => {
  expect(await restsAfter({ workMs: 10, waitMs: 2 })).toEqual([80]);
});

test('it does not pause while it need not wait', async () => {
  expect(await restsAfter({ workMs: 10, waitMs: 0.5 }, { workMs: 10, waitMs: 0 })).toEqual([]);
});

test('to be woken late is no reason to pause again', async () => {
  expect(await restsAfter({ workMs: 10, waitMs: 9 }, { workMs: 10, waitMs: 0 })).toEqual([80]);
});

test('short pieces are put together', async () => {
  const short = { workMs: 1, waitMs: 0.5 };
  expect(await restsAfter(short, short, short)).toEqual([16]);
});

test('it pauses for no longer than 0.3 seconds', async () => {
  expect(await restsAfter({ workMs: 500, waitMs: 500 })).toEqual([300]);
});

test('where nobody tells how long it waits, it does not pause', async () => {
  const pause = createBackgroundPause(
    () => null,
    () => Promise.reject(new Error('It paused.')),
  );
  await pause();
});
