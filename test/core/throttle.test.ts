import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createThrottle } from '../../src/core/accounts/throttle.ts';

/** Creates a throttle. `attempt` fails one attempt if it is allowed, and returns the seconds to wait. */
function setUp() {
  let nowMs = 1_000;
  const throttle = createThrottle({ burst: 3, intervalMs: 10_000 }, { monotonicMs: () => nowMs });
  const attempt = (name = 'a') => {
    const seconds = throttle.waitSeconds(name);
    if (seconds === 0) throttle.countFailure(name);
    return seconds;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { throttle, attempt, pass };
}

describe('a throttle', () => {
  test('allows a burst of failures, then one per interval', () => {
    const { attempt, pass } = setUp();
    expect([attempt(), attempt(), attempt(), attempt()]).toEqual([0, 0, 0, 10]);
    pass(4_000);
    expect(attempt()).toBe(6);
    pass(6_000);
    expect([attempt(), attempt()]).toEqual([0, 10]);
    expect(attempt('b')).toBe(0);
  });

  test('does not count attempts that succeed', () => {
    const { throttle } = setUp();
    for (let at = 0; at < 20; at++) expect(throttle.waitSeconds('a')).toBe(0);
  });

  test('allows an attempt after the wait it returns, and never more than the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(15_000), { minLength: 1, maxLength: 60 }), (pauses) => {
        const { attempt, pass } = setUp();
        let failures = 0;
        let elapsedMs = 0;
        for (const pause of pauses) {
          const waitMs = attempt() * 1000;
          if (waitMs > 0) {
            pass(waitMs);
            expect(attempt()).toBe(0);
          }
          failures++;
          pass(pause);
          elapsedMs += waitMs + pause;
        }
        expect(failures).toBeLessThanOrEqual(3 + Math.floor(elapsedMs / 10_000) + 1);
      }),
    );
  });
});
