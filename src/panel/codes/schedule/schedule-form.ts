import type { Qrs } from '../../../core/codes/qrs.ts';
import type { ScheduledAction, ScheduledChange } from '../../../core/codes/schedule/change.ts';
import type { PlanRequest } from '../../../core/codes/schedule/schedule.ts';
import { periods, type Weekday, wallTimeOf } from '../../../core/codes/schedule/wall-time.ts';
import type { CheckedDestination } from '../../../core/codes/urls/destination-check.ts';
import { Refused } from '../../../core/errors.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import {
  checkField,
  choiceField,
  hiddenField,
  segmentedField,
  textField,
} from '../../ui/fields.tsx';
import type { Field, Values } from '../../ui/form.tsx';
import { formatWeekday, formatZone } from '../../ui/formatting.ts';
import { destinationField } from '../code-forms.ts';

/** The days of the week, as their boxes are named. Monday is first. */
export const dayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** Creates the box of a day of the week. */
function dayField(weekday: Weekday) {
  return checkField(formatWeekday(weekday, 'short'));
}

const choices = {
  one: {
    destination: ['It leads somewhere else', 'To the address below.'],
    pause: ['It is paused', 'Visitors see your message.'],
    resume: ['It is resumed', 'It leads to its destination again.'],
  },
  many: {
    destination: ['All lead to one address', 'To the address below.'],
    pause: ['All are paused', 'Visitors see your message.'],
    resume: ['All are resumed', 'They lead to their destinations again.'],
  },
} as const satisfies Record<string, Record<ScheduledAction, readonly [string, string]>>;

interface FormOptions {
  readonly zone: string;
  /** Whether the plan of the account is active. Without it, destinations stay. */
  readonly canChange: boolean;
  /** Whether it is about several codes. */
  readonly isForMany?: boolean;
}

export type PlanForm = ReturnType<typeof createPlanForm>;

/** Creates the form that plans a change. Its destination is checked like one of now. */
export function createPlanForm(
  qrs: Pick<Qrs, 'checkDestination'>,
  { zone, canChange, isForMany = false }: FormOptions,
) {
  const texts = choices[isForMany ? 'many' : 'one'];
  // The field of the address follows its choice.
  const actions = (['pause', 'resume', 'destination'] as const).filter(
    (action) => canChange || action !== 'destination',
  );
  const actionOf = (text: string): ScheduledAction => {
    const found = actions.find((action) => action === text);
    if (found === undefined) throw new InvalidInput('Choose what happens.');
    return found;
  };
  const url = destinationField(isForMany ? 'Where should they lead?' : 'Where should it lead?', {
    isRequired: false,
  });
  return {
    /** The change that is edited; undefined for a new one. */
    id: hiddenField((text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)),
    day: textField({
      label: 'Day',
      type: 'date',
      required: true,
      parse: partOf(/^\d{4}-\d\d-\d\d$/),
    }),
    time: textField({
      label: `Time in ${formatZone(zone)}`,
      type: 'time',
      required: true,
      parse: partOf(/^\d\d:\d\d$/),
    }),
    every: segmentedField({
      label: 'Repeat',
      options: [
        { value: '', text: 'Never' },
        { value: 'day', text: 'Every day' },
        { value: 'week', text: 'Every week' },
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
    // Not `action`: a script reads that of a form.
    change: choiceField({
      label: 'What happens',
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

function partOf(pattern: RegExp) {
  return (text: string): string => {
    const part = text.trim();
    if (!pattern.test(part)) throw new Refused({ kind: 'no wall time' });
    return part;
  };
}

/** Returns what a form asks for. */
export function requestOf({
  day,
  time,
  every,
  change: action,
  url,
  ...boxes
}: Values<PlanForm>): PlanRequest {
  const weekdays = ([1, 2, 3, 4, 5, 6, 7] as const).filter((one) => {
    const name = dayNames[one - 1];
    return name !== undefined && boxes[name];
  });
  return {
    at: `${day}T${time}`,
    every,
    weekdays,
    action,
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
    ...(every === 'week' && { [dayNames[dayOfWeek - 1] ?? '']: 'yes' }),
    change: action,
    url: destination ?? '',
  };
}
