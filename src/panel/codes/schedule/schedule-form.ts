import type { Qrs } from '../../../core/codes/qrs.ts';
import {
  type ScheduledAction,
  type ScheduledChange,
  scheduledActions,
} from '../../../core/codes/schedule/change.ts';
import { type PlanRequest, plannedSpans } from '../../../core/codes/schedule/schedule.ts';
import { periods, type Weekday, wallTimeOf } from '../../../core/codes/schedule/wall-time.ts';
import type { CheckedDestination } from '../../../core/codes/urls/destination-check.ts';
import { Refused } from '../../../core/errors.ts';
import type { Reason } from '../../../core/reasons.ts';
import type { Said } from '../../../languages/texts.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import {
  checkField,
  choiceField,
  hiddenField,
  segmentedField,
  textField,
} from '../../ui/fields.tsx';
import { type Field, invalidField, type Values } from '../../ui/form.tsx';
import { formatWeekday, formatZone, type LocalTime } from '../../ui/formatting.ts';
import { type MovedTime, movedTime, type PlanText, planText } from '../../ui/sentences/plan.ts';
import { weekdays } from '../../ui/sentences/schedule.ts';
import { panelSentence } from '../../ui/sentences/sentences.ts';
import { destinationField } from '../code-forms.ts';

/** Creates the box of a day of the week. */
function dayField(weekday: Weekday) {
  return checkField((t) => formatWeekday(weekday, 'short', t));
}

const choices: Readonly<
  Record<'one' | 'many', Record<ScheduledAction, readonly [title: Said, text: Said]>>
> = {
  one: {
    destination: [({ planForm: t }) => t.leads, ({ planForm: t }) => t.toAddressBelow],
    pause: [({ planForm: t }) => t.pauses, ({ planForm: t }) => t.visitorsSeeMessage],
    resume: [({ planForm: t }) => t.resumes, ({ planForm: t }) => t.leadsAgain],
  },
  many: {
    destination: [({ planForm: t }) => t.allLead, ({ planForm: t }) => t.toAddressBelow],
    pause: [({ planForm: t }) => t.allPause, ({ planForm: t }) => t.visitorsSeeMessage],
    resume: [({ planForm: t }) => t.allResume, ({ planForm: t }) => t.allLeadAgain],
  },
};

interface FormOptions {
  readonly zone: string;
  /** Whether the plan of the account is active. Without it, destinations stay. */
  readonly canChange: boolean;
  /** Whether it is about several codes. */
  readonly isForMany?: boolean;
  /** Whether a change is edited, which has no end of its own. */
  readonly isEdited?: boolean;
}

export type PlanForm = ReturnType<typeof createPlanForm>;

/** Creates the form that plans a change. Its destination is checked like one of now. */
export function createPlanForm(
  qrs: Pick<Qrs, 'checkDestination'>,
  { zone, canChange, isForMany = false, isEdited = false }: FormOptions,
) {
  const texts = choices[isForMany ? 'many' : 'one'];
  // The field of the address follows its choice.
  const actions = (['pause', 'resume', 'destination'] as const).filter(
    (action) => canChange || action !== 'destination',
  );
  const actionOf = (text: string): ScheduledAction => {
    const found = actions.find((action) => action === text);
    if (found === undefined) throw new InvalidInput((t) => t.planForm.chooseWhatHappens);
    return found;
  };
  /** Draws a field for a new change alone. */
  const whenNew = <T>(field: Field<T>, other: T): Field<T> =>
    isEdited ? { read: async () => other, draw: () => null } : field;
  const url = destinationField(({ planForm: t }) => (isForMany ? t.whereToAll : t.whereTo), {
    isRequired: false,
  });
  return {
    /** The change that is edited; undefined for a new one. */
    id: hiddenField((text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)),
    day: textField({
      label: (t) => t.planForm.day,
      type: 'date',
      required: true,
      parse: partOf(/^\d{4}-\d\d-\d\d$/),
    }),
    time: textField({
      label: (t) => t.planForm.timeIn({ place: formatZone(zone) }),
      type: 'time',
      required: true,
      parse: partOf(/^\d\d:\d\d$/),
    }),
    every: segmentedField({
      label: (t) => t.planForm.repeat,
      options: [
        { value: '', text: (t) => t.planForm.never },
        { value: 'day', text: (t) => t.planForm.everyDay },
        { value: 'week', text: (t) => t.planForm.everyWeek },
      ],
      parse: (text) => periods.find((period) => period === text) ?? null,
    }),
    monday: dayField(1),
    tuesday: dayField(2),
    wednesday: dayField(3),
    thursday: dayField(4),
    friday: dayField(5),
    saturday: dayField(6),
    sunday: dayField(7),
    back: whenNew(
      checkField((t) => t.planForm.andBack),
      false,
    ),
    backDay: whenNew(
      ifBack(
        textField({
          label: (t) => t.planForm.backOn,
          isOptional: true,
          hint: (t) => t.planForm.backOnHint,
          type: 'date',
          parse: (text) => (text === '' ? '' : partOf(/^\d{4}-\d\d-\d\d$/)(text)),
        }),
      ),
      null,
    ),
    backTime: whenNew(
      ifBack(
        textField({ label: (t) => t.planForm.backAt, type: 'time', parse: partOf(/^\d\d:\d\d$/) }),
      ),
      null,
    ),
    // Not `action`: a script reads that of a form.
    change: choiceField({
      label: (t) => t.planForm.whatHappens,
      choices: actions.map((value) => ({ value, title: texts[value][0], text: texts[value][1] })),
      parse: actionOf,
    }),
    url: {
      ...url,
      // What is typed counts only if it is asked for.
      read: async (typed, name): Promise<CheckedDestination | null> =>
        typed.text('change') === 'destination'
          ? qrs.checkDestination(await url.read(typed, name))
          : null,
      draw: (drawn) => (canChange ? url.draw(drawn) : null),
    } satisfies Field<CheckedDestination | null>,
  };
}

