/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { hasActivePlan } from '../../../core/accounts/account.ts';
import { includesRole } from '../../../core/accounts/people/role.ts';
import { newToken } from '../../../core/accounts/session.ts';
import { parseCode } from '../../../core/codes/code.ts';
import { idempotencyKey } from '../../../core/codes/idempotency.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import { plainDesign } from '../../../core/designs/design.ts';
import {
  compareDays,
  type HourSums,
  lastDays,
  type PeriodScans,
} from '../../../core/scans/days.ts';
import type { Overview } from '../../../core/scans/overview.ts';
import type { CodeCounters } from '../../../core/scans/ports.ts';
import {
  CodeDestination,
  CodeTags,
  codePath,
  Thumbnail,
  titleOf,
} from '../../codes/code-label.tsx';
import { readyNewCode } from '../../codes/new-code.tsx';
import {
  type ChartPeriod,
  keepChartLength,
  readChartPeriod,
} from '../../codes/scans/chart-period.tsx';
import { Change } from '../../codes/scans/scan-chart.tsx';
import { figureDays, hoursOfChart, ScansCard } from '../../codes/scans/scans-card.tsx';
import type { PanelDeps } from '../../request/deps.ts';
import type { SignedInContext } from '../../request/request.ts';
import { page, redirectTo, reloading } from '../../routing/responses.tsx';
import { editor, person, type Route, viewer } from '../../routing/route.ts';
import { ListCard } from '../../ui/cards.tsx';
import { PageHead, Time } from '../../ui/components.tsx';
import { formatShortRelativeTime, formatTime } from '../../ui/formatting.ts';
import {
  Link,
  TextLink,
  useHasActivePlan,
  useLocalTime,
  useTexts,
} from '../../ui/page-context.tsx';
import { Attention, issuesOf, maxProblems } from './attention.tsx';
import { FirstRun, firstCodeForm } from './first-run.tsx';
import { findScheduledDay, type ScheduledDay, ScheduledDayLine } from './scheduled-day.tsx';

const reloadSeconds = 3;
// Younger figures count as current.
const datedMs = 60_000;

/** A code with its counters. */
interface CountedQr extends CodeCounters {
  readonly qr: Qr;
}

