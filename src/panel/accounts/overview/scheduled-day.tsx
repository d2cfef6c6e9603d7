/** @jsxImportSource preact */

import type { ComponentChildren, VNode } from 'preact';
import type { Account } from '../../../core/accounts/account.ts';
import {
  type ChangeOnDay,
  maxPerDay,
  type Schedule,
} from '../../../core/codes/schedule/schedule.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import { titleOf } from '../../codes/code-label.tsx';
import { dateOf, formatTimeOfDay } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextLink, useTexts } from '../../ui/page-context.tsx';
import { changeOfManyText, changeOfOneText } from '../../ui/sentences/schedule.ts';

/** The planned changes of a day that are still to come. */
export interface ScheduledDay {
  readonly name: 'today' | 'tomorrow';
  /** In the order of their times; null for too many to tell. */
  readonly changes: readonly ChangeOnDay[] | null;
}

// What fits into two lines.
const namedTimes = 4;
const maxTitleLength = 30;

/** Returns what is planned for the rest of today, else for tomorrow; null for nothing. */
export async function findScheduledDay(
  schedule: Pick<Schedule, 'onDay'>,
  account: Account,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): Promise<ScheduledDay | null> {
  const today = dateOf(nowMs, zone);
  for (const [name, day] of [
    ['today', today],
    ['tomorrow', today.add({ days: 1 })],
  ] as const) {
    const changes = await schedule.onDay(account, day);
    if (changes === null || changes.length > 0) return { name, changes };
  }
  return null;
}

/** Renders what is planned for a day in one quiet line. */
export function ScheduledDayLine({ planned, zone }: { planned: ScheduledDay; zone: string }) {
  const { name, changes } = planned;
  const texts = useTexts();
  const { scheduledDay: t } = texts;
  return (
    <section class="card planned-day" aria-label={t.label}>
      <Icon name="clock" />
      <p>
        <b>{t.plannedOn({ day: name })}</b>{' '}
        <span class="soft">
          {changes === null ? t.moreThan({ changes: maxPerDay }) : timesOf(changes, zone, texts)}
        </span>
      </p>
      <TextLink to="/account/planned">{t.all}</TextLink>
    </section>
  );
}

/** Renders changes by their times: `11:30 Menu leads to osteria.example/lunch · 14:00 12 codes are paused`. */
function timesOf(changes: readonly ChangeOnDay[], zone: string, texts: Texts): ComponentChildren {
  const groups = [...Map.groupBy(changes, ({ atMs }) => atMs)];
  return (
    <>
      {groups.slice(0, namedTimes).map(([atMs, [first, ...others]], index) => (
        <span key={atMs}>
          {index > 0 && ' · '}
          {first !== undefined &&
            atTime(formatTimeOfDay(atMs, { zone, texts }), [first, ...others], texts)}
        </span>
      ))}
      {groups.length > namedTimes && ` · ${texts.planned.moreLater}`}
    </>
  );
}

/** Renders what happens to some codes at a time. */
function atTime(
  time: string,
  changes: readonly [ChangeOnDay, ...ChangeOnDay[]],
  texts: Texts,
): ComponentChildren {
  if (changes.length > 1) return changeOfManyText(changes, time, texts);
  const [change] = changes;
  const name = <bdi>{shorten(titleOf(change), maxTitleLength)}</bdi>;
  return changeOfOneText<VNode>(change, { time, name }, texts);
}
