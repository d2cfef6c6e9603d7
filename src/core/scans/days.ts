import { hourMs, startOfHour } from './hit-counts.ts';
import type { HourlyScans } from './ports.ts';

/**
 * The calendar days of an account.
 * Scans are stored by the hour of UTC, so a day is made of whole hours of UTC: where midnight is within an hour, that
 * hour is the first one of the new day.
 */

/** The days from `first` to `last`, both included. */
export interface DayRange {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** Scans by the beginning of their hour. */
export type HourSums = ReadonlyMap<number, number>;

/** Scans in a period, and in one before. */
export interface PeriodScans {
  readonly scans: number;
  readonly before: number;
}

/** Returns the day that the scans of an instant count to. */
export function dayOf(ms: number, zone: string): Temporal.PlainDate {
  return zoned(startOfHour(ms) + hourMs - 1, zone).toPlainDate();
}

/** Returns the first hour of a day. */
export function beginOfDay(day: Temporal.PlainDate, zone: string): number {
  return startOfHour(day.toZonedDateTime(zone).epochMilliseconds);
}

/** Returns how many minutes before midnight the day of an instant begins: 0 in zones of whole hours. */
export function minutesBeforeMidnight(ms: number, zone: string): number {
  const midnight = dayOf(ms, zone).toZonedDateTime(zone).epochMilliseconds;
  return (midnight - startOfHour(midnight)) / 60_000;
}

/** Returns the last `days` days, today included. */
export function lastDays(days: number, nowMs: number, zone: string): DayRange {
  const last = dayOf(nowMs, zone);
  return { first: last.subtract({ days: days - 1 }), last };
}

/** Returns the days since Monday. */
export function thisWeek(nowMs: number, zone: string): DayRange {
  const last = dayOf(nowMs, zone);
  return { first: mondayOf(last), last };
}

/** Returns the Monday of the week of a day. */
export function mondayOf(day: Temporal.PlainDate): Temporal.PlainDate {
  return day.subtract({ days: day.dayOfWeek - 1 });
}

/** Returns the number of days in a range. */
export function daysIn({ first, last }: DayRange): number {
  return first.until(last).days + 1;
}

/** Returns the same number of days, `days` earlier. */
export function shiftBack({ first, last }: DayRange, days: number): DayRange {
  return { first: first.subtract({ days }), last: last.subtract({ days }) };
}

/** Sums up scans per hour. An hour may come several times. */
export function sumHours(hours: readonly HourlyScans[], sums = new Map<number, number>()) {
  for (const { hourMs: hour, scans } of hours) sums.set(hour, (sums.get(hour) ?? 0) + scans);
  return sums;
}

/** Returns the scans of days. */
export function scansOn({ first, last }: DayRange, sums: HourSums, zone: string): number {
  return between(sums, beginOfDay(first, zone), beginOfDay(last.add({ days: 1 }), zone));
}

/**
 * Returns the scans of days, and those of the days `shiftDays` earlier.
 * If today is among them, the earlier ones end at the same time of day.
 */
export function compareDays(
  range: DayRange,
  shiftDays: number,
  sums: HourSums,
  zone: string,
  nowMs: number,
): PeriodScans {
  const before = shiftBack(range, shiftDays);
  const isOver = Temporal.PlainDate.compare(range.last, dayOf(nowMs, zone)) < 0;
  const endMs = isOver
    ? beginOfDay(before.last.add({ days: 1 }), zone)
    : startOfHour(zoned(nowMs, zone).subtract({ days: shiftDays }).epochMilliseconds) + hourMs;
  return {
    scans: scansOn(range, sums, zone),
    before: between(sums, beginOfDay(before.first, zone), endMs),
  };
}

/** Sums up the hours from an instant to another. Both are the beginning of an hour. */
function between(sums: HourSums, beginMs: number, endMs: number): number {
  let total = 0;
  for (let hour = beginMs; hour < endMs; hour += hourMs) total += sums.get(hour) ?? 0;
  return total;
}

function zoned(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}
