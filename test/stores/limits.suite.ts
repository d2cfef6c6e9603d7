import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { CreateThrottle, RateLimiter } from '../../src/core/accounts/ports.ts';
import { isCompleteRun } from '../support/sample.ts';

/** Limits under test. */
export interface LimitsUnderTest {
  createRate(limit: number): RateLimiter;
  readonly createThrottle: CreateThrottle;
  /** Lets time pass, which does not by itself. A negative time sets the clock back. */
  pass(ms: number): Promise<void>;
}

const windowMs = 60_000;
let names = 0;
/** Returns an unused name of a window or a throttle. */
const newName = () => `name ${names++}`;

/** Tests of the port `RateLimiter`, for every adapter. */
export function rateLimiterSuite(name: string, limits: () => LimitsUnderTest): void {
  describe(`${name}: a rate limiter`, () => {
    test('admits 60 at once, and the next one a minute later', async () => {
      const { createRate, pass } = limits();
      const rate = createRate(60);
      const key = newName();
      const burst = await Promise.all(Array.from({ length: 70 }, () => rate.admit(key)));
      expect(burst.filter(({ admitted }) => admitted)).toHaveLength(60);
      const refused = { admitted: false, limit: 60, remaining: 0, resetSeconds: 60 };
      expect(await rate.admit(key)).toEqual(refused);
      await pass(59_200);
      expect(await rate.admit(key)).toMatchObject({ admitted: false, resetSeconds: 1 });
      await pass(900);
      const admitted = { admitted: true, limit: 60, remaining: 59, resetSeconds: 60 };
      expect(await rate.admit(key)).toEqual(admitted);
    });

    test('has a window for each key, and reading it counts nothing', async () => {
      const { createRate, pass } = limits();
      const rate = createRate(2);
      const [one, two, three] = [newName(), newName(), newName()];
      await Promise.all([rate.admit(one), rate.admit(one), rate.admit(one)]);
      expect(await rate.admit(two)).toMatchObject({ admitted: true, remaining: 1 });
      for (let times = 0; times < 2; times++)
        expect([await rate.used(one), await rate.used(two), await rate.used(three)]).toEqual([
          2, 1, 0,
        ]);
      await pass(windowMs);
      await rate.admit(two);
      expect([await rate.used(one), await rate.used(two)]).toEqual([0, 1]);
    });

    test('drops times of the future: a clock that was set back locks no key', async () => {
      const { createRate, pass } = limits();
      const rate = createRate(2);
      const key = newName();
      for (let times = 0; times < 3; times++) await rate.admit(key);
      await pass(-3_600_000);
      expect(await rate.used(key)).toBe(0);
      const decisions = [await rate.admit(key), await rate.admit(key), await rate.admit(key)];
      expect(decisions).toMatchObject([
        { admitted: true, remaining: 1, resetSeconds: 60 },
        { admitted: true, remaining: 0 },
        { admitted: false, resetSeconds: 60 },
      ]);
      await pass(windowMs);
      expect((await rate.admit(key)).admitted).toBe(true);
    });

    test('decides by the definition of a sliding window', async () => {
      // No sum of these is close to the window.
      const gaps = fc.array(
        fc.integer({ min: 0, max: 43 }).map((steps) => steps * 700),
        { minLength: 1, maxLength: 40 },
      );
      await fc.assert(
        fc.asyncProperty(gaps, fc.integer({ min: 1, max: 6 }), async (gapsMs, limit) => {
          const { createRate, pass } = limits();
          const rate = createRate(limit);
          const key = newName();
          const admitted: number[] = [];
          let nowMs = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            await pass(gapMs);
            const counted = admitted.filter((ms) => ms > nowMs - windowMs);
            const fits = counted.length < limit;
            if (fits) {
              admitted.push(nowMs);
              counted.push(nowMs);
            }
            const [oldestMs = nowMs] = counted;
            const decision = await rate.admit(key);
            expect(decision).toEqual({
              admitted: fits,
              limit,
              remaining: limit - counted.length,
              resetSeconds: Math.max(1, Math.ceil((oldestMs + windowMs - nowMs) / 1000)),
            });
          }
        }),
        { numRuns: isCompleteRun ? 50 : 5 },
      );
    });
  });
}

/** Tests of the port `Throttle`, for every adapter. */
export function throttleSuite(name: string, limits: () => LimitsUnderTest): void {
  /** Creates a throttle. `attempt` fails one attempt if it is allowed, and returns the seconds to wait. */
  const setUp = () => {
    const { createThrottle, pass } = limits();
    const throttle = createThrottle(newName(), { burst: 3, intervalMs: 10_000 });
    const attempt = async (name = 'a') => {
      const seconds = await throttle.waitSeconds(name);
      if (seconds === 0) await throttle.countFailure(name);
      return seconds;
    };
    return { throttle, attempt, pass };
  };

  describe(`${name}: a throttle`, () => {
    test('allows a burst of failures, then one per interval', async () => {
      const { attempt, pass } = setUp();
      for (const seconds of [0, 0, 0, 10]) expect(await attempt()).toBe(seconds);
      await pass(4_000);
      expect(await attempt()).toBe(6);
      await pass(6_000);
      for (const seconds of [0, 10]) expect(await attempt()).toBe(seconds);
      expect(await attempt('b')).toBe(0);
    });

    test('does not count attempts that succeed, nor those of another kind', async () => {
      const { throttle } = setUp();
      for (let at = 0; at < 20; at++) expect(await throttle.waitSeconds('a')).toBe(0);
      for (let at = 0; at < 4; at++) await throttle.countFailure('a');
      expect(await throttle.waitSeconds('a')).toBeGreaterThan(10);
      expect(await setUp().throttle.waitSeconds('a')).toBe(0);
    });

    test('allows an attempt after the wait it returns, and never more than the limit', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.nat(15_000), { minLength: 1, maxLength: 60 }),
          async (pauses) => {
            const { attempt, pass } = setUp();
            let failures = 0;
            let elapsedMs = 100;
            for (const pause of pauses) {
              const waitMs = (await attempt()) * 1000;
              if (waitMs > 0) {
                await pass(waitMs);
                expect(await attempt()).toBe(0);
              }
              failures++;
              await pass(pause);
              elapsedMs += waitMs + pause;
            }
            expect(failures).toBeLessThanOrEqual(3 + Math.floor(elapsedMs / 10_000) + 1);
          },
        ),
        { numRuns: isCompleteRun ? 50 : 5 },
      );
    });
  });
}
