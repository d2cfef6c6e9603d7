import { Refused } from '../../errors.ts';
import { maxNameLength } from '../../labels.ts';

/** Returns a title as a name. It is often that of a web page: it is cut, and its lines are joined. */
export function titleOf(title: string): string {
  const line = title
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, maxNameLength).join('');
}

/** Parses a number of scans; 0 for none. @throws Refused */
export function parseScans(text: string): number {
  if (text === '') return 0;
  const scans = scansOf(text);
  if (scans === null) throw new Refused({ kind: 'no number of scans', text });
  return scans;
}

/** Returns a number as people write it, or programs that know fractions only; null for another text. */
export function scansOf(text: string): number | null {
  const isGrouped = /^\d{1,3}(?:[.,'’\s]\d{3})+$/.test(text);
  const digits = isGrouped ? text.replaceAll(/\D/g, '') : text.replace(/\.0$/, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

/**
 * Parses a date of ISO 8601 or MySQL, or seconds or milliseconds since 1970.
 * It is in UTC unless it has an offset. Anything else would be a guess: is 03/04/2023 in March or in April?
 *
 * @returns null for an unknown date
 */
export function parseDate(
  text: string,
  of: 'creation' | 'last scan',
  nowMs: number,
): number | null {
  if (text === '' || /^0000-00-00(?: 00:00:00(?:\.0+)?)?$/.test(text)) return null;
  const ms = msOfDate(text);
  // A day ahead is a clock or a time zone.
  if (ms === null || ms < 0 || ms > nowMs + 86_400_000)
    throw new Refused({ kind: 'no date', of, text });
  return Math.min(ms, nowMs);
}

// Year, month, day, hour, minute, second, fraction and offset.
const extendedDate =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?(Z|[+-]\d\d(?::?\d\d)?))?)?$/i;
const basicDate =
  /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Returns the time of a date that {@link parseDate} reads; null for another text. */
export function msOfDate(text: string): number | null {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{12,13}$/.test(text)) return Number(text);
  const parts = extendedDate.exec(text) ?? basicDate.exec(text);
  if (parts === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '0',
    offset = 'Z',
  ] = parts;
  const [sign, hours = '', minutes = '00'] = offset.match(/[+-]|\d\d/g) ?? ['Z'];
  const zone = sign === 'Z' ? 'Z' : `${sign}${hours}:${minutes}`;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  // An engine may take 30 February for 1 March.
  const isReal = isoTime(`${local}Z`)?.startsWith(local) === true;
  const ms = Date.parse(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return isReal && !Number.isNaN(ms) ? ms : null;
}

function isoTime(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
