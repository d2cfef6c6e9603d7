import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  beginOfDay,
  compareDays,
  dayOf,
  daysIn,
  lastDays,
  minutesBeforeMidnight,
  scansOn,
  sumHours,
  thisWeek,
} from '../../src/core/scans/days.ts';
import { scanSeries } from '../../src/core/scans/series.ts';

const hour = 3_600_000;
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z');
const day = (text: string) => Temporal.PlainDate.from(text);

describe('a day of an account', () => {
  test.each([
    ['UTC', '2026-11-28', '2026-11-28T00:00Z', '2026-11-29T00:00Z'],
    ['Europe/Rome', '2026-11-28', '2026-11-27T23:00Z', '2026-11-28T23:00Z'],
    ['America/New_York', '2026-11-28', '2026-11-28T05:00Z', '2026-11-29T05:00Z'],
    ['Pacific/Kiritimati', '2026-11-28', '2026-11-27T10:00Z', '2026-11-28T10:00Z'],
    // 23 and 25 hours.
    ['Europe/Rome', '2026-03-29', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Europe/Rome', '2026-10-25', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    // Without a midnight: the day begins at 1:00.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
    // Midnight is within an hour of UTC, which counts to the new day.
    ['Asia/Kolkata', '2026-11-28', '2026-11-27T18:00Z', '2026-11-28T18:00Z'],
    ['Asia/Kathmandu', '2026-11-28', '2026-11-27T18:00Z', '2026-11-28T18:00Z'],
    ['America/St_Johns', '2026-11-28', '2026-11-28T03:00Z', '2026-11-29T03:00Z'],
    // Half an hour of summer time, whose days begin at a whole hour of UTC.
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:00Z', '2026-10-04T13:00Z'],
    // A day that Samoa left out has no hours.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00Z', '2011-12-30T10:00Z'],
  ])('in %s, %s is from %s to %s', (zone, text, begin, end) => {
    expect(iso(beginOfDay(day(text), zone))).toBe(begin);
    expect(iso(beginOfDay(day(text).add({ days: 1 }), zone))).toBe(end);
  });

  test('of an instant is the one whose hours have it, in every zone', () => {
    const instants = fc.integer({ min: at('2015-01-01T00:00Z'), max: at('2035-01-01T00:00Z') });
    const zones = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(zones, instants, (zone, ms) => {
        const found = dayOf(ms, zone);
        expect(beginOfDay(found, zone)).toBeLessThanOrEqual(ms);
        expect(beginOfDay(found.add({ days: 1 }), zone)).toBeGreaterThan(ms);
      }),
      { numRuns: 1000 },
    );
  });

  test('begins some minutes before midnight in zones that are no whole hours from UTC', () => {
    const minutes = (zone: string, text = '2026-11-28T12:00Z') =>
      minutesBeforeMidnight(at(text), zone);
    expect(minutes('Europe/Rome')).toBe(0);
    expect(minutes('Asia/Kolkata')).toBe(30);
    expect(minutes('Asia/Kathmandu')).toBe(15);
    expect(minutes('Australia/Lord_Howe')).toBe(0);
    expect(minutes('Australia/Lord_Howe', '2026-07-01T12:00Z')).toBe(30);
  });

  test('that is not over is compared with the former until the same hour', () => {
    const zone = 'Europe/Rome';
    const nowMs = at('2026-03-30T08:30:00Z'); // 10:30, and the day before had 23 hours
    const sums = sumHours([
      { hourMs: at('2026-03-29T22:00Z'), scans: 1 }, // midnight
      { hourMs: at('2026-03-30T08:00Z'), scans: 2 },
      { hourMs: at('2026-03-28T23:00Z'), scans: 4 }, // midnight the day before
      { hourMs: at('2026-03-29T08:00Z'), scans: 8 }, // 10:00 the day before
      { hourMs: at('2026-03-29T09:00Z'), scans: 16 }, // 11:00 the day before
      { hourMs: at('2026-03-28T22:00Z'), scans: 32 },
    ]);
    const today = lastDays(1, nowMs, zone);
    expect(compareDays(today, 1, sums, zone, nowMs)).toEqual({ scans: 3, before: 12 });
    const yesterday = { first: day('2026-03-29'), last: day('2026-03-29') };
    expect(compareDays(yesterday, 1, sums, zone, nowMs)).toEqual({ scans: 28, before: 32 });
    expect(String(thisWeek(nowMs, zone).first)).toBe('2026-03-30');
    expect(String(thisWeek(at('2026-03-29T21:59Z'), zone).first)).toBe('2026-03-23');
  });
});

describe('a series of scans', () => {
  const nowMs = at('2026-11-28T10:42:00Z');

  test.each([
    [7, 7, '2026-11-22', '2026-11-28'],
    [30, 30, '2026-10-30', '2026-11-28'],
    // Weeks begin on Monday: the first and the last one are incomplete.
    [365, 53, '2025-11-29', '2026-11-23'],
  ])('of %d days has %d points', (days, points, first, last) => {
    const series = scanSeries(lastDays(days, nowMs, 'UTC'), new Map(), 'UTC');
    expect(series).toHaveLength(points);
    expect(String(series[0]?.first)).toBe(first);
    expect(String(series.at(-1)?.first)).toBe(last);
    expect(String(series.at(-1)?.last)).toBe('2026-11-28');
  });

  test('has every scan of its days in exactly one point, in every zone', () => {
    const hours = fc.array(
      fc.record({
        hourMs: fc.nat(400 * 24).map((back) => Math.floor(nowMs / hour) * hour - back * hour),
        scans: fc.nat(1000),
      }),
    );
    const zones = fc.constantFrom('UTC', 'Europe/Rome', 'Asia/Kolkata', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(fc.constantFrom(7, 30, 365), zones, hours, (days, zone, scanned) => {
        const range = lastDays(days, nowMs, zone);
        const sums = sumHours(scanned);
        const points = scanSeries(range, sums, zone);
        const total = points.reduce((sum, { scans }) => sum + scans, 0);
        expect(total).toBe(scansOn(range, sums, zone));
        expect(points.reduce((sum, point) => sum + daysIn(point), 0)).toBe(days);
      }),
    );
  });
});
