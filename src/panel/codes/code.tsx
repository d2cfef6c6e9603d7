/** @jsxImportSource preact */
import { requireActivePlan } from '../../core/accounts/account.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import { parseName } from '../../core/codes/labels.ts';
import type { Flag, Qr } from '../../core/codes/qr.ts';
import { type Span, spans } from '../../core/scans/series.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, safeNext, signedIn } from '../routing/route.ts';
import { Address, Copyable, Notice, Time } from '../ui/components.tsx';
import { formatDateTime, formatExpression, formatListName, formatUrl } from '../ui/formatting.ts';
import { Form, useHasActivePlan } from '../ui/page-context.tsx';
import { CodeImage, NoImage, PrintSizes } from './code-image.tsx';
import { anchorOf, CodeTags, CodeTitle, codePath, titleOf } from './code-label.tsx';
import { CodeScans } from './code-scans.tsx';
import {
  DestinationField,
  type RejectedDestination,
  readDestination,
  rejectedDestination,
} from './destination-field.tsx';
import { imageResponse } from './downloads.ts';
import { LabelsForm, type RejectedLabels, readLabels } from './labels.tsx';

/** Creates the routes of one code. */
export function codeRoutes({ qrs, insights }: PanelDeps): Route[] {
  const findQr = ({ session, params }: SignedInContext) =>
    qrs.get(session.account.id, parseCodeOrPath(params['code']));

  const show = async (context: SignedInContext, qr: Qr, rejected: Rejected = {}) => {
    const span = spans.find((one) => one === context.url.searchParams.get('by')) ?? 'day';
    const insight = await insights.of(qr, span);
    const isRejected = rejected.destination !== undefined || rejected.labels !== undefined;
    return page(
      context,
      titleOf(qr),
      <CodePage qr={qr} insight={insight} span={span} rejected={rejected} />,
      rejected.destination?.error.status ?? (isRejected ? 422 : 200),
    );
  };

  const setPaused = async (context: SignedInContext, isPaused: boolean) => {
    const code = parseCodeOrPath(context.params['code']);
    const qr = await qrs.setPaused(context.session.account.id, code, isPaused);
    const done = { paused: '?done=paused', active: '?done=resumed', blocked: '' }[qr.status];
    return redirectTo(context, `${codePath(qr.code)}${done}`);
  };

  const image = async (context: SignedInContext, format: 'png' | 'svg') => {
    const qr = await findQr(context);
    const source = await qrs.imageSource(qr.accountId, qr.code);
    return imageResponse(context.url, qr, format, (widthPx) => qrs.image(source, format, widthPx));
  };

  return [
    signedIn.get('/account/codes/:code', async (context) => show(context, await findQr(context))),
    signedIn.get('/account/codes/:code/image.png', (context) => image(context, 'png')),
    signedIn.get('/account/codes/:code/image.svg', (context) => image(context, 'svg')),
    signedIn.post('/account/codes/:code/destination', async (context, form) => {
      const { account } = context.session;
      const qr = await findQr(context);
      requireActivePlan(account, context.nowMs);
      const typed = readDestination(form);
      try {
        await qrs.changeDestination(account.id, qr.code, async () => typed);
        return redirectTo(context, `${codePath(qr.code)}?done=destination`);
      } catch (error) {
        return show(context, qr, { destination: rejectedDestination(typed, error) });
      }
    }),
    signedIn.post('/account/codes/:code/labels', async (context, form) => {
      const qr = await findQr(context);
      const labels = readLabels(form);
      if ('problems' in labels) return show(context, qr, { labels });
      await qrs.changeLabels(context.session.account.id, qr.code, labels);
      return redirectTo(context, `${codePath(qr.code)}?done=labels`);
    }),
    // In place, in a list.
    signedIn.post('/account/codes/:code/name', async (context, form) => {
      const code = parseCodeOrPath(context.params['code']);
      const name = parseName(form.text('name'));
      const qr = await qrs.changeLabels(context.session.account.id, code, { name });
      const list = new URL(safeNext(form.text('list')), context.publicUrl);
      list.searchParams.set('done', 'named');
      return redirectTo(context, `${list.pathname}${list.search}#${anchorOf(qr)}`);
    }),
    signedIn.post('/account/codes/:code/pause', (context) => setPaused(context, true)),
    signedIn.post('/account/codes/:code/resume', (context) => setPaused(context, false)),
  ];
}

