import { dateFromSerial, format as formatWith } from 'numfmt';

/** Number formats that files name by their number only (ECMA-376 part 1, 18.8.30). Those of dates differ by language. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

// Dates before 1904 have another number in workbooks of old Macs.
const daysTo1904 = 1462;

/**
 * Formats a number as its cell shows it, and a date in ISO 8601.
 *
 * @param format a format code, or the number of a built-in one
 */
export function formatNumber(value: number, format: string | number, is1904: boolean): string {
  const code = typeof format === 'string' ? format : (builtIn[format] ?? 'General');
  const isDate = typeof format === 'number' ? isBuiltInDate(format) : hasDate(format);
  if (isDate) return isoDate(is1904 ? value + daysTo1904 : value) ?? String(value);
  // Excel shows long numbers, such as those of articles, with an exponent.
  if (/^(?:General|@)$/i.test(code)) {
    if (Number.isSafeInteger(value)) return String(value);
    return formatWith('General', value);
  }
  return formatWith(code, value, { throws: false, grouping: [3, 3] }).trim();
}

/** Returns whether a format shows a day, month or year, quoted texts and colours aside. */
function hasDate(format: string): boolean {
  const [code = ''] = format.replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').split(';');
  return /[yd]|m{3}/i.test(code) && !/general/i.test(code);
}

function isoDate(serial: number): string | null {
  const [year, month, day, hour, minute, second] = dateFromSerial(serial) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const two = (number = 0) => String(number).padStart(2, '0');
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return serial % 1 === 0 ? date : `${date}T${two(hour)}:${two(minute)}:${two(second)}`;
}
