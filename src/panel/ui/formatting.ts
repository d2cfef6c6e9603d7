import { flagSource } from '../../core/codes/qr.ts';
import type { DayRange } from '../../core/scans/days.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { createCache } from '../../lib/cache.ts';
import { readableUrl, truncateUrl } from '../../lib/text/readable-url.ts';

/** A moment, and the zone and language in which people read times: those of a request. */
export interface LocalTime {
  readonly nowMs: number;
  /** Name in the IANA database. */
  readonly zone: string;
  readonly texts: Texts;
}

/** The zone and language of a time. */
type TimePlace = Pick<LocalTime, 'zone' | 'texts'>;

const parts = {
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  dateTime: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
  day: { day: 'numeric', month: 'short' },
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayAndDate: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  shortWeekday: { weekday: 'short' },
  weekday: { weekday: 'long' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

// There are about 450 zones. A format takes some kilobytes and some tens of microseconds.
const formats = createCache<string, Intl.DateTimeFormat>(200);

function formatOf(part: keyof typeof parts, { zone, texts }: TimePlace): Intl.DateTimeFormat {
  const { locale } = texts.formats;
  return formats.getOrInsertComputed(
    `${part} ${zone} ${locale}`,
    () => new Intl.DateTimeFormat(locale, { timeZone: zone, ...parts[part] }),
  );
}

/** Formats a date: `3 May 2026`. */
export function formatDate(ms: number, place: TimePlace): string {
  return formatOf('date', place).format(ms);
}

/** Formats the last day of a plan, which ends with a day of UTC: `3 May 2026`. */
export function formatPlanEnd(ms: number, { texts }: Pick<LocalTime, 'texts'>): string {
  return formatDate(ms, { zone: 'UTC', texts });
}

/** Formats a date for fields and names of files: `2026-05-03`. */
export function isoDate(ms: number, { zone }: Pick<LocalTime, 'zone'>): string {
  return String(dateOf(ms, zone));
}

/** Formats a time of day: `14:05`. */
export function formatTimeOfDay(ms: number, place: TimePlace): string {
  return formatOf('time', place).format(ms);
}

/** Formats a date and time: `3 May 2026, 14:05`. */
export function formatDateTime(ms: number, place: TimePlace): string {
  return formatOf('dateTime', place).format(ms);
}

/** Formats a time of day: `14:05`, on another day with its date. */
export function formatTime(ms: number, local: LocalTime): string {
  const isToday = dateOf(ms, local.zone).equals(dateOf(local.nowMs, local.zone));
  return isToday ? formatTimeOfDay(ms, local) : formatDateTime(ms, local);
}

const relativeStyles = {
  full: {},
  short: { style: 'short' },
  // Says "yesterday".
  shortDays: { style: 'short', numeric: 'auto' },
} as const satisfies Readonly<Record<string, Intl.RelativeTimeFormatOptions>>;

const relativeFormats = createCache<string, Intl.RelativeTimeFormat>(50);

function relativeFormatOf(style: keyof typeof relativeStyles, locale: string) {
  return relativeFormats.getOrInsertComputed(
    `${style} ${locale}`,
    () => new Intl.RelativeTimeFormat(locale, relativeStyles[style]),
  );
}

function formatAgo(ms: number, local: LocalTime, isShort: boolean): string {
  const { nowMs, zone, texts } = local;
  const { locale } = texts.formats;
  const minutes = Math.floor(Math.max(0, nowMs - ms) / 60_000);
  if (minutes < 1) return texts.times.justNow;
  const format = relativeFormatOf(isShort ? 'short' : 'full', locale);
  if (minutes < 60) return format.format(-minutes, 'minute');
  if (minutes < 24 * 60) return format.format(-Math.floor(minutes / 60), 'hour');
  const { days } = dateOf(ms, zone).until(dateOf(nowMs, zone));
  if (days >= 60) return texts.times.onDate({ date: formatDate(ms, local) });
  return (isShort ? relativeFormatOf('shortDays', locale) : format).format(-days, 'day');
}

/**
 * Formats a past time: `just now`, `5 minutes ago`, or from 60 days on `on 3 May 2026`.
 * From 24 hours on, dates are counted.
 */
export function formatRelativeTime(ms: number, local: LocalTime): string {
  return formatAgo(ms, local, false);
}

/** Formats a past time for a column of a table: `5 min ago`, `1 hr ago`, `yesterday`, `3 days ago`. */
export function formatShortRelativeTime(ms: number, local: LocalTime): string {
  return formatAgo(ms, local, true);
}

const dayStyles = {
  short: 'day',
  long: 'date',
  weekday: 'weekdayAndDay',
  full: 'weekdayAndDate',
} as const;

/** Formats a day: `3 May`, `3 May 2026`, `Sun 3 May` or `Sun, 3 May 2026`. */
export function formatDay(
  day: Temporal.PlainDate,
  style: keyof typeof dayStyles,
  texts: Texts,
): string {
  return formatOf(dayStyles[style], { zone: 'UTC', texts }).format(startOf(day));
}

/** Formats a day of the week, of which Monday is 1: `Mon` or `Monday`. */
export function formatWeekday(weekday: number, style: 'short' | 'long', texts: Texts): string {
  // The first of January 2024 was a Monday.
  return formatOf(style === 'short' ? 'shortWeekday' : 'weekday', { zone: 'UTC', texts }).format(
    Date.UTC(2024, 0, weekday),
  );
}

/** Formats days: `3 May 2026`, `3 – 9 May 2026`, or with the days of the week, `Mon 3 May – Sun 9 May`. */
export function formatDayRange(
  { first, last }: DayRange,
  texts: Texts,
  style: 'long' | 'weekday' = 'long',
): string {
  const format = formatOf(dayStyles[style], { zone: 'UTC', texts });
  return format.formatRange(startOf(first), startOf(last));
}

function startOf(day: Temporal.PlainDate): number {
  return day.toZonedDateTime('UTC').epochMilliseconds;
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
export function formatOffset({ nowMs, zone }: Omit<LocalTime, 'texts'>): string {
  const { offset } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone);
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offset) ?? [];
  const shown = `${Number(hours)}${minutes === '00' ? '' : `:${minutes}`}`;
  return shown === '0' ? 'UTC' : `UTC${sign}${shown}`;
}

const lengthFormats = createCache<string, Intl.NumberFormat>(50);

/** Formats a length: `21 mm`, `10.3 cm`, `1.2 m`. */
export function formatLength(mm: number, { formats: { locale } }: Texts): string {
  const [value, unit] =
    mm < 100
      ? ([Math.round(mm), 'millimeter'] as const)
      : mm < 1000
        ? ([mm / 10, 'centimeter'] as const)
        : ([mm / 1000, 'meter'] as const);
  return lengthFormats
    .getOrInsertComputed(
      `${unit} ${locale}`,
      () => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }),
    )
    .format(value);
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

/** The sources of flags, as sentences choose by them. */
export const flagSources = {
  operator: 'operator',
  'built-in': 'builtIn',
  'remote check': 'remote',
  'imported list': 'imported',
} as const;

/** Returns the values of a sentence that names the list that flagged a destination. */
export function flaggedBy(list: string) {
  return { source: flagSources[flagSource(list)], list };
}

/** Describes a list that flagged a destination, for a sentence. */
export function formatListName(list: string, { flags }: Texts): string {
  return flags.list(flaggedBy(list));
}

/** Formats the URL expression of a rule or list. One for a whole host loses its slash. */
export function formatExpression(expression: string): string {
  return expression.indexOf('/') === expression.length - 1 ? expression.slice(0, -1) : expression;
}
