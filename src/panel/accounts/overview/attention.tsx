/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Account } from '../../../core/accounts/account.ts';
import type { ScheduledChangeOfCode } from '../../../core/codes/schedule/change.ts';
import type { SafetySummary } from '../../../core/safety/ports.ts';
import type { Overview } from '../../../core/scans/overview.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount, plural } from '../../../lib/numbers.ts';
import { codePath, titleOf } from '../../codes/code-label.tsx';
import { ListCard } from '../../ui/cards.tsx';
import { formatListName, formatPlanEnd } from '../../ui/formatting.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Link } from '../../ui/page-context.tsx';
import { scheduleProblemText } from '../../ui/sentences/schedule.ts';

/** Something that the owner of codes should look at. */
interface Issue {
  readonly kind: 'bad' | 'warn' | 'note';
  /** That of the kind when left out. */
  readonly icon?: IconName;
  readonly title: string;
  readonly text: ComponentChildren;
  readonly to: string;
  readonly action: string;
}

interface State {
  readonly texts: Texts;
  readonly account: Account;
  readonly nowMs: number;
  readonly safety: SafetySummary;
  /** The default design if phones cannot read it: its name, or null without one. */
  readonly unreadableDesign: { readonly name: string | null } | null;
  readonly quiet: Overview['quiet'];
  /** Planned changes that were not made, at most `maxProblems` and one. */
  readonly scheduleProblems: readonly ScheduledChangeOfCode[];
}

/** More are not counted. */
export const maxProblems = 100;
const dayMs = 86_400_000;
// An operator may need some days to renew a plan.
const scheduledDays = 14;

/** Returns what needs attention, the worst first. */
export function issuesOf(state: State): Issue[] {
  const { account, nowMs, safety, unreadableDesign, quiet, scheduleProblems, texts } = state;
  const { flagged, lists, flaggedCodes, blocked, blockedCode } = safety;
  const days = Math.ceil(((account.planUntilMs ?? Number.POSITIVE_INFINITY) - nowMs) / dayMs);
  const issues: (Issue | false)[] = [
    flagged > 0 && {
      kind: 'bad',
      title: `${formatCount(flagged, 'code shows', 'codes show')} a warning to visitors`,
      text: (
        <>
          {flaggedCodes.map(({ code, name }, index) => [
            index > 0 && (index === flagged - 1 ? ' and ' : ', '),
            <bdi key={code}>{name ?? code}</bdi>,
          ])}
          {flagged > flaggedCodes.length &&
            ` and ${formatCount(flagged - flaggedCodes.length, 'other')}`}
          : flagged by {texts.formats.list(lists.map((list) => formatListName(list, texts)))}.
        </>
      ),
      to: '/account/codes?status=flagged',
      action: 'Review',
    },
    blocked > 0 && {
      kind: 'bad',
      title: `The operator has blocked ${formatCount(blocked, 'code')}`,
      text:
        blocked === 1 && blockedCode !== null ? (
          <>
            <bdi>{blockedCode.name ?? blockedCode.code}</bdi> shows a page that says so.
            {blockedCode.reason !== null && (
              <>
                {' '}
                Reason: <bdi>{blockedCode.reason}</bdi>
              </>
            )}
          </>
        ) : (
          'They show a page that says so instead of redirecting.'
        ),
      to:
        blocked === 1 && blockedCode !== null
          ? codePath(blockedCode.code)
          : '/account/codes?status=blocked',
      action: plural(blocked, 'See it', 'See them'),
    },
    scheduleProblems.length > 0 && scheduleProblem(scheduleProblems, texts),
    unreadableDesign !== null && {
      kind: 'warn',
      title: `Phones can’t read your ${unreadableDesign.name === null ? 'default design' : `design “${unreadableDesign.name}”`}`,
      text: 'No code can be created with it.',
      to: '/account/design',
      action: 'Fix',
    },
    days > 0 &&
      days <= scheduledDays && {
        kind: 'warn',
        icon: 'clock',
        title: `Your plan ends in ${formatCount(days, 'day')}`,
        text: `Printed codes keep working. You can’t create or change codes after ${formatPlanEnd(account.planUntilMs ?? nowMs, state)}. Ask the operator of this server to renew it.`,
        to: '/account/settings',
        action: 'Details',
      },
    quiet.total > 0 && {
      kind: 'note',
      title: `${formatCount(quiet.total, 'code')} stopped being scanned`,
      text: `Scanned before, but not in the last 30 days. ${plural(quiet.total, 'Is it', 'Are they')} still up?`,
      to: '/account/codes?scans=quiet',
      action: plural(quiet.total, 'See it', 'See them'),
    },
  ];
  return issues.filter((issue) => issue !== false);
}

function scheduleProblem(problems: readonly ScheduledChangeOfCode[], texts: Texts): Issue {
  const [first] = problems;
  const one = problems.length === 1 ? first : undefined;
  const count =
    problems.length > maxProblems
      ? `More than ${maxProblems} planned changes were`
      : formatCount(problems.length, 'planned change was', 'planned changes were');
  return {
    kind: 'bad',
    title: `${count} not made`,
    text: first && (
      <>
        <bdi>{titleOf(first)}</bdi>: {first.problem && scheduleProblemText(first.problem, texts)}
      </>
    ),
    to: one === undefined ? '/account/planned' : `${codePath(one.code)}#planned`,
    action: one === undefined ? 'See them' : 'See it',
  };
}

/** Renders what needs attention first. */
export function Attention({ issues }: { issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ListCard title="Needs attention">
      <ul class="attention">
        {issues.map(({ kind, icon = kind, title, text, to, action }) => (
          <li key={title} class={kind}>
            <Icon name={icon} />
            <div>
              <b>{title}</b>
              <div class="small soft">{text}</div>
            </div>
            <Link class="button small" to={to}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
    </ListCard>
  );
}
