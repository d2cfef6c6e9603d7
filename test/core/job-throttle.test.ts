import { expect, test } from 'bun:test';
import { createJobThrottle } from '../../src/core/scans/job-throttle.ts';

test.each([
  [0, 10, 10, 0],
  [200, 100, 10, 0],
  [201, 100, 10, 120],
  [400, 10, 10, 120],
  [900_000, 9000, 9000, 300],
])('%i redirects in %i ms and %i ms of CPU time: a pause of %i ms', (made, ms, cpuMs, pauseMs) => {
  let [nowMs, redirects] = [5000, 70_000];
  const startJob = createJobThrottle(
    () => redirects,
    () => nowMs,
  );
  const endJob = startJob();
  nowMs += ms;
  redirects += made;
  expect(endJob(cpuMs)).toBe(pauseMs);
});
