/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { hasActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { CodeGroup, Overview, PeriodScans } from '../../core/scans/overview.ts';
import type { CodeCounters } from '../../core/scans/ports.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { RelativeTime, Time } from '../ui/components.tsx';
import { formatTime } from '../ui/formatting.ts';
import { Link, useHasActivePlan, useRequest } from '../ui/page-context.tsx';
import { CreateForm } from './code-forms.tsx';
import { CodeDestination, CodeLink } from './code-label.tsx';
import { ScanChart } from './scan-chart.tsx';
import type { ScanFilter } from './scan-filter.ts';

const shownNewest = 5;
const reloadSeconds = 3;
// Younger figures count as current.
const datedMs = 60_000;

/** A code with its counters. */
interface CountedQr extends CodeCounters {
  readonly qr: Qr;
}

/** Creates the route of the first page after signing in. */
export function overviewRoutes({ qrs, overviews, savedDesigns, randomBytes }: PanelDeps): Route[] {
  const show = async (context: SignedInContext) => {
    const { account } = context.session;
    const respond = (content: ComponentChildren) => page(context, 'Overview', content);
    const { qrs: newest, total } = await qrs.list(account.id, shownNewest, 0);
    if (total === 0) {
      const canCreate = hasActivePlan(account, context.nowMs);
      const designs = await savedDesigns.list(account.id);
      const form = <CreateForm attempt={newToken(randomBytes)} designs={designs} />;
      return respond(<Welcome>{canCreate && form}</Welcome>);
    }
    const overview = await overviews.of(account.id);
    if (overview === null) return reloading(respond(<Counting codes={total} />), reloadSeconds);
    const withQrs = (codes: readonly CodeCounters[]): Promise<CountedQr[]> =>
      Promise.all(codes.map(async (one) => ({ ...one, qr: await qrs.get(account.id, one.code) })));
    return respond(
      <OverviewPage
        overview={overview}
        newest={newest}
        mostScanned={await withQrs(overview.mostScanned)}
        quiet={await withQrs(overview.quiet.first)}
        neverScanned={await withQrs(overview.neverScanned.first)}
      />,
    );
  };

  return [
    signedIn.get('/account', async (context) => {
      // The list of codes was at this path in version 0.1.
      const isList = ['q', 'page'].some((name) => context.url.searchParams.has(name));
      return isList ? redirectTo(context, `/account/codes${context.url.search}`) : show(context);
    }),
  ];
}

/** The page of an account without codes. */
function Welcome({ children }: { children: ComponentChildren }) {
  return (
    <>
      <h1>Overview</h1>
      {children}
      <section class="card pad stack tight">
        <h2>No codes yet</h2>
        <p>
          Once a code is printed and scanned, this page shows how often. Before you print,{' '}
          <Link to="/account/design">set your colours and logo</Link>: they never change later.
        </p>
      </section>
    </>
  );
}

/** The page while the first overview of an account with many codes is computed. */
function Counting({ codes }: { codes: number }) {
  return (
    <>
      <h1>Overview</h1>
      <section class="card pad stack tight" role="status">
        <h2>Counting the scans of {formatCount(codes, 'code')}</h2>
        <p>
          The first time, this can take a minute. The page reloads by itself. Meanwhile, go to{' '}
          <Link to="/account/codes">your codes</Link>.
        </p>
      </section>
    </>
  );
}

interface OverviewProps {
  readonly overview: Overview;
  readonly newest: readonly Qr[];
  readonly mostScanned: readonly CountedQr[];
  readonly quiet: readonly CountedQr[];
  readonly neverScanned: readonly CountedQr[];
}

function OverviewPage({ overview, newest, mostScanned, quiet, neverScanned }: OverviewProps) {
  const { atMs, today, week, month, series } = overview;
  const hasActivePlan = useHasActivePlan();
  return (
    <>
      <div class="row between">
        <h1>Overview</h1>
        <Link class="button primary" to="/account/codes">
          {hasActivePlan ? 'Create codes' : 'Your codes'}
        </Link>
      </div>
      <AsOf atMs={atMs} />
      <div class="stats three-up">
        <Period name="Today" period={today} before="yesterday by this hour" />
        <Period name="Last 7 days" period={week} before="in the 7 days before" />
        <Period name="Last 30 days" period={month} before="in the 30 days before" />
      </div>
      <section class="card pad stack tight">
        <h2>Scans of all codes</h2>
        <ScanChart span="day" points={series} />
      </section>
      <div class="split">
        <Group
          title="Most scanned"
          hint="In the last 30 days."
          empty="No scans in the last 30 days."
          codes={mostScanned}
          figure={({ lateScans }) => formatCount(lateScans, 'scan')}
        />
        <section class="card pad stack tight">
          <h2>Newest</h2>
          <ul class="list">
            {newest.map((qr) => (
              <Item key={qr.id} qr={qr}>
                <Time ms={qr.createdAtMs} />
              </Item>
            ))}
          </ul>
        </section>
        <Group
          title="Not scanned for 30 days"
          hint={hintOf(overview.quiet, 'Scanned before. Are they still up?')}
          all={overview.quiet.total > quiet.length ? 'quiet' : null}
          empty="Every code that was ever scanned was scanned in the last 30 days."
          codes={quiet}
          figure={({ lastScanMs }) => lastScanMs !== null && <RelativeTime ms={lastScanMs} />}
        />
        <Group
          title="Never scanned"
          hint={hintOf(overview.neverScanned, 'Printed? Then scan one yourself.')}
          all={overview.neverScanned.total > neverScanned.length ? 'never' : null}
          empty="Every code was scanned at least once."
          codes={neverScanned}
          figure={({ createdAtMs }) => [
            'created ',
            <RelativeTime key="created" ms={createdAtMs} />,
          ]}
        />
      </div>
    </>
  );
}

/** When the figures were computed, unless just now. */
function AsOf({ atMs }: { atMs: number }) {
  const { nowMs } = useRequest();
  return nowMs - atMs < datedMs ? null : (
    <p class="intro">
      As of <Time ms={atMs} format={formatTime} />
    </p>
  );
}

interface PeriodProps {
  readonly name: string;
  readonly period: PeriodScans;
  /** The period before, for a sentence. */
  readonly before: string;
}

/** The scans of a period, and the change to the one before. */
function Period({ name, period: { scans, before: former }, before }: PeriodProps) {
  return (
    <section class="card pad stat">
      <h2 class="label">{name}</h2>
      <p class="figure">{formatNumber(scans)}</p>
      <p class="hint">{changeOf(scans, former, before)}</p>
    </section>
  );
}

/** Describes a change: `20 % more than in the 7 days before (100)`. */
function changeOf(scans: number, former: number, before: string): string {
  if (former === 0) return `no scans ${before}`;
  const percent = Math.round((scans / former - 1) * 100);
  const than = `${before} (${formatNumber(former)})`;
  if (percent === 0) return `as many as ${than}`;
  return `${formatNumber(Math.abs(percent))} % ${percent > 0 ? 'more' : 'fewer'} than ${than}`;
}

function hintOf({ total }: CodeGroup, hint: string): string {
  return total > 1 ? `${formatCount(total, 'code')}. ${hint}` : hint;
}

interface GroupProps {
  readonly title: string;
  readonly hint: string;
  /** Shown instead of an empty list. */
  readonly empty: string;
  readonly codes: readonly CountedQr[];
  readonly figure: (code: CountedQr) => ComponentChildren;
  /** Filter of the list that shows all of them, if there are more. */
  readonly all?: ScanFilter | null;
}

/** A card with some codes and a figure of each. */
function Group({ title, hint, empty, codes, figure, all = null }: GroupProps) {
  return (
    <section class="card pad stack tight">
      <div>
        <h2>{title}</h2>
        <p class="hint">{codes.length === 0 ? empty : hint}</p>
      </div>
      {codes.length > 0 && (
        <ul class="list">
          {codes.map((one) => (
            <Item key={one.qr.id} qr={one.qr}>
              {figure(one)}
            </Item>
          ))}
        </ul>
      )}
      {all !== null && <Link to={`/account/codes?scans=${all}`}>Show all</Link>}
    </section>
  );
}

function Item({ qr, children }: { qr: Qr; children: ComponentChildren }) {
  return (
    <li>
      <div class="code-where">
        <CodeLink qr={qr} />
        <CodeDestination {...qr} />
      </div>
      <span class="hint">{children}</span>
    </li>
  );
}
