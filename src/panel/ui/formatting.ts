import { flagSource } from '../../core/codes/qr.ts';
import { truncateUrl } from '../../core/codes/urls/destination.ts';
import { showMixedScripts } from '../../core/codes/urls/scripts.ts';

const locale = 'en-GB';

const dates = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const relativeTimes = new Intl.RelativeTimeFormat(locale);
const lists = new Intl.ListFormat(locale);

/** Formats a date in UTC: `3 May 2026`. */
export function formatDate(ms: number): string {
  return dates.format(ms);
}

/** Formats a date in UTC for fields and names of files: `2026-05-03`. */
export function isoDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Formats a time of day in UTC: `14:05 UTC`. */
function formatTimeOfDay(ms: number): string {
  return `${new Date(ms).toISOString().slice(-13, -8)} UTC`;
}

/** Formats a date and time: `3 May 2026, 14:05 UTC`. */
export function formatDateTime(ms: number): string {
  return `${formatDate(ms)}, ${formatTimeOfDay(ms)}`;
}

/** Formats a time of day: `14:05 UTC`, on another day with its date. */
export function formatTime(ms: number, nowMs: number): string {
  const isToday = formatDate(ms) === formatDate(nowMs);
  return isToday ? formatTimeOfDay(ms) : formatDateTime(ms);
}

/** Formats a past time: `just now`, `5 minutes ago`, or from 60 days on `on 3 May 2026`. */
export function formatRelativeTime(ms: number, nowMs: number): string {
  const minutes = Math.floor(Math.max(0, nowMs - ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return relativeTimes.format(-minutes, 'minute');
  if (minutes < 24 * 60) return relativeTimes.format(-Math.floor(minutes / 60), 'hour');
  const days = Math.floor(minutes / (24 * 60));
  return days < 60 ? relativeTimes.format(-days, 'day') : `on ${formatDate(ms)}`;
}

/** Formats a past time for a column of a table: `5 min ago`, `1 h ago`, `yesterday`, `3 days ago`. */
export function formatShortRelativeTime(ms: number, nowMs: number): string {
  return formatRelativeTime(ms, nowMs)
    .replace(/minutes?/, 'min')
    .replace(/hours?/, 'h')
    .replace('1 day ago', 'yesterday');
}

/** Formats a length: `21 mm`, `10.3 cm`, `1.2 m`. */
export function formatLength(mm: number): string {
  if (mm < 100) return `${Math.round(mm)} mm`;
  const [value, unit] = mm < 1000 ? [mm / 10, 'cm'] : [mm / 1000, 'm'];
  return `${value.toFixed(1).replace('.0', '')} ${unit}`;
}

// Invisible formatting characters of the bidirectional algorithm (UAX 9, section 2).
const bidiMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Percent-encodes bidirectional marks, which would reorder a URL on the screen. */
export function escapeBidiMarks(url: string): string {
  return url.replace(bidiMarks, encodeURIComponent);
}

/** Returns a URL that reads as what it is: no marks that reorder it, and the punycode of a host in several scripts. */
export function readableUrl(url: string): string {
  return escapeBidiMarks(showMixedScripts(url));
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

/** Formats a list for a sentence: `a, b and c`. */
export function formatList(items: readonly string[]): string {
  return lists.format(items);
}