/** Forms of the page that were rejected. */
interface Rejected {
  readonly destination?: RejectedDestination;
  readonly labels?: RejectedLabels;
}

interface CodeProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
  readonly rejected: Rejected;
}

function CodePage(props: CodeProps) {
  const { qr, insight, rejected } = props;
  return (
    <>
      <h1>
        <CodeTitle qr={qr} />
        <CodeTags qr={qr} />
      </h1>
      <p class="lead">
        Created on <Time ms={qr.createdAtMs} />
      </p>
      {qr.status === 'blocked' && (
        <Notice kind="bad" title="The operator has blocked this code">
          It shows a “blocked” page instead of redirecting. Ask the operator of this server why.
        </Notice>
      )}
      {qr.flag !== null && <FlagNotice flag={qr.flag} />}
      <div class="columns">
        <div class="stack">
          {qr.image === null ? <NoImage qr={qr} /> : <CodeImage qr={qr} />}
          {insight.print.length > 0 && <PrintSizes print={insight.print} />}
          <LabelsForm qr={qr} rejected={rejected.labels ?? null} />
        </div>
        <div class="stack">
          <section class="card">
            <h2>Short link</h2>
            <Copyable label="the short link" text={qr.shortLink} />
            <Destination {...props} />
          </section>
          <CodeScans {...props} />
          {insight.former.length > 0 && <EarlierDestinations {...props} />}
          {qr.status !== 'blocked' && <Pause qr={qr} />}
        </div>
      </div>
    </>
  );
}

function FlagNotice({ flag }: { flag: Flag }) {
  return (
    <Notice kind="bad" title="The destination is flagged as dangerous">
      Flagged since <Time ms={flag.sinceMs} format={formatDateTime} /> by{' '}
      {formatListName(flag.list)} as “{formatUrl(formatExpression(flag.expression))}”. People who
      scan the code may see a warning first. Change the destination, or ask the operator if the flag
      is wrong.
    </Notice>
  );
}

function Destination({ qr, rejected }: CodeProps) {
  const hasActivePlan = useHasActivePlan();
  return (
    <Form to={`${codePath(qr.code)}/destination`} class="stack">
      <DestinationField
        label="Destination"
        hint={
          hasActivePlan
            ? 'You can change it at any time. The printed code stays the same.'
            : 'You can change it once your plan is renewed.'
        }
        value={qr.destination}
        rejected={rejected.destination ?? null}
      />
      <div class="row">
        {hasActivePlan && <button type="submit">Save</button>}
        <a class="button quiet" href={qr.destination} rel="noreferrer">
          Open
        </a>
        <p class="hint unsaved" hidden={rejected.destination === undefined}>
          Not saved yet
        </p>
      </div>
    </Form>
  );
}

function EarlierDestinations({ qr, insight }: CodeProps) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card">
      <h2>Earlier destinations</h2>
      <ol class="rows">
        {insight.former.map(({ destination, untilMs }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address url={destination} />
              <span class="hint">
                until <Time ms={untilMs} format={formatDateTime} />
              </span>
            </div>
            {hasActivePlan && destination !== qr.destination && (
              <Form to={`${codePath(qr.code)}/destination`}>
                <input type="hidden" name="url" value={destination} />
                <button
                  type="submit"
                  class="quiet"
                  aria-label={`Use again: ${formatUrl(destination)}`}
                >
                  Use again
                </button>
              </Form>
            )}
          </li>
        ))}
      </ol>
      {insight.hasMoreFormer && (
        <p class="hint">Only the latest {insight.former.length} are shown.</p>
      )}
    </section>
  );
}

function Pause({ qr }: { qr: Qr }) {
  const isPaused = qr.status === 'paused';
  return (
    <section class="card">
      <div>
        <h2>{isPaused ? 'This code is paused' : 'Pause'}</h2>
        <p class="hint">
          {isPaused ? 'It' : 'A paused code'} shows a “paused” page instead of redirecting. Scans
          are not counted.
        </p>
      </div>
      <Form to={`${codePath(qr.code)}/${isPaused ? 'resume' : 'pause'}`}>
        <button type="submit" class="quiet">
          {isPaused ? 'Resume' : 'Pause'}
        </button>
      </Form>
    </section>
  );
}
