import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { niceTop } from '../../src/panel/ui/chart.tsx';
import { agoText, countText, lengthText, minuteText } from '../../src/panel/ui/formatting.ts';

const noon = Date.UTC(2026, 4, 3, 12, 5);
const minuteMs = 60_000;

describe('how long ago something was', () => {
  test.each([
    [0, 'just now'],
    [-minuteMs, 'just now'],
    [59_999, 'just now'],
    [minuteMs, '1 minute ago'],
    [59 * minuteMs, '59 minutes ago'],
    [60 * minuteMs, '1 hour ago'],
    [47 * 60 * minuteMs, '1 day ago'],
    [59 * 24 * 60 * minuteMs, '59 days ago'],
    [61 * 24 * 60 * minuteMs, 'on 3 Mar 2026'],
  ])('%i ms are %p', (ms, text) => {
    expect(agoText(noon - ms, noon)).toBe(text);
  });
});

test('numbers are grouped, instants name their zone, lengths have the unit that fits', () => {
  expect(countText(1, 'scan')).toBe('1 scan');
  expect(countText(1234567, 'entry', 'entries')).toBe('1,234,567 entries');
  expect(minuteText(noon)).toBe('3 May 2026, 12:05 UTC');
  expect([21.3, 99.9, 103, 1000, 1540].map(lengthText)).toEqual([
    '21 mm',
    '100 mm',
    '10.3 cm',
    '1 m',
    '1.5 m',
  ]);
});

test('the top of a scale is even, holds the most and little more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (most) => {
      const top = niceTop(most);
      expect(top % 2).toBe(0);
      expect(top).toBeGreaterThanOrEqual(most);
      expect(top).toBeLessThanOrEqual(Math.max(2, most * 2));
    }),
  );
});
