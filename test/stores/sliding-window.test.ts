import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RateDecision } from '../../src/core/ports.ts';
import { createSlidingWindow } from '../../src/memory/rate-limiter.ts';

const windowMs = 60_000;

/** Creates a rate limiter with a clock that the test sets. */
function windowOf(limit: number) {
  let nowMs = 0;
  const rate = createSlidingWindow(limit, { monotonicMs: () => nowMs });
  const atMs = async (ms: number, key = 'key'): Promise<RateDecision> => {
    nowMs = ms;
    return rate.admit(key);
  };
  return {
    rate,
    /** Makes a request at a time. */
    atMs,
    at: (seconds: number, key?: string) => atMs(seconds * 1000, key),
    /** Makes requests at a time. Returns how many were admitted. */
    burst: async (times: number, seconds: number, key = 'key'): Promise<number> => {
      nowMs = seconds * 1000;
      const all = await Promise.all(Array.from({ length: times }, () => rate.admit(key)));
      return all.filter(({ admitted }) => admitted).length;
    },
  };
}

describe('a limit of 60', () => {
  test('60 at once are admitted, and the next one a minute later', async () => {
    const { at, burst } = windowOf(60);
    expect(await burst(60, 0)).toBe(60);
    expect(await at(0)).toEqual({ admitted: false, limit: 60, remaining: 0, resetSeconds: 60 });
    expect(await at(59.2)).toMatchObject({ admitted: false, resetSeconds: 1 });
    expect(await at(59.999)).toMatchObject({ admitted: false, resetSeconds: 1 });
    expect(await at(60.001)).toMatchObject({ admitted: true, remaining: 59, resetSeconds: 60 });
  });

  test('resetSeconds is at most 60 with fractions of a millisecond', async () => {
    for (let nowMs = 0; nowMs < 20_000; nowMs += 12.34567)
      expect(await windowOf(1).atMs(nowMs)).toMatchObject({ resetSeconds: 60 });
  });
});

test('keys have separate windows, and reading them counts nothing', async () => {
  const { rate, at, burst } = windowOf(2);
  await burst(2, 0, 'one');
  expect((await at(0, 'two')).admitted).toBe(true);
  expect([await rate.used('one'), await rate.used('two'), await rate.used('three')]).toEqual([
    2, 1, 0,
  ]);
  expect(await rate.used('one')).toBe(2);
  await at(60, 'two');
  expect([await rate.used('one'), await rate.used('two')]).toEqual([0, 1]);
});

describe('at any times', () => {
  // Quarters of seconds meet the window's edge exactly, eighths of milliseconds do not. Both add up
  // without rounding.
  const gaps = fc.array(
    fc.oneof(
      fc.integer({ min: 0, max: 120 }).map((quarters) => quarters * 250),
      fc.integer({ min: 0, max: 240_000 }).map((eighths) => eighths / 8),
    ),
    { minLength: 1, maxLength: 80 },
  );
  const limits = fc.integer({ min: 1, max: 6 });

  test('decisions match the definition of a sliding window', async () => {
    await fc.assert(
      fc.asyncProperty(gaps, limits, async (gapsMs, limit) => {
        const { atMs } = windowOf(limit);
        const admitted: number[] = [];
        let nowMs = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          const counted = admitted.filter((ms) => ms > nowMs - windowMs);
          const fits = counted.length < limit;
          if (fits) {
            admitted.push(nowMs);
            counted.push(nowMs);
          }
          const [oldestMs = nowMs] = counted;
          expect(await atMs(nowMs)).toEqual({
            admitted: fits,
            limit,
            remaining: limit - counted.length,
            resetSeconds: Math.max(1, Math.ceil((oldestMs + windowMs - nowMs) / 1000)),
          });
        }
      }),
    );
  });
});
