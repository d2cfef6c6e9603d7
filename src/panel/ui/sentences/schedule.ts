import type { ScheduledChange, ScheduleProblem } from '../../../core/codes/schedule/change.ts';
import type { ScheduleReason, Sentences } from '../../../core/reasons.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import type { PlannedMessage, PlannedTime } from '../../request/messages.ts';
import {
  dateOf,
  formatDay,
  formatDestination,
  formatTimeOfDay,
  formatUrl,
  formatZone,
  type LocalTime,
} from '../formatting.ts';
import { movedText } from './plan.ts';

/** Why a change cannot be planned, or is not planned any more. */
export const scheduleSentences = ({
  planForm,
  planRefused: t,
}: Texts): Sentences<ScheduleReason> => ({
  'no wall time': () => planForm.chooseDayAndTime,
  'planned time over': () => t.timeOver,
  'planned too far': ({ years }) => t.tooFar({ years }),
  'planned end first': () => t.endsBeforeBegin,
  'planned end late': ({ period }) => (period === 'day' ? t.endsAfterNextDay : t.endsAfterNextWeek),
  'too many planned changes': ({ max }) => t.tooMany({ changes: max }),
  'same planned time': () => t.sameMinute,
  'stopped code planned': () => t.codeStopped,
  'no such planned change': () => t.gone,
});

/** Says why a planned change was not made, for its owner. */
export function scheduleProblemText(problem: ScheduleProblem, { planned: t }: Texts): string {
  return {
    'no plan': t.noPlan,
    flagged: t.flagged,
    'not valid': t.notValid,
    blocked: t.blocked,
    failed: t.failed,
  }[problem];
}

type Change = Pick<ScheduledChange, 'action' | 'destination'>;

const shown = (destination: string) => formatUrl(formatDestination(destination));

/** Says what happens to a code at a time: `11:30 Menu leads to osteria.example/lunch`. */
export function changeOfOneText<Part>(
  { action, destination }: Change,
  said: { readonly time: string; readonly name: Part },
  { planned: t }: Texts,
): (string | Part)[] {
  if (destination !== null) return t.codeLeads<Part>({ ...said, destination: shown(destination) });
  return (action === 'pause' ? t.codePauses : t.codeResumes)<Part>(said);
}

/** Says what happens to several codes at one time: `14:00 12 codes lead to osteria.example/lunch`. */
export function changeOfManyText(
  changes: readonly [Change, ...Change[]],
  time: string,
  { planned: t }: Texts,
): string {
  const [{ action, destination }] = changes;
  const values = { codes: changes.length, time };
  const isSame = changes.every((one) => one.action === action && one.destination === destination);
  if (!isSame) return t.manyChange(values);
  if (destination !== null) return t.manyLead({ ...values, destination: shown(destination) });
  return (action === 'pause' ? t.manyPause : t.manyResume)(values);
}

/** Describes a change for screen readers: `Every day, 11:30: it is paused`. */
export function describeChange(change: ScheduledChange, local: LocalTime): string {
  const { planned: t } = local.texts;
  const when = whenText(change, local);
  const { action, destination } = change;
  if (destination !== null) return t.whenItLeads({ when, destination: shown(destination) });
  return (action === 'pause' ? t.whenItPauses : t.whenItResumes)({ when });
}

/** The days of the week, as sentences choose by them and fields are named. Monday is first. */
export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Says when a change is made: `Thu 24 Dec, 18:00`, `Every day, 11:30`, `Every Monday, 11:30`. */
export function whenText({ firstLocal, every, nextMs }: PlannedTime, local: LocalTime): string {
  const { nowMs, zone, texts } = local;
  const { planned: t } = texts;
  const first = Temporal.PlainDateTime.from(firstLocal);
  const time = firstLocal.slice(-5);
  if (every === 'day') return t.everyDayAt({ time });
  if (every === 'week')
    return t.everyWeekAt({ weekday: weekdays[first.dayOfWeek - 1] ?? 'monday', time });
  // A change of clocks may have moved it.
  const day = nextMs === null ? first.toPlainDate() : dateOf(nextMs, zone);
  const style = day.year === dateOf(nowMs, zone).year ? 'weekday' : 'full';
  return t.onDayAt({
    day: formatDay(day, style, texts),
    time: nextMs === null ? time : formatTimeOfDay(nextMs, local),
  });
}

/** Says what was planned. */
export function plannedMessageText(planned: PlannedMessage, local: LocalTime): string {
  const { messages: t } = local.texts;
  const { changes, begin, end, moved } = planned;
  const place = formatZone(local.zone);
  const said =
    begin === null
      ? t.changesPlanned({ changes, place })
      : end === null
        ? t.changePlanned({ when: whenText(begin, local), place })
        : t.changePlannedWithEnd({
            when: whenText(begin, local),
            back: whenText(end, local),
            place,
          });
  return moved === null
    ? said
    : local.texts.lists.nextSentence({ sentences: said, sentence: movedText(moved, local) });
}
