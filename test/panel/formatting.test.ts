import { expect, test } from 'bun:test';
import { formatCount } from '../../src/lib/numbers.ts';
import {
  formatDateTime,
  formatLength,
  formatRelativeTime,
  formatShortRelativeTime,
} from '../../src/panel/ui/formatting.ts';

const noon = Date.UTC(2026, 4, 3, 12, 5);
const minuteMs = 60_000;

test.each([
  [-minuteMs, 'just now'],
  [59_999, 'just now'],
  [minuteMs, '1 minute ago'],
  [59 * minuteMs, '59 minutes ago'],
  [60 * minuteMs, '1 hour ago'],
  [47 * 60 * minuteMs, '1 day ago'],
  [59 * 24 * 60 * minuteMs, '59 days ago'],
  [61 * 24 * 60 * minuteMs, 'on 3 Mar 2026'],
])('formats %i ms ago as %p', (ms, text) => {
  expect(formatRelativeTime(noon - ms, noon)).toBe(text);
});

test('formats past times for a column', () => {
  const times = [1, 5, 60, 47 * 60].map((minutes) =>
    formatShortRelativeTime(noon - minutes * minuteMs, noon),
  );
  expect(times).toEqual(['1 min ago', '5 min ago', '1 h ago', 'yesterday']);
});

test('formats counts, times and lengths', () => {
  expect(formatCount(1, 'scan')).toBe('1 scan');
  expect(formatCount(1234567, 'entry', 'entries')).toBe('1,234,567 entries');
  expect(formatDateTime(noon)).toBe('3 May 2026, 12:05 UTC');
  expect(formatDateTime(Date.UTC(2026, 8, 30, 3, 7))).toBe('30 Sept 2026, 03:07 UTC');
  const lengths = [21.3, 99.9, 103, 1000, 1540].map(formatLength);
  expect(lengths).toEqual(['21 mm', '100 mm', '10.3 cm', '1 m', '1.5 m']);
});