/** Creates the routes of the first page after signing in. */
export function overviewRoutes(deps: PanelDeps): Route[] {
  const { qrs, lists, overviews, designs, savedDesigns, schedule, safety, randomBytes } = deps;
  // Null if the server is too busy: the page is worth more than the verdict.
  const designStatus = (accountId: number) => designs.status(accountId).catch(() => null);

  const showFirstRun = async (context: SignedInContext, qr: Qr | null) => {
    const status = await designStatus(context.accountId);
    const { logo, foreground, background } = status?.design ?? plainDesign;
    const isPlain =
      logo === null &&
      foreground === plainDesign.foreground &&
      background === plainDesign.background;
    return page(
      context,
      context.texts.firstRun.welcome,
      <FirstRun
        attempt={newToken(randomBytes)}
        readability={status?.readability ?? null}
        isDesignChosen={!isPlain || context.preferences.start !== ''}
        qr={qr}
      />,
    );
  };

  const show = async (context: SignedInContext) => {
    const { accountId: id, session, texts: t } = context;
    const first = parseCode(context.url.searchParams.get('first') ?? '');
    if (first !== null && includesRole(session.role, 'editor'))
      return showFirstRun(context, await qrs.get(id, first));
    const { qrs: newest, total } = await qrs.list(id, 1, 0);
    const isStarted = context.preferences.start === 'skip';
    // Who may not create one, or has no plan yet, is not led to the first code.
    const mayStart =
      includesRole(session.role, 'editor') && hasActivePlan(session.entered, context.nowMs);
    if (total === 0 && !isStarted && mayStart) return showFirstRun(context, null);
    const scope = { accountId: id };
    const overview = await overviews.of(scope, figureDays, context.zone);
    if (overview === null) {
      // The first one of an account with many codes.
      const counting = page(context, t.pages.overview, <Counting codes={total} />);
      return reloading(counting, reloadSeconds);
    }
    const wasScanned = overview.quiet.total > 0 || overview.mostScanned.length > 0;
    if (total === 1 && !wasScanned && !isStarted && mayStart && newest[0]?.scans === 0)
      return showFirstRun(context, newest[0]);
    const status = await designStatus(id);
    const isUnreadable = status !== null && !status.readability.isReadable;
    const saved = isUnreadable ? await savedDesigns.list(id) : [];
    const name = saved.find(({ designId }) => designId === status?.id)?.name ?? null;
    const issues = issuesOf({
      texts: t,
      account: session.entered,
      nowMs: context.nowMs,
      safety: await safety.summary(id),
      unreadableDesign: isUnreadable ? { name } : null,
      quiet: overview.quiet,
      scheduleProblems: await schedule.problems(id, maxProblems + 1),
    });
    const withQrs = (codes: readonly CodeCounters[]): Promise<CountedQr[]> =>
      Promise.all(codes.map(async (one) => ({ ...one, qr: await qrs.get(id, one.code) })));
    const period = readChartPeriod(context);
    const sums = await hoursOfChart(overviews, scope, period, context.zone, overview);
    const shown = page(
      context,
      t.pages.overview,
      <OverviewPage
        overview={overview}
        period={period}
        sums={sums}
        planned={await findScheduledDay(schedule, session.entered, context)}
        mostScanned={await withQrs(overview.mostScanned)}
        neverScanned={await withQrs(overview.neverScanned.first)}
      >
        <Attention issues={issues} />
        {await readyNewCode(deps, context, await lists.folders(id))}
      </OverviewPage>,
    );
    keepChartLength(context, period, shown);
    return sums === null ? reloading(shown, reloadSeconds) : shown;
  };

  return [
    viewer.get('/account', async (context) => {
      // The list of codes was at this path in version 0.1.
      const isList = ['q', 'page'].some((name) => context.url.searchParams.has(name));
      return isList ? redirectTo(context, `/account/codes${context.url.search}`) : show(context);
    }),
    editor.submit(
      '/account/first',
      { form: firstCodeForm, page: show, needsPlan: true },
      async (context, { attempt, url, name }, typed) => {
        const { acting, accountId } = context;
        const text = JSON.stringify(['url', 'name'].map(typed.text));
        const key = idempotencyKey(`panel ${accountId}`, attempt, text, context.nowMs);
        const { qr } = await qrs.create(acting, url, key, { name });
        return redirectTo(context, `/account?first=${qr.code}`);
      },
    ),
    person.post('/account/start', async (context, form) =>
      redirectTo(context, '/account', undefined, {
        preference: ['start', form.text('step') === 'skip' ? 'skip' : 'black'],
      }),
    ),
  ];
}

/** Renders the page while the scans of the account are counted for the first time. */
function Counting({ codes }: { codes: number }) {
  const t = useTexts();
  return (
    <>
      <PageHead title={t.pages.overview} />
      <section class="card pad stack tight" role="status">
        <h2>{t.overview.countingScans({ codes })}</h2>
        <p>
          {t.overview.countingWhy({
            link: (text) => <TextLink to="/account/codes">{text}</TextLink>,
          })}
        </p>
      </section>
    </>
  );
}

interface OverviewProps {
  readonly overview: Overview;
  readonly period: ChartPeriod;
  /** The hours of the chart; null while they are counted. */
  readonly sums: HourSums | null;
  /** Null for nothing. */
  readonly planned: ScheduledDay | null;
  readonly mostScanned: readonly CountedQr[];
  readonly neverScanned: readonly CountedQr[];
  readonly children: ComponentChildren;
}

