import type { ScheduledAction } from '../../../core/codes/schedule/change.ts';
import type { PlannedSpan } from '../../../core/codes/schedule/schedule.ts';
import { type Period, wallTimeOf } from '../../../core/codes/schedule/wall-time.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount } from '../../../lib/numbers.ts';
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
  /** When it begins: `Thu 24 Dec 2026, 18:00, in 26 days.` */
  readonly when: string;
  readonly what: string;
}

interface Values {
  readonly to: string;
  readonly from: string;
  readonly time: string;
  /** When it ends: `until` as an end, `at` as a time of each day. */
  readonly until: string;
  readonly at: string;
}

type Sentence = (values: Values) => string;

/** What happens once or repeatedly, without an end and with one. */
interface Told {
  readonly once: Sentence;
  readonly span: Sentence;
  readonly again: Sentence;
  readonly spans: Sentence;
}

const ofOne: Readonly<Record<ScheduledAction, Told>> = {
  destination: {
    once: ({ to }) => `It leads to ${to} then. Until then nothing changes.`,
    span: ({ to, from, until }) => `It leads to ${to} until ${until}, then to ${from} again.`,
    again: ({ to, time }) => `at ${time} it leads to ${to}.`,
    spans: ({ to, from, time, at }) => `at ${time} it leads to ${to}, ${at} to ${from} again.`,
  },
  pause: {
    once: () => 'It is paused then: visitors see your message. Until then nothing changes.',
    span: ({ until }) => `It is paused until ${until}, then it is resumed.`,
    again: ({ time }) => `at ${time} it is paused.`,
    spans: ({ time, at }) => `at ${time} it is paused, ${at} it is resumed.`,
  },
  resume: {
    once: () => 'It is resumed then. Until then nothing changes.',
    span: ({ until }) => `It is resumed until ${until}, then it is paused again.`,
    again: ({ time }) => `at ${time} it is resumed.`,
    spans: ({ time, at }) => `at ${time} it is resumed, ${at} it is paused again.`,
  },
};

const ofMany: Readonly<Record<ScheduledAction, Told>> = {
  destination: {
    once: ({ to }) => `They lead to ${to} then. Until then nothing changes.`,
    span: ({ to, until }) => `They lead to ${to} until ${until}, then each where it leads now.`,
    again: ({ to, time }) => `at ${time} they lead to ${to}.`,
    spans: ({ to, time, at }) => `at ${time} they lead to ${to}, ${at} each where it leads now.`,
  },
  pause: {
    once: () => 'They are paused then: visitors see your message. Until then nothing changes.',
    span: ({ until }) => `They are paused until ${until}, then they are resumed.`,
    again: ({ time }) => `at ${time} they are paused.`,
    spans: ({ time, at }) => `at ${time} they are paused, ${at} they are resumed.`,
  },
  resume: {
    once: () => 'They are resumed then. Until then nothing changes.',
    span: ({ until }) => `They are resumed until ${until}, then they are paused again.`,
    again: ({ time }) => `at ${time} they are resumed.`,
    spans: ({ time, at }) => `at ${time} they are resumed, ${at} they are paused again.`,
  },
};

/** What stands for an address that is not typed yet. */
const noAddress = 'the address that you type';
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
  const [first] = spans.toSorted((one, other) => one.nextMs - other.nextMs);
  if (first === undefined) return null;
  const begin = Temporal.PlainDateTime.from(wallTimeOf(first.nextMs, zone));
  const end = first.end && Temporal.PlainDateTime.from(wallTimeOf(first.end.nextMs, zone));
  const nights = end === null ? 0 : begin.toPlainDate().until(end.toPlainDate()).days;
  const endTime = end === null ? '' : timeOf(end);
  const values: Values = {
    to: to.trim() === '' ? noAddress : shownAddress(to),
    from: from === null ? '' : shownAddress(from),
    time: timeOf(begin),
    until: end === null ? '' : nights === 0 ? endTime : `${dayOf(end, texts)}, ${endTime}`,
    at:
      nights === 0
        ? `at ${endTime}`
        : nights === 1
          ? `at ${endTime} the next day`
          : `at ${endTime}, ${formatCount(nights, 'day')} later,`,
  };
  const told = (from === null ? ofMany : ofOne)[action];
  const day = dayOf(begin, texts);
  const wait = waitText(dateOf(nowMs, zone).until(begin.toPlainDate()).days);
  if (every === null)
    return {
      when: `${day}, ${timeOf(begin)}, ${wait}.`,
      what: (end === null ? told.once : told.span)(values),
    };
  return {
    when:
      every === 'day'
        ? `Every day from ${day}, ${wait}:`
        : `Every ${weekdaysOf(spans, local)} from ${day}, ${wait}:`,
    what: (end === null ? told.again : told.spans)(values),
  };
}

/** Says that a change of clocks leaves out the first time of a change; empty for none. */
export function movedText(
  times: readonly { readonly firstLocal: string; readonly nextMs: number | null }[],
  { zone, texts }: Pick<LocalTime, 'zone' | 'texts'>,
): string {
  for (const { firstLocal, nextMs } of times) {
    const made = wallTimeOf(nextMs ?? 0, zone);
    if (made === firstLocal) continue;
    const day = formatDay(Temporal.PlainDateTime.from(firstLocal).toPlainDate(), 'long', texts);
    return ` On ${day} there is no ${firstLocal.slice(-5)} in ${formatZone(zone)}: it happens at ${made.slice(-5)}.`;
  }
  return '';
}

function waitText(days: number): string {
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${formatCount(days, 'day')}`;
}

/** `Thu 24 Dec 2026` */
function dayOf(time: Temporal.PlainDateTime, texts: Texts): string {
  const day = time.toPlainDate();
  return `${formatDay(day, 'weekday', texts)} ${day.year}`;
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
