/** @jsxImportSource preact */
import { hasActivePlan } from '../../../core/accounts/account.ts';
import { parseCodeOrPath } from '../../../core/codes/code.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import type { ScheduledChange } from '../../../core/codes/schedule/change.ts';
import type { PanelDeps } from '../../request/deps.ts';
import type { PlannedTime } from '../../request/messages.ts';
import { listOf, ownPath } from '../../request/own-path.ts';
import type { FormFields, SignedInContext } from '../../request/request.ts';
import { fragment, page, redirectTo } from '../../routing/responses.tsx';
import { editor, type Route, viewer } from '../../routing/route.ts';
import { Crumb, ListCard } from '../../ui/cards.tsx';
import { PageHead } from '../../ui/components.tsx';
import { InvalidForm } from '../../ui/form.tsx';
import { formatDestination, formatUrl } from '../../ui/formatting.ts';
import { useLocalTime, useTexts } from '../../ui/page-context.tsx';
import { movedTime } from '../../ui/sentences/plan.ts';
import { codePath, titleOf } from '../code-label.tsx';
import { PlanDialog, PlanProof } from './schedule-dialog.tsx';
import {
  atItsEnd,
  createPlanForm,
  newPlanValues,
  planValuesOf,
  requestOf,
  type TypedPlan,
} from './schedule-form.ts';
import { planPathOf, ScheduledRows } from './schedule-list.tsx';

/** More are on the pages of their codes. */
const maxListed = 200;
const aYearMs = 366 * 86_400_000;

/** Creates the routes of planned changes. */
export function scheduleRoutes({ qrs, schedule }: PanelDeps): Route[] {
  const findQr = ({ accountId, params }: SignedInContext) =>
    qrs.get(accountId, parseCodeOrPath(params['code']));
  /** The change that is edited; empty for a new one. */
  const editedId = ({ url, sent }: SignedInContext) =>
    url.searchParams.get('id') ?? sent?.text('id') ?? '';
  const formFor = async (context: SignedInContext) => {
    const { session, nowMs, zone } = context;
    const canChange = hasActivePlan(session.entered, nowMs);
    return createPlanForm(qrs, { zone, canChange, isEdited: editedId(context) !== '' });
  };
  const idOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

  const showPlan = async (context: SignedInContext) => {
    const { url, zone, nowMs } = context;
    const qr = await findQr(context);
    const asked = editedId(context);
    const edited = asked === '' ? null : await schedule.find(qr.accountId, qr.id, idOf(asked));
    const list = listOf(context);
    // What was typed in the dialog of now. Where it leads already needs no plan.
    const typed = url.searchParams.get('url') ?? '';
    const planned = {
      ...newPlanValues(nowMs, zone),
      ...(typed !== qr.destination && { url: typed }),
    };
    const values: Readonly<Partial<Record<string, string>>> =
      edited === null ? planned : planValuesOf(edited, zone);
    const { rejected } = context;
    const shown: TypedPlan = (name) => rejected?.typed.text(name) ?? values[name] ?? '';
    const { planned: t } = context.texts;
    const title = edited === null ? t.planChangeOf({ code: titleOf(qr) }) : t.editTitle;
    return page(
      context,
      title,
      <PlanDialog
        title={title}
        form={await formFor(context)}
        to={planPathOf(qr.code)}
        values={values}
        hiddenValues={{ list }}
        proof={<PlanProof typed={shown} from={qr.destination} local={context} />}
        proofPath={`${planPathOf(qr.code)}/proof`}
        back={list || codePath(qr.code)}
        text={<NowText qr={qr} />}
      />,
    );
  };
  const backOf = (qr: Qr, form: FormFields) =>
    form.text('list') === '' ? codePath(qr.code) : ownPath(form.text('list'));

  return [
    viewer.get('/account/planned', async (context) => {
      const { accountId, nowMs } = context;
      const problems = await schedule.problems(accountId, maxListed);
      const next = await schedule.upcoming(accountId, nowMs, nowMs + aYearMs, maxListed + 1);
      const props = { problems, next: next.filter(({ problem }) => problem === null) };
      return page(context, context.texts.planned.title, <SchedulePage {...props} />);
    }),
    editor.get('/account/codes/:code/plan', showPlan),
    editor.get('/account/codes/:code/plan/proof', async (context) => {
      const { destination } = await findQr(context);
      return fragment(context, <PlanProof {...typedPlanOf(context)} from={destination} />);
    }),
    editor.get('/account/selection/plan/proof', async (context) =>
      fragment(context, <PlanProof {...typedPlanOf(context)} from={null} />),
    ),
    editor.submit(
      '/account/codes/:code/plan',
      { form: formFor, page: showPlan },
      async (context, values, typed) => {
        const qr = await findQr(context);
        const { entered, person } = context.session;
        // Without a script, a button only shows what happens.
        if (typed.text('do') === 'check') throw new InvalidForm({});
        const request = requestOf(values);
        const added = await atItsEnd(schedule.add(entered, qr, request, person.id, values.id));
        const [first, second] = added;
        const isOne = added.length === 1;
        const isSpan = added.length === 2 && values.back;
        return redirectTo(context, backOf(qr, typed), {
          kind: 'changePlanned',
          code: qr.code,
          planned: {
            changes: added.length,
            begin: first !== undefined && (isOne || isSpan) ? timeOf(first) : null,
            end: second !== undefined && isSpan ? timeOf(second) : null,
            moved: movedTime(added, context.zone),
          },
          ids: values.id === undefined ? added.map(({ id }) => id).join(' ') : '',
        });
      },
    ),
    editor.post('/account/codes/:code/plan/now', async (context, form) => {
      const qr = await findQr(context);
      const { acting, session } = context;
      await schedule.makeNow(session.entered, acting, qr, idOf(form.text('id')), qrs);
      return redirectTo(context, backOf(qr, form), { kind: 'scheduledChangeMade' });
    }),
    editor.post('/account/codes/:code/plan/cancel', async (context, form) => {
      const qr = await findQr(context);
      const ids = form.text('id').split(' ').slice(0, maxCancelled).map(idOf);
      const [only] = ids;
      const removed =
        ids.length === 1 && only !== undefined
          ? await schedule.find(qr.accountId, qr.id, only)
          : null;
      for (const id of ids) await schedule.cancel(context.acting, qr.id, id);
      return redirectTo(context, backOf(qr, form), {
        kind: 'scheduledChangesRemoved',
        code: qr.code,
        changes: ids.length,
        values: removed === null ? {} : undoValuesOf(removed, context.zone),
      });
    }),
  ];
}

