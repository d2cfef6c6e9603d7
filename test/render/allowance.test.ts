import { describe, expect, test } from 'bun:test';
import { createAllowance } from '../../src/render/worker/allowance.ts';

const runMs = 1000;

/** A job that never ends, on a clock that only the test moves, while the program gets a share of a processor. */
function endless(ofCpu: number, givenMs = runMs) {
  let nowMs = 0;
  let bell: { atMs: number; ring: () => void } | null = null;
  let overdueMs: number | null = null;
  const allowance = createAllowance(
    (delayMs, ring) => {
      bell = { atMs: nowMs + delayMs, ring };
      return () => {
        bell = null;
      };
    },
    () => nowMs * ofCpu,
  );
  const stop = allowance(givenMs, (afterMs) => {
    overdueMs = afterMs;
  });
  const advance = (ms: number) => {
    nowMs += ms;
    if (bell === null || bell.atMs > nowMs) return;
    const { ring } = bell;
    bell = null;
    ring();
  };
  return { advance, stop, overdueMs: () => overdueMs, isTimed: () => bell !== null };
}

/** After how long a job is overdue, to 100 ms. */
function overdueAfter(ofCpu: number, givenMs?: number): number {
  const { advance, overdueMs } = endless(ofCpu, givenMs);
  for (let passedMs = 0; passedMs < 60_000; passedMs += 10) {
    advance(10);
    if (overdueMs() !== null) return passedMs + 10;
  }
  throw new Error('never overdue');
}

describe('a job is overdue when it may have had the time of the processor that it was given', () => {
  test('at once then, with a processor or more', () => {
    expect(overdueAfter(1)).toBe(runMs);
    expect(overdueAfter(3)).toBe(runMs);
  });

  test('later while others keep the processors', () => {
    expect(overdueAfter(0.25)).toBeWithin(4 * runMs, 4 * runMs + 100);
  });

  test('after ten times as long at most', () => {
    expect(overdueAfter(0)).toBeWithin(10 * runMs, 10 * runMs + 100);
    expect(overdueAfter(0.01)).toBeWithin(10 * runMs, 10 * runMs + 100);
  });

  test('after twenty seconds at most, or what it was given', () => {
    expect(overdueAfter(0, 9000)).toBeWithin(20_000, 20_100);
    expect(overdueAfter(0, 30_000)).toBe(30_000);
  });
});

test('a job that ended in time leaves no timer, also in its longer time', () => {
  const early = endless(1);
  early.stop();
  expect(early.isTimed()).toBe(false);
  const late = endless(0.25);
  late.advance(runMs);
  expect(late.isTimed()).toBe(true);
  late.stop();
  late.advance(60_000);
  expect([late.isTimed(), late.overdueMs()]).toEqual([false, null]);
});