function OverviewPage(props: OverviewProps) {
  const { overview, period, sums, planned, mostScanned, neverScanned, children } = props;
  const { atMs } = overview;
  const { nowMs, zone } = useLocalTime('days');
  const last = (days: number) =>
    compareDays(lastDays(days, atMs, zone), days, overview.sums, zone, atMs);
  const hasActivePlan = useHasActivePlan();
  const never = overview.neverScanned.total;
  const t = useTexts();
  return (
    <>
      <PageHead
        title={t.pages.overview}
        text={
          nowMs - atMs >= datedMs &&
          t.overview.asOf({ time: <Time ms={atMs} format={formatTime} /> })
        }
      >
        {hasActivePlan && (
          <Link class="button primary" to="/account/new" data-dialog icon="plus">
            {t.pages.newCode}
          </Link>
        )}
      </PageHead>
      {children}
      <div class="stats three-up">
        {[1, 7, 30].map((days) => (
          <Period key={days} days={days} period={last(days)} />
        ))}
      </div>
      {planned !== null && <ScheduledDayLine planned={planned} zone={zone} />}
      <ScansCard title={t.overview.scansOfAll} period={period} sums={sums} plotPx={190} />
      <div class="split">
        <Group
          title={t.overview.mostScanned}
          hint={t.overview.ofDays({ days: 30 })}
          all="/account/codes"
          allText={t.overview.allCodes}
          empty={t.overview.noScans({ days: 30 })}
          codes={mostScanned}
          place="destination"
          figure={({ lateScans }) => <b>{t.formats.number(lateScans)}</b>}
        />
        <Group
          title={t.overview.neverScanned}
          hint={never > 0 ? t.overview.codeCount({ codes: never }) : ''}
          all="/account/codes?scans=never"
          allText={t.overview.showAll}
          empty={t.overview.allWereScanned}
          codes={neverScanned}
          place="folder"
          figure={({ createdAtMs }) => (
            <span class="small soft">
              {t.overview.created({
                when: <Time ms={createdAtMs} format={formatShortRelativeTime} />,
              })}
            </span>
          )}
        />
      </div>
    </>
  );
}

interface PeriodProps {
  /** 1 is today. */
  readonly days: number;
  readonly period: PeriodScans;
}

/** Renders the scans of a period, and the change to the one before. */
function Period({ days, period: { scans, before } }: PeriodProps) {
  const t = useTexts();
  const change = scans === before ? 'same' : scans > before ? 'more' : 'fewer';
  return (
    <section class="card pad stat">
      <h2 class="label">{days === 1 ? t.overview.today : t.overview.lastDays({ days })}</h2>
      <p class="figure">{t.formats.number(scans)}</p>
      <p class="small">
        <Change scans={scans} before={before} />{' '}
        <span class="soft long">
          {days === 1
            ? t.overview.comparedWithYesterday({ change })
            : t.overview.comparedWithDaysBefore({ change, days })}
        </span>
      </p>
    </section>
  );
}

interface GroupProps {
  readonly title: string;
  readonly hint: string;
  /** Path of the list that shows all of them. */
  readonly all: string;
  readonly allText: string;
  /** Shown instead of an empty list. */
  readonly empty: string;
  readonly codes: readonly CountedQr[];
  /** What says where a code is, below its name. */
  readonly place: 'destination' | 'folder';
  readonly figure: (code: CountedQr) => ComponentChildren;
}

/** Renders a card with some codes and a figure of each. */
function Group({ title, hint, all, allText, empty, codes, place, figure }: GroupProps) {
  return (
    <ListCard
      title={title}
      beside={
        <>
          <span class="small soft grow">{hint}</span>
          {codes.length > 0 && (
            <Link class="link small" to={all}>
              {allText}
            </Link>
          )}
        </>
      }
    >
      {codes.length === 0 ? (
        <p class="pad soft small">{empty}</p>
      ) : (
        <ul class="list">
          {codes.map((one) => (
            <li key={one.qr.id}>
              <Thumbnail qr={one.qr} />
              <span class="what">
                <span>
                  <Link class="name" to={codePath(one.qr.code)} dir="auto">
                    {titleOf(one.qr)}
                  </Link>
                  <CodeTags qr={one.qr} />
                </span>
                {place === 'folder' && one.qr.folder !== null ? (
                  <span class="small soft">
                    <bdi>{one.qr.folder}</bdi>
                  </span>
                ) : (
                  <CodeDestination {...one.qr} />
                )}
              </span>
              <span class="much">{figure(one)}</span>
            </li>
          ))}
        </ul>
      )}
    </ListCard>
  );
}