/** Returns when a change is made, for a message. */
function timeOf({ firstLocal, every, nextMs }: ScheduledChange): PlannedTime {
  return { firstLocal, every, nextMs };
}

/** Returns what the script asks about: the fields of the form, in the query. */
function typedPlanOf(context: SignedInContext) {
  const { searchParams } = context.url;
  const typed: TypedPlan = (name) => (searchParams.get(name) ?? '').slice(0, maxTypedLength);
  return { typed, local: context };
}

// An address in the query of a request.
const maxTypedLength = 2500;

// One for each day of the week, with its end.
const maxCancelled = 14;

/** Returns the form that plans a change again. */
function undoValuesOf(removed: ScheduledChange, zone: string): Readonly<Record<string, string>> {
  const { id: _, ...values } = planValuesOf(removed, zone);
  return values;
}

function NowText({ qr: { status, destination } }: { qr: Qr }) {
  const { planned: t } = useTexts();
  if (status === 'paused') return <>{t.nowPaused}</>;
  return <>{t.nowLeads({ destination: <bdi>{formatUrl(formatDestination(destination))}</bdi> })}</>;
}

interface SchedulePageProps {
  readonly problems: Parameters<typeof ScheduledRows>[0]['changes'];
  /** One more if there are more. */
  readonly next: Parameters<typeof ScheduledRows>[0]['changes'];
}

function SchedulePage({ problems, next }: SchedulePageProps) {
  const { planned: t } = useLocalTime('times').texts;
  const back = '/account/planned';
  return (
    <>
      <Crumb above={[['/account', t.overview]]}>{t.title}</Crumb>
      <PageHead title={t.title} />
      {problems.length > 0 && (
        <ListCard title={t.notDone}>
          <ScheduledRows changes={problems} back={back} />
        </ListCard>
      )}
      <ListCard title={t.next}>
        {next.length === 0 ? (
          <p class="pad soft">{t.nothing}</p>
        ) : (
          <ScheduledRows changes={next.slice(0, maxListed)} back={back} />
        )}
        {next.length > maxListed && <p class="pad hint">{t.onlyNext({ changes: maxListed })}</p>}
      </ListCard>
    </>
  );
}
