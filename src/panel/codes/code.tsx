/** @jsxImportSource preact */
import { parseCodeOrPath } from '../../core/codes/code.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import type { Flag, Qr } from '../../core/codes/qr.ts';
import { type Span, spans } from '../../core/scans/series.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Address, Copyable, Notice, Time } from '../ui/components.tsx';
import { formatDateTime, formatExpression, formatListName, formatUrl } from '../ui/formatting.ts';
import { PostButton, useHasActivePlan } from '../ui/page-context.tsx';
import { DestinationForm, destinationForm, LabelsForm, labelsForm } from './code-forms.tsx';
import { CodeImage, NoImage, PrintSizes } from './code-image.tsx';
import { CodeTags, CodeTitle, codePath, titleOf } from './code-label.tsx';
import { CodeScans } from './code-scans.tsx';
import { imageResponse } from './downloads.ts';

/** Creates the routes of one code. */
export function codeRoutes({ qrs, insights }: PanelDeps): Route[] {
  const findQr = ({ session, params }: SignedInContext) =>
    qrs.get(session.account.id, parseCodeOrPath(params['code']));

  const show = async (context: SignedInContext) => {
    const qr = await findQr(context);
    const span = spans.find((one) => one === context.url.searchParams.get('by')) ?? 'day';
    const insight = await insights.of(qr, span);
    return page(context, titleOf(qr), <CodePage qr={qr} insight={insight} span={span} />);
  };

  const setPaused = async (context: SignedInContext, isPaused: boolean) => {
    const code = parseCodeOrPath(context.params['code']);
    const qr = await qrs.setPaused(context.session.account.id, code, isPaused);
    const kind = ({ paused: 'paused', active: 'resumed', blocked: null, stopped: null } as const)[
      qr.status
    ];
    return redirectTo(context, codePath(qr.code), kind === null ? {} : { message: { kind } });
  };

  const setArchived = async (context: SignedInContext, isArchived: boolean) => {
    const code = parseCodeOrPath(context.params['code']);
    const qr = await qrs.changeLabels(context.session.account.id, code, { isArchived });
    const kind = isArchived ? 'archived' : 'unarchived';
    return redirectTo(context, codePath(qr.code), { message: { kind } });
  };

  const image = async (context: SignedInContext, format: 'png' | 'svg') => {
    const qr = await findQr(context);
    const source = await qrs.imageSource(qr.accountId, qr.code);
    const { signal } = context.request;
    return imageResponse(context.url, qr, format, (widthPx) =>
      qrs.image(qr.accountId, source, format, widthPx, { signal }),
    );
  };

  return [
    signedIn.get('/account/codes/:code', show),
    signedIn.get('/account/codes/:code/image.png', (context) => image(context, 'png')),
    signedIn.get('/account/codes/:code/image.svg', (context) => image(context, 'svg')),
    signedIn.submit(
      '/account/codes/:code/destination',
      { form: destinationForm, page: show, needsPlan: true },
      async (context, { url }) => {
        const { code } = await findQr(context);
        await qrs.changeDestination(context.session.account.id, code, async () => url);
        return redirectTo(context, codePath(code), { message: { kind: 'destinationSaved' } });
      },
    ),
    signedIn.submit(
      '/account/codes/:code/labels',
      { form: labelsForm, page: show },
      async (context, labels) => {
        const { code } = await findQr(context);
        await qrs.changeLabels(context.session.account.id, code, labels);
        return redirectTo(context, codePath(code), { message: { kind: 'labelsSaved' } });
      },
    ),
    signedIn.post('/account/codes/:code/pause', (context) => setPaused(context, true)),
    signedIn.post('/account/codes/:code/resume', (context) => setPaused(context, false)),
    signedIn.post('/account/codes/:code/archive', (context) => setArchived(context, true)),
    signedIn.post('/account/codes/:code/unarchive', (context) => setArchived(context, false)),
  ];
}

interface CodeProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
}

function CodePage(props: CodeProps) {
  const { qr, insight } = props;
  return (
    <>
      <h1>
        <CodeTitle qr={qr} />
        <CodeTags qr={qr} />
      </h1>
      <p class="intro">
        Created on <Time ms={qr.createdAtMs} />
      </p>
      {qr.status === 'blocked' && (
        <Notice kind="bad" title="The operator has blocked this code">
          It shows a “blocked” page instead of redirecting. Ask the operator of this server why.
        </Notice>
      )}
      {qr.flag !== null && <FlagNotice flag={qr.flag} />}
      <div class="split">
        <div class="stack">
          {qr.image === null ? <NoImage qr={qr} /> : <CodeImage qr={qr} />}
          {insight.print.length > 0 && <PrintSizes print={insight.print} />}
          <LabelsForm qr={qr} />
        </div>
        <div class="stack">
          <section class="card pad stack tight">
            <h2>Short link</h2>
            <Copyable label="the short link" text={qr.shortLink} />
            <DestinationForm qr={qr} />
          </section>
          <CodeScans {...props} />
          {insight.former.length > 0 && <EarlierDestinations {...props} />}
          {qr.status !== 'blocked' && <Pause qr={qr} />}
          <Archive qr={qr} />
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

function EarlierDestinations({ qr, insight }: CodeProps) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card pad stack tight">
      <h2>Earlier destinations</h2>
      <ol class="list">
        {insight.former.map(({ destination, untilMs }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address url={destination} />
              <span class="hint">
                until <Time ms={untilMs} format={formatDateTime} />
              </span>
            </div>
            {hasActivePlan && destination !== qr.destination && (
              <PostButton
                to={`${codePath(qr.code)}/destination`}
                values={{ url: destination }}
                class="button"
                aria-label={`Use again: ${formatUrl(destination)}`}
              >
                Use again
              </PostButton>
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

function Archive({ qr }: { qr: Qr }) {
  return (
    <section class="card pad stack tight">
      <div>
        <h2>{qr.isArchived ? 'This code is archived' : 'Archive'}</h2>
        <p class="hint">
          {qr.isArchived ? 'It' : 'An archived code'} is left out of lists, searches and exports. It
          still redirects and counts.
        </p>
      </div>
      <PostButton
        to={`${codePath(qr.code)}/${qr.isArchived ? 'unarchive' : 'archive'}`}
        class="button"
      >
        {qr.isArchived ? 'Unarchive' : 'Archive'}
      </PostButton>
    </section>
  );
}

function Pause({ qr }: { qr: Qr }) {
  const isPaused = qr.status === 'paused';
  return (
    <section class="card pad stack tight">
      <div>
        <h2>{isPaused ? 'This code is paused' : 'Pause'}</h2>
        <p class="hint">
          {isPaused ? 'It' : 'A paused code'} shows a “paused” page instead of redirecting. Scans
          are not counted.
        </p>
      </div>
      <PostButton to={`${codePath(qr.code)}/${isPaused ? 'resume' : 'pause'}`} class="button">
        {isPaused ? 'Resume' : 'Pause'}
      </PostButton>
    </section>
  );
}
