import { truncateUrl } from '../../core/codes/destination.ts';

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const number = new Intl.NumberFormat('en-GB');

/** `3 May 2026` (UTC). */
export function dayText(ms: number): string {
  return day.format(ms);
}

/** `3 May 2026, 14:05 UTC`. */
export function minuteText(ms: number): string {
  return `${minute.format(ms)} UTC`;
}

/** `12,345`. */
export function numberText(value: number): string {
  return number.format(value);
}

/** `1 scan`, `12,345 scans`. */
export function countText(value: number, one: string, many = `${one}s`): string {
  return `${numberText(value)} ${value === 1 ? one : many}`;
}

/** How long ago, in the largest unit that fits; `just now` within a minute. */
export function agoText(ms: number, nowMs: number): string {
  const minutes = Math.floor(Math.max(0, nowMs - ms) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${countText(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${countText(Math.floor(minutes / 60), 'hour')} ago`;
  const days = Math.floor(minutes / (24 * 60));
  return days < 60 ? `${countText(days, 'day')} ago` : `on ${dayText(ms)}`;
}

/** `21 mm`, `10.3 cm`, `1.2 m`. */
export function lengthText(mm: number): string {
  if (mm < 100) return `${Math.round(mm)} mm`;
  const [value, unit] = mm < 1000 ? [mm / 10, 'cm'] : [mm / 1000, 'm'];
  return `${value.toFixed(1).replace('.0', '')} ${unit}`;
}

// Of the marks that Unicode's bidirectional algorithm knows, those that are not seen themselves (UAX 9, 2).
const turningMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An address in the order in which it is written: marks that would turn it around, as a browser sends them. */
export function unturned(address: string): string {
  return address.replace(turningMarks, encodeURIComponent);
}

/** An address within a sentence, where a very long one would bury the rest. */
export function addressText(address: string): string {
  const shown = unturned(address);
  const beginning = truncateUrl(shown);
  return beginning === null ? shown : `${beginning}…`;
}

/** An expression as people write it: a whole host without the slash. */
export function hostOrPath(expression: string): string {
  return expression.indexOf('/') === expression.length - 1 ? expression.slice(0, -1) : expression;
}
