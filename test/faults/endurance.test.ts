import { describe, expect, test } from 'bun:test';
import type { Line, Minute } from './long/endurance-log.ts';
import { verdictsOn } from './long/endurance-report.ts';
import { createRunClock } from './long/run-clock.ts';

// The run itself takes hours (long/endurance.ts); here is what judges it.

/** Eight hours as they should be, but for what is said of a minute. */
function logOf(change: (minute: number) => Partial<Minute> = () => ({})): Line[] {
  const at = '2026-11-21T00:00:00Z';
  const minutes = Array.from({ length: 480 }, (_, index): Minute => {
    const minute = index + 1;
    const steady = { memoryMb: 150 + (minute % 7), mostMemoryMb: 300, anonymousMb: 90 };
    const files = { descriptors: 31, databaseMb: 1, logMb: 4 };
    const load = { answered: 6000, p50Ms: 1, p99Ms: 9, mostMs: 90, cpuPercent: 6, codes: 2000 };
    return { kind: 'minute', minute, at, ...steady, ...files, ...load, ...change(minute) };
  });
  const sums = { requests: 2_880_000, lostInPauses: 0, scans: 2_300_000, peakMb: 400 };
  const exact = { listed: 2000, created: 2000, inexact: 0 };
  return [...minutes, { kind: 'end', at, exitCode: 0, flaws: [], ...sums, ...exact }];
}

const wrongIn = (lines: readonly Line[]) =>
  verdictsOn(lines)
    .filter(({ holds }) => !holds)
    .map(({ what }) => what);

describe('eight hours', () => {
  test('in which nothing grows are as they should be', () => {
    expect(wrongIn(logOf())).toEqual([]);
    const warmingUp = logOf((minute) => (minute < 30 ? { memoryMb: 100 } : {}));
    expect(wrongIn(warmingUp)).toEqual([]);
  });

  test('may need the memory by which the database grows, and no more', () => {
    const growing = (memory: number) =>
      logOf((minute) => ({
        memoryMb: 150 + (minute / 60) * memory,
        databaseMb: 1 + (minute / 60) * 2,
      }));
    expect(wrongIn(growing(2.5))).toEqual([]);
    expect(wrongIn(growing(4))).toEqual(['least memory of half hours after the first, MB an hour']);
  });

  test('are wrong where descriptors leak, the log grows or a fault was seen', () => {
    const leaking = logOf((minute) => ({ descriptors: 31 + Math.floor(minute / 60) }));
    expect(wrongIn(leaking)).toEqual(['descriptors']);
    expect(wrongIn(logOf((minute) => ({ logMb: minute === 77 ? 65 : 4 })))).toEqual([
      'log, most MB',
    ]);
    const fault: Line = { kind: 'fault', minute: 3, at: '', what: { status: 302, got: 500 } };
    expect(wrongIn([...logOf(), fault])).toEqual(['answers and upkeep otherwise than expected']);
  });

  test('are not over before they have ended', () => {
    expect(wrongIn(logOf().slice(0, 400))).toEqual(['hours', 'end']);
  });
});

test('the time of a run stands still while the run does', () => {
  let nowMs = 5000;
  const clock = createRunClock(() => nowMs, 3000);
  nowMs += 2000;
  expect(clock.look()).toBe(0);
  nowMs += 240_000;
  expect(clock.look()).toBe(240_000);
  nowMs += 1000;
  expect(clock.look()).toBe(0);
  expect(clock.ranMs()).toBe(3000);
  expect(clock.pauses()).toBe(1);
});
