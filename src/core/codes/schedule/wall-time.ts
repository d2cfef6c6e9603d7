import { Refused } from '../../errors.ts';

/** How often a scheduled change repeats. */
export const periods = ['day', 'week'] as const;
export type Period = (typeof periods)[number];

/** When a scheduled change happens, as clocks of its zone show it. */
export interface Timing {
  /** The first time: `2026-12-24T18:00`. */
  readonly firstLocal: string;
  /** Null for once. */
  readonly every: Period | null;
}

const periodMs = { day: 86_400_000, week: 7 * 86_400_000 } as const;
/** Length of the longest period. */
export const maxPeriodMs = periodMs.week;

// `PlainDateTime.from` also accepts a date alone, seconds, and an offset that it drops.
const wallTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Returns a wall time in its stored form, `2026-12-24T18:00`. @throws Refused */
export function parseWallTime(text: string): string {
  const local = text.trim();
  if (isWallTime(local)) return local;
  throw new Refused({ kind: 'no wall time' });
}

/** Returns whether a text is a wall time in its stored form, of a day that exists. */
export function isWallTime(text: string): boolean {
  if (!wallTimePattern.test(text)) return false;
  try {
    Temporal.PlainDateTime.from(text, { overflow: 'reject' });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Returns whether this version can read a stored timing: a newer one may know other periods. */
export function isTiming({ firstLocal, every }: Timing): boolean {
  return (every === null || periods.includes(every)) && isWallTime(firstLocal);
}

/** A day of the week (ISO 8601): Monday is 1, Sunday 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Returns the first wall time from one on, at its time of day, that is on a day of the week. */
export function onWeekday(local: string, weekday: Weekday): string {
  const from = Temporal.PlainDateTime.from(local);
  const days = (weekday - from.dayOfWeek + 7) % 7;
  return from.add({ days }).toString({ smallestUnit: 'minute' });
}

/**
 * Returns the wall time at which a change that begins at another one ends.
 *
 * @param until a wall time, or a time of day, which is the next one after the begin
 * @throws Refused
 */
export function endAfter(begin: string, until: string): string {
  const text = until.trim();
  if (!/^\d\d:\d\d$/.test(text)) return parseWallTime(text);
  const sameDay = parseWallTime(`${begin.slice(0, 10)}T${text}`);
  return sameDay > begin ? sameDay : nextDay(sameDay);
}

/** Returns a wall time as long after another one as the end is after the begin. */
export function sameLengthAfter(local: string, begin: string, end: string): string {
  const length = Temporal.PlainDateTime.from(begin).until(end, { largestUnit: 'day' });
  return Temporal.PlainDateTime.from(local).add(length).toString({ smallestUnit: 'minute' });
}

/** Returns whether what repeats ends before it begins again. */
export function endsWithin(period: Period, begin: string, end: string): boolean {
  const again = Temporal.PlainDateTime.from(begin).add({ days: period === 'day' ? 1 : 7 });
  return Temporal.PlainDateTime.compare(Temporal.PlainDateTime.from(end), again) < 0;
}

/** Returns a wall time a day later. */
export function nextDay(local: string): string {
  return Temporal.PlainDateTime.from(local).add({ days: 1 }).toString({ smallestUnit: 'minute' });
}

/** Returns the wall time of an instant in a zone, to the minute. */
export function wallTimeOf(atMs: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });
}

/**
 * Returns the instant of a wall time in a zone.
 * One that a change of clocks leaves out is moved by the gap, and of one that comes twice the first is meant.
 */
export function instantOf(local: string, zone: string): number {
  return occurrence({ firstLocal: local, every: null }, zone, 0);
}

/** Returns the first occurrence after an instant; null if there is none. */
export function nextOccurrence(timing: Timing, zone: string, afterMs: number): number | null {
  const count = occurrencesUntil(timing, zone, afterMs);
  return timing.every === null && count > 0 ? null : occurrence(timing, zone, count);
}

/** Returns the last occurrence until an instant; null if there is none. */
export function latestOccurrence(timing: Timing, zone: string, untilMs: number): number | null {
  const count = occurrencesUntil(timing, zone, untilMs);
  return count === 0 ? null : occurrence(timing, zone, count - 1);
}

/** Returns the number of occurrences until an instant. */
function occurrencesUntil(timing: Timing, zone: string, untilMs: number): number {
  const passedMs = untilMs - occurrence(timing, zone, 0);
  if (passedMs < 0) return 0;
  if (timing.every === null) return 1;
  // Changes of clocks move an occurrence by a day and some hours at most.
  let count = Math.max(1, Math.floor(passedMs / periodMs[timing.every]) - 2);
  while (occurrence(timing, zone, count) <= untilMs) count++;
  return count;
}

/**
 * Returns the instant of an occurrence, counted from 0.
 * Days are added to the wall time: added to an instant, a time that was moved by a gap would stay moved.
 */
function occurrence({ firstLocal, every }: Timing, zone: string, index: number): number {
  const later = every === 'week' ? { weeks: index } : { days: index };
  return Temporal.PlainDateTime.from(firstLocal)
    .add(later)
    .toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}
