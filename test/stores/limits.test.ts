import { expect, test } from 'bun:test';
import { createSlidingWindow } from '../../src/limits/memory/rate-limiter.ts';
import { createMemoryThrottles } from '../../src/limits/memory/throttle.ts';
import { type LimitsUnderTest, rateLimiterSuite, throttleSuite } from './limits.suite.ts';

function setUp(): LimitsUnderTest & { nowMs: number } {
  const state = { nowMs: 0 };
  const clock = { monotonicMs: () => state.nowMs };
  return Object.assign(state, {
    createRate: (limit: number) => createSlidingWindow(limit, clock),
    createThrottle: createMemoryThrottles(clock),
    pass: async (ms: number) => {
      state.nowMs += ms;
    },
  });
}

rateLimiterSuite('memory', setUp);
throttleSuite('memory', setUp);

test('resetSeconds is at most 60 with fractions of a millisecond', async () => {
  for (let nowMs = 0; nowMs < 20_000; nowMs += 12.34567) {
    const limits = Object.assign(setUp(), { nowMs });
    expect(await limits.createRate(1).admit('key')).toMatchObject({ resetSeconds: 60 });
  }
});

test('the window ends exactly after a minute', async () => {
  const { createRate, pass } = setUp();
  const rate = createRate(1);
  await rate.admit('key');
  await pass(59_999);
  expect(await rate.admit('key')).toMatchObject({ admitted: false, resetSeconds: 1 });
  await pass(1);
  expect(await rate.admit('key')).toMatchObject({ admitted: true });
});
