import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createThrottle } from '../../src/core/accounts/throttle.ts';

function throttleAt() {
  let nowMs = 1_000;
  const throttle = createThrottle({ burst: 3, intervalMs: 10_000 }, { monotonicMs: () => nowMs });
  return {
    throttle,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a throttle', () => {
  test('lets so many through at once, then one each interval', () => {
    const { throttle, pass } = throttleAt();
    expect([1, 2, 3].map(() => throttle.take('a'))).toEqual([0, 0, 0]);
    expect(throttle.take('a')).toBe(10);
    pass(4_000);
    expect(throttle.take('a')).toBe(6);
    pass(6_000);
    expect(throttle.take('a')).toBe(0);
    expect(throttle.take('a')).toBe(10);
  });

  test('keeps names apart', () => {
    const { throttle } = throttleAt();
    for (let burst = 0; burst < 5; burst++) throttle.take('a');
    expect(throttle.take('b')).toBe(0);
  });

  test('gives a try back', () => {
    const { throttle } = throttleAt();
    for (let burst = 0; burst < 20; burst++) {
      expect(throttle.take('a')).toBe(0);
      throttle.refund('a');
    }
  });

  test('always opens again after the wait that it names, and never lets more through', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(15_000), { minLength: 1, maxLength: 60 }), (pauses) => {
        const { throttle, pass } = throttleAt();
        let through = 0;
        let waitedMs = 0;
        for (const pause of pauses) {
          const seconds = throttle.take('a');
          if (seconds === 0) through++;
          else {
            pass(seconds * 1000);
            waitedMs += seconds * 1000;
            expect(throttle.take('a')).toBe(0);
            through++;
          }
          pass(pause);
          waitedMs += pause;
        }
        expect(through).toBeLessThanOrEqual(3 + Math.floor(waitedMs / 10_000) + 1);
      }),
    );
  });
});
