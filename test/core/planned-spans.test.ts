import { expect, test } from 'bun:test';
import { type PlanRequest, plannedSpans } from '../../src/core/codes/schedule/schedule.ts';
import type { Weekday } from '../../src/core/codes/schedule/wall-time.ts';
import { Refused } from '../../src/core/errors.ts';
import { textsOf } from '../../src/languages/texts.ts';
import { planText } from '../../src/panel/ui/sentences/plan.ts';

const texts = textsOf('en');
const zone = 'Europe/Rome';
/** Saturday, 11:42 in Rome. */
const nowMs = Date.parse('2026-11-28T10:42:00Z');

type Asked = Omit<PlanRequest, 'action' | 'checkDestination'>;
const spansOf = (asked: Partial<Asked>) =>
  plannedSpans({ at: '2026-12-24T18:00', every: null, ...asked }, zone, nowMs);
const timesOf = (asked: Partial<Asked>) =>
  spansOf(asked).map(({ firstLocal, end }) => `${firstLocal} ${end?.firstLocal ?? '-'}`);
const refusalOf = (asked: Partial<Asked>) => {
  try {
    return timesOf(asked);
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    throw error;
  }
};

test('an end is the next time of that time of day, or any later time', () => {
  expect(timesOf({})).toEqual(['2026-12-24T18:00 -']);
  expect(timesOf({ until: '20:00' })).toEqual(['2026-12-24T18:00 2026-12-24T20:00']);
  expect(timesOf({ until: '06:00' })).toEqual(['2026-12-24T18:00 2026-12-25T06:00']);
  expect(timesOf({ until: '18:00' })).toEqual(['2026-12-24T18:00 2026-12-25T18:00']);
  expect(timesOf({ until: '2027-01-07T10:00' })).toEqual(['2026-12-24T18:00 2027-01-07T10:00']);
});

test('each day of a week has its own end', () => {
  const weekdays: Weekday[] = [1, 5];
  expect(timesOf({ at: '2026-11-30T22:00', every: 'week', weekdays, until: '02:00' })).toEqual([
    '2026-11-30T22:00 2026-12-01T02:00',
    '2026-12-04T22:00 2026-12-05T02:00',
  ]);
});

test('an end before the begin, or after the next begin, is refused', () => {
  const first = { kind: 'planned end first' } as const;
  expect(refusalOf({ until: '2026-12-24T18:00' })).toEqual(first);
  expect(refusalOf({ until: '2026-12-24T17:59' })).toEqual(first);
  expect(refusalOf({ until: 'noon' })).toEqual({ kind: 'no wall time' });
  expect(refusalOf({ until: '25:00' })).toEqual({ kind: 'no wall time' });
  expect(refusalOf({ until: '2090-01-01T00:00' })).toMatchObject({ kind: 'planned too far' });
  const late = (period: 'day' | 'week') => ({ kind: 'planned end late', period }) as const;
  expect(refusalOf({ every: 'day', until: '2026-12-25T18:00' })).toEqual(late('day'));
  expect(refusalOf({ every: 'day', until: '18:00' })).toEqual(late('day'));
  expect(timesOf({ every: 'day', until: '17:59' })).toHaveLength(1);
  expect(refusalOf({ every: 'week', until: '2026-12-31T18:00' })).toEqual(late('week'));
  expect(timesOf({ every: 'week', until: '2026-12-30T18:00' })).toHaveLength(1);
  const days: Weekday[] = [1, 2];
  expect(refusalOf({ every: 'week', weekdays: days, until: '2026-12-26T18:00' })).toEqual(
    late('day'),
  );
});

test('a change of clocks moves begin and end, and does not swap them', () => {
  // From 02:00 to 03:00 there is no time on this day.
  const at = '2027-03-28T02:30';
  expect(refusalOf({ at, until: '03:10' })).toEqual({ kind: 'planned end first' });
  const [span] = spansOf({ at, until: '04:00' });
  expect([span?.nextMs, span?.end?.nextMs]).toEqual([
    Date.parse('2027-03-28T01:30:00Z'),
    Date.parse('2027-03-28T02:00:00Z'),
  ]);
  const [over] = spansOf({ at: '2027-03-27T23:00', until: '02:30' });
  expect(over?.end?.nextMs).toBe(Date.parse('2027-03-28T01:30:00Z'));
});

test.each([
  [{}, 'destination', 'Thu, 24 Dec 2026, 18:00, in 26 days.', 'It leads to a.example/lunch then.'],
  [
    { until: '20:00' },
    'destination',
    'Thu, 24 Dec 2026, 18:00, in 26 days.',
    'It leads to a.example/lunch until 20:00, then to a.example/menu again.',
  ],
  [
    { until: '2027-01-07T10:00' },
    'pause',
    'Thu, 24 Dec 2026, 18:00, in 26 days.',
    'It is paused until Thu, 7 Jan 2027, 10:00, then it is resumed.',
  ],
  [
    { at: '2026-11-30T11:30', every: 'day', until: '15:00' },
    'destination',
    'Every day from Mon, 30 Nov 2026, in 2 days.',
    'At 11:30 it leads to a.example/lunch, at 15:00 to a.example/menu again.',
  ],
  [
    { at: '2026-11-28T22:00', every: 'week', weekdays: [7, 6], until: '02:00' },
    'pause',
    'Every week (Saturday and Sunday) from Sat, 28 Nov 2026, today.',
    'At 22:00 it is paused, at 02:00 the next day it is resumed.',
  ],
  [
    { at: '2026-11-29T08:00' },
    'resume',
    'Sun, 29 Nov 2026, 08:00, tomorrow.',
    'It is resumed then. Until then nothing changes.',
  ],
] as const)('a plan is said in a sentence: %j %s', (asked, action, when, what) => {
  const every = 'every' in asked ? asked.every : null;
  const to = 'a.example/lunch';
  const plan = { every, action, to, from: 'https://a.example/menu' };
  const said = planText(plan, spansOf(asked), { nowMs, zone, texts });
  expect(said).toEqual({ when, what: expect.stringContaining(what) });
  const ofMany = planText({ ...plan, from: null }, spansOf(asked), { nowMs, zone, texts });
  expect(ofMany?.what).toMatch(/^(At [\d:]+ t|T)hey (lead|are) /);
});
