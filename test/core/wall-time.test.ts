import { expect, test } from 'bun:test';
import {
  instantOf,
  isWallTime,
  latestOccurrence,
  nextOccurrence,
  parseWallTime,
  wallTimeOf,
} from '../../src/core/codes/schedule/wall-time.ts';

const iso = (ms: number | null) =>
  ms === null ? null : new Date(ms).toISOString().replace(':00.000Z', 'Z');

/** Returns the first occurrences, each found as the next after the one before. */
function occurrences(firstLocal: string, every: 'day' | 'week', zone: string, count: number) {
  const found: number[] = [];
  for (let afterMs = Number.MIN_SAFE_INTEGER / 1000; found.length < count; ) {
    afterMs = nextOccurrence({ firstLocal, every }, zone, afterMs) ?? Number.NaN;
    found.push(afterMs);
  }
  return found;
}

test.each([
  ['2026-12-24T18:00', 'Europe/Zurich', '2026-12-24T17:00Z'],
  ['2026-12-24T18:00', 'UTC', '2026-12-24T18:00Z'],
  // Left out by a change of clocks: moved by the gap.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30Z'],
  ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45Z'],
  ['2018-11-04T00:00', 'America/Sao_Paulo', '2018-11-04T03:00Z'],
  // Twice: the first.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30Z'],
])('%s in %s is %s', (local, zone, instant) => {
  expect(iso(instantOf(local, zone))).toBe(instant);
});

test.each([
  ['2026-03-28T02:30', 'Europe/Berlin', ['01:30', '01:30', '00:30', '00:30']],
  ['2026-10-24T02:30', 'Europe/Berlin', ['00:30', '00:30', '01:30', '01:30']],
  ['2026-03-28T18:00', 'Europe/Berlin', ['17:00', '16:00', '16:00', '16:00']],
])('every day from %s in %s keeps the time of the clocks', (first, zone, times) => {
  const found = occurrences(first, 'day', zone, times.length).map((ms) => iso(ms)?.slice(11, 16));
  expect(found).toEqual(times);
});

test('a day that a zone has left out comes once', () => {
  // Samoa had no 30 December 2011.
  expect(occurrences('2011-12-29T12:00', 'day', 'Pacific/Apia', 3).map(iso)).toEqual([
    '2011-12-29T22:00Z',
    '2011-12-30T22:00Z',
    '2011-12-31T22:00Z',
  ]);
});

test('in every zone, occurrences follow each other and are found from both sides', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (const [first, every] of [
      ['2026-03-07T02:30', 'day'],
      ['2026-10-24T02:30', 'day'],
      ['2026-02-01T02:30', 'week'],
    ] as const) {
      const found = occurrences(first, every, zone, 12);
      for (const [at, ms] of found.entries()) {
        const schedule = { firstLocal: first, every };
        if (at > 0) expect(ms).toBeGreaterThan(found[at - 1] ?? ms);
        expect(latestOccurrence(schedule, zone, ms)).toBe(ms);
        expect(latestOccurrence(schedule, zone, ms - 1)).toBe(found[at - 1] ?? null);
      }
    }
  }
});

test('years of missed occurrences are not counted one by one', () => {
  const schedule = { firstLocal: '1990-01-01T11:30', every: 'day' } as const;
  expect(iso(latestOccurrence(schedule, 'Europe/Rome', Date.UTC(2026, 5, 1, 12)))).toBe(
    '2026-06-01T09:30Z',
  );
});

test('one that happens once has one occurrence', () => {
  const schedule = { firstLocal: '2026-06-01T12:00', every: null };
  const atMs = Date.UTC(2026, 5, 1, 12);
  expect(nextOccurrence(schedule, 'UTC', atMs - 1)).toBe(atMs);
  expect(nextOccurrence(schedule, 'UTC', atMs)).toBeNull();
  expect(latestOccurrence(schedule, 'UTC', atMs - 1)).toBeNull();
  expect(latestOccurrence(schedule, 'UTC', atMs + 1)).toBe(atMs);
});

test('a wall time is a day that exists and a minute of it', () => {
  expect(parseWallTime(' 2028-02-29T00:00 ')).toBe('2028-02-29T00:00');
  for (const wrong of [
    '2026-12-24 18:00',
    '2026-12-24',
    '18:00',
    '2026-12-24T18:00Z',
    '2026-12-24T18:00+01:00',
    '2026-12-24T18:00:30',
    '2026-02-30T10:00',
    '2026-02-29T10:00',
    '2026-12-24T24:00',
    '2026-12-24T18:60',
    '2026-13-01T10:00',
    '12/24/2026',
    'tomorrow',
    '',
  ]) {
    expect(isWallTime(wrong)).toBe(false);
    expect(() => parseWallTime(wrong)).toThrow('no wall time');
  }
  expect(wallTimeOf(Date.UTC(2026, 11, 24, 17), 'Europe/Zurich')).toBe('2026-12-24T18:00');
});
