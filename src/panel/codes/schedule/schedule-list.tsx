/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Qr } from '../../../core/codes/qr.ts';
import type {
  ScheduledChange,
  ScheduledChangeOfCode,
} from '../../../core/codes/schedule/change.ts';
import { Menu } from '../../ui/components.tsx';
import { dateOf, formatDestination, formatUrl, type LocalTime } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link, PostButton, useLocalTime, useMayEdit, useTexts } from '../../ui/page-context.tsx';
import { describeChange, scheduleProblemText, whenText } from '../../ui/sentences/schedule.ts';
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
  const { planned: t, formats } = useTexts();
  if (planned.length === 0) return null;
  return (
    <section class="card pad stack tight plan" aria-label={t.title} id="planned">
      <div class="row">
        <h2 class="grow">
          {t.planned} <span class="soft">{formats.number(planned.length)}</span>
        </h2>
        <Link class="button small" to={planPathOf(qr.code)} data-dialog icon="plus">
          {t.planChange}
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
  const { planned: t } = local.texts;
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
              {scheduleProblemText(problem, local.texts)}
            </span>
            <PostButton to={`${path}/now`} values={values} class="button small">
              {t.tryAgain}
            </PostButton>
          </>
        )}
      </div>
      {mayEdit && (
        <Menu id={`planned-${id}`} label={t.actionsFor({ change: describeChange(change, local) })}>
          <Link
            to={`${path}?${new URLSearchParams({ id: String(id), list: back })}`}
            data-dialog
            icon="edit"
          >
            {t.edit}
          </Link>
          <PostButton to={`${path}/now`} values={values} class="" icon="play">
            {t.doItNow}
          </PostButton>
          <PostButton to={`${path}/cancel`} values={values} class="danger" icon="remove">
            {t.delete}
          </PostButton>
        </Menu>
      )}
    </li>
  );
}

function What({ change: { action, destination } }: { change: ScheduledChange }) {
  const { planned: t } = useTexts();
  if (destination === null)
    return action === 'pause' ? (
      <span class="pill warn">{t.paused}</span>
    ) : (
      <span class="pill good">{t.resumed}</span>
    );
  return <bdi>→ {formatUrl(formatDestination(destination))}</bdi>;
}

/** Says when a change is made next, from now: `next tomorrow`, `in 26 days`. */
function nextText(
  { every, action, nextMs }: ScheduledChange,
  { nowMs, zone, texts: { planned: t } }: LocalTime,
): string {
  if (nextMs === null) return t.over;
  const until = dateOf(nowMs, zone).until(dateOf(nextMs, zone), { largestUnit: 'day' });
  const days = Math.max(0, until.days);
  const next = every === null ? t.inDays({ days }) : t.nextInDays({ days });
  return action === 'pause' ? `${next} · ${t.visitorsSeeMessage}` : next;
}
