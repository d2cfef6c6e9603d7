/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Account } from '../../../core/accounts/account.ts';
import type { ScheduledChangeOfCode } from '../../../core/codes/schedule/change.ts';
import type { SafetySummary } from '../../../core/safety/ports.ts';
import type { Overview } from '../../../core/scans/overview.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { codePath, titleOf } from '../../codes/code-label.tsx';
import { ListCard } from '../../ui/cards.tsx';
import { formatListName, formatPlanEnd } from '../../ui/formatting.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { Link, useTexts } from '../../ui/page-context.tsx';
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
  const { attention: t, formats } = texts;
  const { flagged, lists, flaggedCodes, blocked, blockedCode } = safety;
  const days = Math.ceil(((account.planUntilMs ?? Number.POSITIVE_INFINITY) - nowMs) / dayMs);
  const others = flagged - flaggedCodes.length;
  const issues: (Issue | false)[] = [
    flagged > 0 && {
      kind: 'bad',
      title: t.codesShowWarning({ codes: flagged }),
      text: t.flaggedBy<ComponentChildren>({
        codes: formats.elements([
          ...flaggedCodes.map(({ code, name }) => <bdi key={code}>{name ?? code}</bdi>),
          ...(others > 0 ? [t.others({ others })] : []),
        ]),
        lists: formats.list(lists.map((list) => formatListName(list, texts))),
      }),
      to: '/account/codes?status=flagged',
      action: t.review,
    },
    blocked > 0 && {
      kind: 'bad',
      title: t.blocked({ codes: blocked }),
      text:
        blocked === 1 && blockedCode !== null ? blockedCodeText(blockedCode, t) : t.theyShowPage,
      to:
        blocked === 1 && blockedCode !== null
          ? codePath(blockedCode.code)
          : '/account/codes?status=blocked',
      action: t.seeCodes({ codes: blocked }),
    },
    scheduleProblems.length > 0 && scheduleProblem(scheduleProblems, texts),
    unreadableDesign !== null && {
      kind: 'warn',
      title:
        unreadableDesign.name === null
          ? t.unreadableDefault
          : t.unreadableDesign({ name: unreadableDesign.name }),
      text: t.noCodeWithIt,
      to: '/account/design',
      action: t.fixDesign,
    },
    days > 0 &&
      days <= scheduledDays && {
        kind: 'warn',
        icon: 'clock',
        title: t.planEnds({ days }),
        text: t.planEndsWhy({ date: formatPlanEnd(account.planUntilMs ?? nowMs, state) }),
        to: '/account/settings',
        action: t.planDetails,
      },
    quiet.total > 0 && {
      kind: 'note',
      title: t.stoppedBeingScanned({ codes: quiet.total }),
      text: t.stillUp({ codes: quiet.total }),
      to: '/account/codes?scans=quiet',
      action: t.seeCodes({ codes: quiet.total }),
    },
  ];
  return issues.filter((issue) => issue !== false);
}

function blockedCodeText(
  { code, name, reason }: NonNullable<SafetySummary['blockedCode']>,
  t: Texts['attention'],
): ComponentChildren {
  const shown = <bdi>{name ?? code}</bdi>;
  return reason === null
    ? t.showsPage({ code: shown })
    : t.showsPageBecause({ code: shown, reason: <bdi>{reason}</bdi> });
}

function scheduleProblem(problems: readonly ScheduledChangeOfCode[], texts: Texts): Issue {
  const t = texts.attention;
  const [first] = problems;
  const changes = problems.length;
  const one = changes === 1 ? first : undefined;
  return {
    kind: 'bad',
    title:
      changes > maxProblems
        ? t.moreChangesNotMade({ changes: maxProblems })
        : t.changesNotMade({ changes }),
    text:
      first?.problem &&
      t.problemOfCode({
        code: <bdi>{titleOf(first)}</bdi>,
        problem: scheduleProblemText(first.problem, texts),
      }),
    to: one === undefined ? '/account/planned' : `${codePath(one.code)}#planned`,
    action: t.seeChanges({ changes }),
  };
}

/** Renders what needs attention first. */
export function Attention({ issues }: { issues: readonly Issue[] }) {
  const t = useTexts();
  if (issues.length === 0) return null;
  return (
    <ListCard title={t.attention.title}>
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
