import { expect, test } from 'bun:test';
import { createRestPolicy } from '../../src/render/worker/rest-policy.ts';

/** How long a worker rests after a job of 10 ms of processor time, in whose time redirects were made. */
function restAfter(jobMs: number, redirects: number, cpuMs = 10): number {
  let [nowMs, made] = [5000, 70_000];
  const restPolicy = createRestPolicy(
    () => made,
    () => nowMs,
  );
  const restMs = restPolicy();
  nowMs += jobMs;
  made += redirects;
  return restMs(cpuMs);
}

test('a worker rests twelve times as long as it worked while thousands of redirects come a second', () => {
  expect(restAfter(10, 400)).toBe(120);
  // However long it had to wait for a processor.
  expect(restAfter(100, 201)).toBe(120);
});

test('it does not rest while fewer come', () => {
  expect(restAfter(10, 0)).toBe(0);
  expect(restAfter(100, 200)).toBe(0);
});

test('it rests for no longer than 0.3 seconds, after whatever it did', () => {
  expect(restAfter(9000, 900_000, 9000)).toBe(300);
});
