import { dateFromSerial, format as formatWith, getFormatFromId, isValidFormat } from 'numfmt';
import { replaceSpans } from '../trim.ts';

/*
 * Number formats that files name by their number only (ECMA-376 part 1, 18.8.30). Those of dates and currencies differ
 * by language.
 */
const isUniversal = (id: number) => id <= 4 || (id >= 9 && id <= 40) || (id >= 45 && id <= 49);
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

// The longest that Excel keeps. The cost of a number grows with the code.
const maxCodeLength = 255;

/** Returns a format code as a format; `General`, whose number is 0, for one that Excel does not know. */
export function readFormat(code: string): string | number {
  return code.length <= maxCodeLength && isValidFormat(code) ? code : 0;
}

// Dates before 1904 have another number in workbooks of old Macs.
const daysTo1904 = 1462;

/**
 * Formats a number as its cell shows it, and a date in ISO 8601.
 *
 * @param format a format code, see `readFormat`, or the number of a built-in one
 */
export function formatNumber(value: number, format: string | number, is1904: boolean): string {
  const code = typeof format === 'string' ? format : builtInFormat(format);
  const isDate = typeof format === 'number' ? isBuiltInDate(format) : hasDate(format);
  if (isDate) return isoDate(is1904 ? value + daysTo1904 : value) ?? String(value);
  // Excel shows long numbers, such as those of articles, with an exponent.
  if (/^(?:General|@)$/i.test(code)) {
    if (Number.isSafeInteger(value)) return String(value);
    return formatWith('General', value);
  }
  return formatWith(code, value, { throws: false, grouping: [3, 3] }).trim();
}

/** Returns a built-in format, for negative numbers as well, which some have in parentheses. */
function builtInFormat(id: number): string {
  const [code = ''] = isUniversal(id) ? getFormatFromId(id).split(';') : ['General'];
  return code;
}

/** Returns whether a format shows a day, month or year, quoted texts and colours aside. */
function hasDate(format: string): boolean {
  const unquoted = replaceSpans(replaceSpans(format, '"', '"', ''), '[', ']', '');
  const [code = ''] = unquoted.replaceAll(/[\\_*]./g, '').split(';');
  return /[yd]|m{3}/i.test(code) && !/general/i.test(code);
}

function isoDate(serial: number): string | null {
  const [year, month, day, hour, minute, second] = dateFromSerial(serial) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const two = (number = 0) => String(number).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return serial % 1 === 0 ? date : `${date}T${two(hour)}:${two(minute)}:${two(second)}`;
}
