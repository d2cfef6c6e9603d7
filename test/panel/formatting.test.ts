import { expect, test } from 'bun:test';
import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { textsOf } from '../../src/languages/texts.ts';
import { formatCount } from '../../src/lib/numbers.ts';
import { issuesOf } from '../../src/panel/accounts/overview/attention.tsx';
import {
  formatDateTime,
  formatDestination,
  formatLength,
  formatOffset,
  formatRelativeTime,
  formatShortRelativeTime,
  formatZone,
  isoDate,
} from '../../src/panel/ui/formatting.ts';
import { sampleAccount } from '../core/sample-account.ts';

const noon = Date.UTC(2026, 4, 3, 12, 5);
const minuteMs = 60_000;
const texts = textsOf('en');
const utc = { nowMs: noon, zone: 'UTC', texts };

test.each([
  [-minuteMs, 'just now'],
  [59_999, 'just now'],
  [minuteMs, '1 minute ago'],
  [59 * minuteMs, '59 minutes ago'],
  [60 * minuteMs, '1 hour ago'],
  [35 * 60 * minuteMs, '1 day ago'],
  [47 * 60 * minuteMs, '2 days ago'],
  [59 * 24 * 60 * minuteMs, '59 days ago'],
  [61 * 24 * 60 * minuteMs, 'on 3 Mar 2026'],
])('formats %i ms ago as %p', (ms, text) => {
  expect(formatRelativeTime(noon - ms, utc)).toBe(text);
});

test('formats destinations so that they read as what they are', () => {
  expect(formatDestination('https://example.com/')).toBe('example.com');
  // Earlier versions accepted marks that change the direction of text.
  expect(formatDestination('https://example.com/\u202egpj')).toBe('example.com/%E2%80%AEgpj');
  expect(formatDestination('https://p\u0430ypal.com/a')).toBe(
    'p\u0430ypal.com (xn--pypal-4ve.com)/a',
  );
});

test('formats past times for a column', () => {
  const times = [1, 5, 60, 35 * 60].map((minutes) =>
    formatShortRelativeTime(noon - minutes * minuteMs, utc),
  );
  expect(times).toEqual(['1 min ago', '5 min ago', '1 hr ago', 'yesterday']);
});

test('formats times in the zone of the account', () => {
  const lateMs = Date.UTC(2026, 11, 31, 23, 30);
  const local = (zone: string, nowMs = lateMs) => ({ zone, nowMs, texts });
  expect(formatDateTime(lateMs, local('Europe/Rome'))).toBe('1 Jan 2027, 00:30');
  expect(formatDateTime(lateMs, local('Asia/Kolkata'))).toBe('1 Jan 2027, 05:00');
  expect(formatDateTime(lateMs, local('America/New_York'))).toBe('31 Dec 2026, 18:30');
  expect(isoDate(lateMs, local('Europe/Rome'))).toBe('2027-01-01');
  // Yesterday is the day before, not 24 to 48 hours ago.
  const dayLater = lateMs + 24 * 60 * minuteMs;
  expect(formatShortRelativeTime(lateMs, local('Europe/Rome', dayLater))).toBe('yesterday');
  const halfHourLater = dayLater + 23.5 * 60 * minuteMs;
  expect(formatShortRelativeTime(lateMs, local('Europe/Rome', halfHourLater))).toBe('2 days ago');
  const winter = ['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/St_Johns', 'Africa/Abidjan'];
  expect(winter.map((zone) => formatOffset(local(zone)))).toEqual([
    'UTC',
    'UTC+1',
    'UTC+5:30',
    'UTC-3:30',
    'UTC',
  ]);
  expect(formatZone('America/Argentina/Buenos_Aires')).toBe('Buenos Aires');
});

test('formats counts, times and lengths', () => {
  expect(formatCount(1, 'scan')).toBe('1 scan');
  expect(formatCount(1234567, 'entry', 'entries')).toBe('1,234,567 entries');
  expect(formatDateTime(noon, utc)).toBe('3 May 2026, 12:05');
  expect(formatDateTime(Date.UTC(2026, 8, 30, 3, 7), utc)).toBe('30 Sept 2026, 03:07');
  const lengths = [21.3, 99.9, 103, 1000, 1540].map((mm) => formatLength(mm, texts));
  expect(lengths).toEqual(['21 mm', '100 mm', '10.3 cm', '1 m', '1.5 m']);
});

test.each([
  [1, 0, ['1 code shows a warning to visitors', 'A: flagged', '1 code stopped', 'Is it still up?']],
  [3, 1, ['3 codes show a warning', 'A, B and 1 other: flagged', 'Are they still up?']],
  [1004, 1002, ['1,004 codes show a warning', 'A, B and 1,002 others: flagged', '1,004 codes']],
])('what needs attention agrees with its number: %d', (number, others, expected) => {
  const named = ['A', 'B'].slice(0, number).map((name) => ({ code: 'zzzzzzzz', name }));
  const safety = { flagged: number, lists: ['list'], flaggedCodes: named, blocked: number };
  const issues = issuesOf({
    texts,
    account: sampleAccount,
    nowMs: noon,
    safety: {
      ...safety,
      blockedCode: number === 1 ? { code: 'zzzzzzzz', name: 'A', reason: null } : null,
    },
    unreadableDesign: null,
    quiet: { total: number, first: [] },
    scheduleProblems: [],
  });
  expect(named.length + others).toBe(number);
  const said = issues.map(({ title, text, action }) => {
    const shown = renderToString(h(Fragment, null, text)).replaceAll(/<[^>]*>/g, '');
    return `${title} ${shown} ${action}`;
  });
  for (const text of expected) expect(said.join('\n')).toContain(text);
  const action = number === 1 ? 'See it' : 'See them';
  expect(said.filter((text) => text.endsWith(action))).toHaveLength(2);
});
