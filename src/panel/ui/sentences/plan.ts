import type { ScheduledAction } from '../../../core/codes/schedule/change.ts';
import type { PlannedSpan } from '../../../core/codes/schedule/schedule.ts';
import { type Period, wallTimeOf } from '../../../core/codes/schedule/wall-time.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import {
  dateOf,
  formatDay,
  formatDestination,
  formatUrl,
  formatWeekday,
  formatZone,
  type LocalTime,
} from '../formatting.ts';

/** What a change does, as somebody plans it. */
export interface Plan {
  readonly every: Period | null;
  readonly action: ScheduledAction;
  /** What was typed as the destination; empty for none. */
  readonly to: string;
  /** Where the code leads now; null for several codes. */
  readonly from: string | null;
}

/** A plan in words. */
export interface PlanText {
  /** When it begins: `Thu, 24 Dec 2026, 18:00, in 26 days.` */
  readonly when: string;
  readonly what: string;
}

interface Values {
  readonly to: string;
  readonly from: string;
  readonly time: string;
}

type Said = Texts['plan'];

/** What happens once or repeatedly, without an end and with one. */
interface Told {
  readonly once: (t: Said, values: Values) => string;
  readonly until: (t: Said, values: Values & { readonly until: string }) => string;
  readonly each: (t: Said, values: Values) => string;
  readonly eachUntil: (
    t: Said,
    values: Values & { readonly end: string; readonly nights: number },
  ) => string;
}

const ofOne: Readonly<Record<ScheduledAction, Told>> = {
  destination: {
    once: (t, values) => t.leadsOnce(values),
    until: (t, values) => t.leadsUntil(values),
    each: (t, values) => t.leadsEach(values),
    eachUntil: (t, values) => t.leadsEachUntil(values),
  },
  pause: {
    once: (t) => t.pausesOnce,
    until: (t, values) => t.pausesUntil(values),
    each: (t, values) => t.pausesEach(values),
    eachUntil: (t, values) => t.pausesEachUntil(values),
  },
  resume: {
    once: (t) => t.resumesOnce,
    until: (t, values) => t.resumesUntil(values),
    each: (t, values) => t.resumesEach(values),
    eachUntil: (t, values) => t.resumesEachUntil(values),
  },
};

const ofMany: Readonly<Record<ScheduledAction, Told>> = {
  destination: {
    once: (t, values) => t.allLeadOnce(values),
    until: (t, values) => t.allLeadUntil(values),
    each: (t, values) => t.allLeadEach(values),
    eachUntil: (t, values) => t.allLeadEachUntil(values),
  },
  pause: {
    once: (t) => t.allPauseOnce,
    until: (t, values) => t.allPauseUntil(values),
    each: (t, values) => t.allPauseEach(values),
    eachUntil: (t, values) => t.allPauseEachUntil(values),
  },
  resume: {
    once: (t) => t.allResumeOnce,
    until: (t, values) => t.allResumeUntil(values),
    each: (t, values) => t.allResumeEach(values),
    eachUntil: (t, values) => t.allResumeEachUntil(values),
  },
};

const maxAddressLength = 80;

/**
 * Says when a change is made, and what happens.
 *
 * @param spans its first times, at least one
 */
export function planText(
  { every, action, to, from }: Plan,
  spans: readonly PlannedSpan[],
  local: LocalTime,
): PlanText | null {
  const { nowMs, zone, texts } = local;
  const { plan: t } = texts;
  const [first] = spans.toSorted((one, other) => one.nextMs - other.nextMs);
  if (first === undefined) return null;
  const begin = Temporal.PlainDateTime.from(wallTimeOf(first.nextMs, zone));
  const end = first.end && Temporal.PlainDateTime.from(wallTimeOf(first.end.nextMs, zone));
  const told = (from === null ? ofMany : ofOne)[action];
  const values: Values = {
    to: to.trim() === '' ? t.addressToType : shownAddress(to),
    from: from === null ? '' : shownAddress(from),
    time: timeOf(begin),
  };
  const day = formatDay(begin.toPlainDate(), 'full', texts);
  const { days } = dateOf(nowMs, zone).until(begin.toPlainDate());
  const wait = Math.max(0, days);
  const nights = end === null ? 0 : begin.toPlainDate().until(end.toPlainDate()).days;
  if (every === null) {
    const when = t.once({ day, time: values.time, days: wait });
    if (end === null) return { when, what: told.once(t, values) };
    const endDay = formatDay(end.toPlainDate(), 'full', texts);
    const until = nights === 0 ? timeOf(end) : t.dayAt({ day: endDay, time: timeOf(end) });
    return { when, what: told.until(t, { ...values, until }) };
  }
  const when =
    every === 'day'
      ? t.everyDay({ day, days: wait })
      : spans.length === 1
        ? t.everyWeek({ day, days: wait })
        : t.everyWeekOn({ weekdays: weekdaysOf(spans, local), day, days: wait });
  const what =
    end === null
      ? told.each(t, values)
      : told.eachUntil(t, { ...values, end: timeOf(end), nights });
  return { when, what };
}

/** A first time of a change that a change of clocks leaves out, and when the change is made instead. */
export interface MovedTime {
  /** `2026-03-29T02:30` */
  readonly firstLocal: string;
  /** `03:30` */
  readonly madeAt: string;
}

/** Returns the first time that a change of clocks leaves out; null for none. */
export function movedTime(
  times: readonly { readonly firstLocal: string; readonly nextMs: number | null }[],
  zone: string,
): MovedTime | null {
  for (const { firstLocal, nextMs } of times) {
    const made = wallTimeOf(nextMs ?? 0, zone);
    if (made !== firstLocal) return { firstLocal, madeAt: made.slice(-5) };
  }
  return null;
}

/** Says that a change of clocks leaves out a time. */
export function movedText(
  { firstLocal, madeAt }: MovedTime,
  { zone, texts }: Pick<LocalTime, 'zone' | 'texts'>,
): string {
  const day = formatDay(Temporal.PlainDateTime.from(firstLocal).toPlainDate(), 'long', texts);
  const time = firstLocal.slice(-5);
  return texts.plan.clockChange({ day, time, place: formatZone(zone), madeAt });
}

function timeOf(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'minute' }).slice(-5);
}

/** The days of the week of a change: `Monday and Friday`. */
function weekdaysOf(spans: readonly PlannedSpan[], { zone, texts }: LocalTime): string {
  const days = spans.map(({ nextMs }) => dateOf(nextMs, zone));
  const ordered = days.toSorted((one, other) => one.dayOfWeek - other.dayOfWeek);
  return texts.formats.list(ordered.map((day) => formatWeekday(day.dayOfWeek, 'long', texts)));
}

function shownAddress(text: string): string {
  const typed = text.trim();
  const url = URL.parse(typed) ?? URL.parse(`https://${typed}`);
  return shorten(url === null ? typed : formatUrl(formatDestination(url.href)), maxAddressLength);
}
