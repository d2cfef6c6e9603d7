/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Qr } from '../../../core/codes/qr.ts';
import type {
  ScheduledChange,
  ScheduledChangeOfCode,
} from '../../../core/codes/schedule/change.ts';
import { formatCount, formatNumber } from '../../../lib/numbers.ts';
import { Menu } from '../../ui/components.tsx';
import {
  dateOf,
  formatDay,
  formatDestination,
  formatTimeOfDay,
  formatUrl,
  formatWeekday,
  type LocalTime,
} from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link, PostButton, useLocalTime, useMayEdit } from '../../ui/page-context.tsx';
import { scheduleProblemSentences } from '../../ui/sentences/schedule.ts';
import { codePath, titleOf } from '../code-label.tsx';

/** Returns the path of the dialog that plans a change of a code. */
export function planPathOf(code: string): string {
  return `${codePath(code)}/plan`;
}

interface ScheduleCardProps {
  readonly qr: Qr;
  /** The next one first, then those that are over. */
  readonly planned: readonly ScheduledChange[];
}

/** Renders the planned changes of a code; nothing without any. */
export function ScheduleCard({ qr, planned }: ScheduleCardProps) {
  if (planned.length === 0) return null;
  return (
    <section class="card pad stack tight plan" aria-label="Planned changes" id="planned">
      <div class="row">
        <h2 class="grow">
          Planned <span class="soft">{formatNumber(planned.length)}</span>
        </h2>
        <Link class="button small" to={planPathOf(qr.code)} data-dialog icon="plus">
          Plan a change
        </Link>
      </div>
      <ul class="planned">
        {planned.map((change) => (
          <ScheduledRow key={change.id} change={change} code={qr.code} back={codePath(qr.code)} />
        ))}
      </ul>
    </section>
  );
}

interface ScheduledRowsProps {
  readonly changes: readonly ScheduledChangeOfCode[];
  /** Path of the page, to go back to. */
  readonly back: string;
}

/** Renders planned changes of several codes. */
export function ScheduledRows({ changes, back }: ScheduledRowsProps) {
  return (
    <ul class="planned pad">
      {changes.map((change) => (
        <ScheduledRow key={change.id} change={change} code={change.code} back={back}>
          <Link class="name" to={`${codePath(change.code)}#planned`} dir="auto">
            {titleOf(change)}
          </Link>
        </ScheduledRow>
      ))}
    </ul>
  );
}

interface ScheduledRowProps {
  readonly change: ScheduledChange;
  readonly code: string;
  readonly back: string;
  /** Names the code, where several are listed. */
  readonly children?: ComponentChildren;
}

function ScheduledRow({ change, code, back, children }: ScheduledRowProps) {
  const local = useLocalTime('times');
  const mayEdit = useMayEdit();
  const { id, action, every, problem } = change;
  const path = planPathOf(code);
  const values = { id: String(id), list: back };
  return (
    <li>
      <Icon name={action === 'pause' ? 'pause' : every === null ? 'clock' : 'repeat'} />
      <div class="what">
        {children}
        <b>
          {whenText(change, local)} <What change={change} />
        </b>
        {problem === null ? (
          <span class="small soft">{nextText(change, local)}</span>
        ) : (
          <>
            <span class="error">
              <Icon name="bad" />
              {scheduleProblemSentences[problem]}
            </span>
            <PostButton to={`${path}/now`} values={values} class="button small">
              Try again
            </PostButton>
          </>
        )}
      </div>
      {mayEdit && (
        <Menu
          id={`planned-${id}`}
          label={`Actions for the change: ${describeChange(change, local)}`}
        >
          <Link
            to={`${path}?${new URLSearchParams({ id: String(id), list: back })}`}
            data-dialog
            icon="edit"
          >
            Edit…
          </Link>
          <PostButton to={`${path}/now`} values={values} class="" icon="play">
            Do it now
          </PostButton>
          <PostButton to={`${path}/cancel`} values={values} class="danger" icon="remove">
            Delete
          </PostButton>
        </Menu>
      )}
    </li>
  );
}

function What({ change: { action, destination } }: { change: ScheduledChange }) {
  if (destination === null)
    return action === 'pause' ? (
      <span class="pill warn">Paused</span>
    ) : (
      <span class="pill good">Resumed</span>
    );
  return <bdi>→ {formatUrl(formatDestination(destination))}</bdi>;
}

/** Describes a change for screen readers and messages: `Every day, 11:30: it is paused`. */
function describeChange(change: ScheduledChange, local: LocalTime): string {
  return `${whenText(change, local)}: it ${actionText(change)}`;
}

/** Returns the change of a code in words: `is paused`. */
export function actionText({ action, destination }: ScheduledChange): string {
  if (destination !== null) return `leads to ${formatUrl(formatDestination(destination))}`;
  return action === 'pause' ? 'is paused' : 'is resumed';
}

/** Says when a change is made: `Thu 24 Dec, 18:00`, `Every day, 11:30`, `Every Monday, 11:30`. */
export function whenText(
  { firstLocal, every, nextMs }: ScheduledChange,
  { nowMs, zone, texts }: LocalTime,
): string {
  const first = Temporal.PlainDateTime.from(firstLocal);
  const timeOfDay = firstLocal.slice(-5);
  if (every === 'day') return `Every day, ${timeOfDay}`;
  if (every === 'week')
    return `Every ${formatWeekday(first.dayOfWeek, 'long', texts)}, ${timeOfDay}`;
  // A change of clocks may have moved it.
  const day = nextMs === null ? first.toPlainDate() : dateOf(nextMs, zone);
  const shown = nextMs === null ? timeOfDay : formatTimeOfDay(nextMs, { zone, texts });
  const year = day.year === dateOf(nowMs, zone).year ? '' : ` ${day.year}`;
  return `${formatDay(day, 'weekday', texts)}${year}, ${shown}`;
}

/** Says when a change is made next, from now: `next tomorrow`, `in 26 days`. */
function nextText({ every, action, nextMs }: ScheduledChange, { nowMs, zone }: LocalTime): string {
  if (nextMs === null) return 'over';
  const { days } = dateOf(nowMs, zone).until(dateOf(nextMs, zone), { largestUnit: 'day' });
  const from = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${formatCount(days, 'day')}`;
  const next = every === null ? from : `next ${from}`;
  return action === 'pause' ? `${next} · visitors see your message` : next;
}
