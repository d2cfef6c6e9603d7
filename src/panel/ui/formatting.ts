import { flagSource } from '../../core/codes/qr.ts';
import type { DayRange } from '../../core/scans/days.ts';
import { createCache } from '../../lib/cache.ts';
import { formatDecimal, locale } from '../../lib/numbers.ts';
import { readableUrl, truncateUrl } from '../../lib/text/readable-url.ts';

/** A moment and the zone in which people read times: those of a request. */
export interface LocalTime {
  readonly nowMs: number;
  /** Name in the IANA database. */
  readonly zone: string;
}

// There are about 450 zones. A format takes some kilobytes and some tens of microseconds.
const formats = createCache<string, { date: Intl.DateTimeFormat; time: Intl.DateTimeFormat }>(50);
const formatsOf = (timeZone: string) =>
  formats.getOrInsertComputed(timeZone, () => ({
    date: new Intl.DateTimeFormat(locale, {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }),
    time: new Intl.DateTimeFormat(locale, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  }));
const relativeTimes = new Intl.RelativeTimeFormat(locale);
const relativeDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

/** Formats a date: `3 May 2026`. */
export function formatDate(ms: number, { zone }: Pick<LocalTime, 'zone'>): string {
  return formatsOf(zone).date.format(ms);
}

/** Formats the last day of a plan, which ends with a day of UTC: `3 May 2026`. */
export function formatPlanEnd(ms: number): string {
  return formatDate(ms, { zone: 'UTC' });
}

/** Formats a date for fields and names of files: `2026-05-03`. */
export function isoDate(ms: number, { zone }: Pick<LocalTime, 'zone'>): string {
  return String(dateOf(ms, zone));
}

/** Formats a time of day: `14:05`. */
export function formatTimeOfDay(ms: number, { zone }: Pick<LocalTime, 'zone'>): string {
  return formatsOf(zone).time.format(ms);
}

/** Formats a date and time: `3 May 2026, 14:05`. */
export function formatDateTime(ms: number, local: Pick<LocalTime, 'zone'>): string {
  return `${formatDate(ms, local)}, ${formatTimeOfDay(ms, local)}`;
}

/** Formats a time of day: `14:05`, on another day with its date. */
export function formatTime(ms: number, local: LocalTime): string {
  const isToday = formatDate(ms, local) === formatDate(local.nowMs, local);
  return isToday ? formatTimeOfDay(ms, local) : formatDateTime(ms, local);
}

/** How long ago something was, in words. */
interface AgoWords {
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
}

const agoInFull: AgoWords = {
  minutes: (count) => relativeTimes.format(-count, 'minute'),
  hours: (count) => relativeTimes.format(-count, 'hour'),
  days: (count) => relativeTimes.format(-count, 'day'),
};

const agoInShort: AgoWords = {
  minutes: (count) => `${count} min ago`,
  hours: (count) => `${count} h ago`,
  // Says "yesterday".
  days: (count) => relativeDays.format(-count, 'day'),
};

function formatAgo(ms: number, local: LocalTime, words: AgoWords): string {
  const { nowMs, zone } = local;
  const minutes = Math.floor(Math.max(0, nowMs - ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return words.minutes(minutes);
  if (minutes < 24 * 60) return words.hours(Math.floor(minutes / 60));
  const { days } = dateOf(ms, zone).until(dateOf(nowMs, zone));
  return days < 60 ? words.days(days) : `on ${formatDate(ms, local)}`;
}

/**
 * Formats a past time: `just now`, `5 minutes ago`, or from 60 days on `on 3 May 2026`.
 * From 24 hours on, dates are counted.
 */
export function formatRelativeTime(ms: number, local: LocalTime): string {
  return formatAgo(ms, local, agoInFull);
}

/** Formats a past time for a column of a table: `5 min ago`, `1 h ago`, `yesterday`, `3 days ago`. */
export function formatShortRelativeTime(ms: number, local: LocalTime): string {
  return formatAgo(ms, local, agoInShort);
}

const dayTexts = {
  short: utcFormat({ day: 'numeric', month: 'short' }),
  long: utcFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
  weekday: utcFormat({ weekday: 'short', day: 'numeric', month: 'short' }),
};

function utcFormat(options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
}

/** Formats a day: `3 May`, `3 May 2026` or `Sun 3 May`. */
export function formatDay(day: Temporal.PlainDate, style: keyof typeof dayTexts): string {
  return dayTexts[style].format(day.toZonedDateTime('UTC').epochMilliseconds);
}

const weekdayTexts = {
  short: utcFormat({ weekday: 'short' }),
  long: utcFormat({ weekday: 'long' }),
};

/** Formats a day of the week, of which Monday is 1: `Mon` or `Monday`. */
export function formatWeekday(weekday: number, style: keyof typeof weekdayTexts): string {
  // The first of January 2024 was a Monday.
  return weekdayTexts[style].format(Date.UTC(2024, 0, weekday));
}

/** Formats days: `3 May 2026`, `3 May – 9 May 2026`. */
export function formatDayRange({ first, last }: DayRange): string {
  if (first.equals(last)) return formatDay(first, 'long');
  const begin = formatDay(first, first.year === last.year ? 'short' : 'long');
  return `${begin} – ${formatDay(last, 'long')}`;
}

/** Returns the date of an instant in a zone. */
export function dateOf(ms: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
}

/** Formats a zone as the place that people know: `New York`, or `UTC`. */
export function formatZone(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Formats the difference of a zone to UTC at a moment: `UTC+5:30`. */
export function formatOffset({ nowMs, zone }: LocalTime): string {
  const { offset } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone);
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  const shown = `${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
  return shown === '0' ? 'UTC' : `UTC${sign}${shown}`;
}

/** Formats a length: `21 mm`, `10.3 cm`, `1.2 m`. */
export function formatLength(mm: number): string {
  if (mm < 100) return `${Math.round(mm)} mm`;
  const [value, unit] = mm < 1000 ? [mm / 10, 'cm'] : [mm / 1000, 'm'];
  return `${formatDecimal(value)} ${unit}`;
}

/** Formats a destination without what most have in common. */
export function formatDestination(url: string): string {
  return readableUrl(url)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
}

/** Formats a URL for a sentence. A long one is truncated. */
export function formatUrl(url: string): string {
  const shown = readableUrl(url);
  const beginning = truncateUrl(shown);
  return beginning === null ? shown : `${beginning}…`;
}

/** Describes a list that flagged a destination, for a sentence. */
export function formatListName(list: string): string {
  return {
    operator: 'the operator’s rules',
    'built-in': 'the built-in test addresses',
    'remote check': `the remote check “${list}”`,
    'imported list': `the list “${list}”`,
  }[flagSource(list)];
}

/** Formats the URL expression of a rule or list. One for a whole host loses its slash. */
export function formatExpression(expression: string): string {
  return expression.indexOf('/') === expression.length - 1 ? expression.slice(0, -1) : expression;
}

/** Says how large a file may be. */
export function fileTooLarge(maxBytes: number): string {
  return `A file can be up to ${Math.floor(maxBytes / 1_000_000)} MB. Choose a smaller one.`;
}