/** What is typed in a field counts only if the change has an end. */
function ifBack<T>(field: Field<T>): Field<T | null> {
  return {
    ...field,
    read: async (typed, name) => (typed.text('back') === '' ? null : field.read(typed, name)),
  };
}

function partOf(pattern: RegExp) {
  return (text: string): string => {
    const part = text.trim();
    if (!pattern.test(part)) throw new Refused({ kind: 'no wall time' });
    return part;
  };
}

/** Returns the days of the week whose boxes are ticked. */
function weekdaysOf(isTicked: (name: (typeof weekdays)[number]) => boolean): Weekday[] {
  return ([1, 2, 3, 4, 5, 6, 7] as const).filter((one) => {
    const name = weekdays[one - 1];
    return name !== undefined && isTicked(name);
  });
}

/** Returns what a form asks for. */
export function requestOf({
  day,
  time,
  every,
  back,
  backDay,
  backTime,
  change: action,
  url,
  ...boxes
}: Values<PlanForm>): PlanRequest {
  const weekdays = weekdaysOf((name) => boxes[name]);
  return {
    at: `${day}T${time}`,
    every,
    weekdays,
    action,
    ...(back && backTime !== null && { until: backDay ? `${backDay}T${backTime}` : backTime }),
    ...(url !== null && { checkDestination: async () => url }),
  };
}

/** Returns the values of the form for a new change: tomorrow at noon, to another address. */
export function newPlanValues(nowMs: number, zone: string) {
  const now = Temporal.PlainDateTime.from(wallTimeOf(nowMs, zone));
  return {
    day: now.toPlainDate().add({ days: 1 }).toString(),
    time: '12:00',
    change: 'destination',
  };
}

/** Returns the values of the form of a change. */
export function planValuesOf(
  { id, firstLocal, nextMs, every, action, destination }: ScheduledChange,
  zone: string,
): Readonly<Partial<Record<keyof PlanForm, string>>> {
  const [firstDay = '', time = ''] = firstLocal.split('T');
  const day = nextMs === null ? firstDay : wallTimeOf(nextMs, zone).slice(0, 10);
  const { dayOfWeek } = Temporal.PlainDate.from(firstDay);
  return {
    id: String(id),
    day,
    time,
    every: every ?? '',
    ...(every === 'week' && { [weekdays[dayOfWeek - 1] ?? '']: 'yes' }),
    change: action,
    url: destination ?? '',
  };
}

/** Values of the form, as they are typed. */
export type TypedPlan = (name: keyof PlanForm) => string;

/** Says what a plan that is being typed will do, or why it cannot be; null while its time is not typed. */
export function describePlan(
  typed: TypedPlan,
  from: string | null,
  local: LocalTime,
): (PlanText & { readonly moved: MovedTime | null }) | { readonly problem: Reason } | null {
  const [day, time] = [typed('day').trim(), typed('time').trim()];
  if (day === '' || time === '') return null;
  const every = periods.find((period) => period === typed('every')) ?? null;
  const action = scheduledActions.find((one) => one === typed('change')) ?? 'destination';
  const weekdays = weekdaysOf((name) => typed(name) !== '');
  const [backDay, backTime] = [typed('backDay').trim(), typed('backTime').trim()];
  const hasEnd = typed('back') !== '' && backTime !== '';
  const until = backDay === '' ? backTime : `${backDay}T${backTime}`;
  try {
    const request = { at: `${day}T${time}`, every, weekdays, ...(hasEnd && { until }) };
    const spans = plannedSpans(request, local.zone, local.nowMs);
    const text = planText({ every, action, to: typed('url'), from }, spans, local);
    const times = spans.flatMap(({ end, ...begin }) => [begin, ...(end === null ? [] : [end])]);
    return text && { ...text, moved: movedTime(times, local.zone) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.reason };
    throw error;
  }
}

/** Says at the field of the end what is wrong with the end. */
export async function atItsEnd<T>(planned: Promise<T>): Promise<T> {
  try {
    return await planned;
  } catch (error) {
    if (error instanceof Refused && /^planned end/.test(error.reason.kind)) {
      const { reason } = error;
      throw invalidField('backTime', (t) => panelSentence(reason, t));
    }
    throw error;
  }
}
