/** @jsxImportSource preact */

import { requireActivePlan } from '../../core/accounts/account.ts';
import { newToken } from '../../core/accounts/session.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import { labelNames } from '../../core/codes/fields.ts';
import type { QrInsight } from '../../core/codes/insight.ts';
import { fileNameOf } from '../../core/codes/print/archive.ts';
import { formatMm } from '../../core/codes/print/paper.ts';
import { sheetForms } from '../../core/codes/print/sheet-layout.ts';
import type { Flag, Qr } from '../../core/codes/qr.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { reachOf } from '../../core/codes/urls/host.ts';
import { type Span, spans } from '../../core/scans/series.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { ownPath } from '../request/own-path.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { fragment, page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Crumb } from '../ui/cards.tsx';
import { Address, DialogPage, Menu, Notice, PageHead, Time } from '../ui/components.tsx';
import { formatDateTime, formatExpression, formatListName, formatUrl } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { Link, PostButton, useHasActivePlan } from '../ui/page-context.tsx';
import {
  DestinationDialog,
  destinationForm,
  LabelsDialog,
  labelsForm,
  PdfDialog,
  pdfForm,
} from './code-forms.tsx';
import { CodeImage, NoImage } from './code-image.tsx';
import { anchorOf, CodeDestination, CodeTags, codePath, titleOf } from './code-label.tsx';
import { RowMenu } from './code-list.tsx';
import { CodeScans } from './code-scans.tsx';
import { contentDisposition, imageResponse, unchangedImage } from './downloads.ts';
import { pathOfFolder } from './folders.tsx';

/** Creates the routes of one code. */
export function codeRoutes({ qrs, insights, archives, safety, randomBytes }: PanelDeps): Route[] {
  const findQr = ({ session, params }: SignedInContext) =>
    qrs.get(session.account.id, parseCodeOrPath(params['code']));

  const show = async (context: SignedInContext) => {
    const qr = await findQr(context);
    const span = spans.find((one) => one === context.url.searchParams.get('by')) ?? 'month';
    const insight = await insights.of(qr, span);
    const blockReason = qr.status === 'blocked' ? await safety.blockReason(qr.code) : null;
    const props = { qr, insight, span, blockReason, attempt: newToken(randomBytes) };
    return page(context, titleOf(qr), <CodePage {...props} />);
  };
  /** Returns the list that a dialog was opened from; empty for the page of the code. */
  const listOf = ({ rejected, url }: SignedInContext): string => {
    const list = rejected?.typed.text('list') ?? url.searchParams.get('list') ?? '';
    return list === '' ? '' : ownPath(list);
  };
  const showDestination = async (context: SignedInContext) => {
    const qr = await findQr(context);
    requireActivePlan(context.session.account, context.nowMs);
    return page(context, titleOf(qr), <DestinationDialog qr={qr} list={listOf(context)} />);
  };
  const showLabels = async (context: SignedInContext) => {
    const qr = await findQr(context);
    return page(context, titleOf(qr), <LabelsDialog qr={qr} list={listOf(context)} />);
  };
  const showPdf = async (context: SignedInContext) => {
    const qr = await findQr(context);
    return page(context, titleOf(qr), <PdfDialog qr={qr} />);
  };
  const showHistory = async (context: SignedInContext) => {
    const qr = await findQr(context);
    const insight = await insights.of(qr, 'week');
    return page(context, titleOf(qr), <HistoryDialog qr={qr} insight={insight} />);
  };

  const showMenu = async (context: SignedInContext) =>
    fragment(context, <RowMenu qr={await findQr(context)} list={listOf(context)} />);

  const setPaused = async (context: SignedInContext, form: FormFields, isPaused: boolean) => {
    const code = parseCodeOrPath(context.params['code']);
    const qr = await qrs.setPaused(context.session.account.id, code, isPaused);
    const kind = ({ paused: 'paused', active: 'resumed', blocked: null, stopped: null } as const)[
      qr.status
    ];
    const message = kind === null ? {} : { message: { kind, code: qr.code } };
    return redirectTo(context, backOf(qr, form), message);
  };

  const setArchived = async (context: SignedInContext, isArchived: boolean) => {
    const code = parseCodeOrPath(context.params['code']);
    const qr = await qrs.changeLabels(context.session.account.id, code, { isArchived });
    const kind = isArchived ? 'archived' : 'unarchived';
    return redirectTo(context, codePath(qr.code), { message: { kind, code: qr.code } });
  };

  const image = async (context: SignedInContext, format: 'png' | 'svg') => {
    const qr = await findQr(context);
    const source = await qrs.imageSource(qr.accountId, qr.code);
    // The picture never changes.
    const etag = `"${Buffer.from(source.imageHash).toString('hex')}${context.url.search}"`;
    const { headers, signal } = context.request;
    if (headers.get('if-none-match') === etag) return unchangedImage(etag);
    const form = sheetForms.find((one) => one === context.url.searchParams.get('form'));
    const isPrinted = format === 'svg' && form !== undefined && form !== 'design';
    return imageResponse(context.url, qr, format, etag, (widthPx) =>
      isPrinted
        ? archives.picture(qr.accountId, source, form, { signal })
        : qrs.image(qr.accountId, source, format, widthPx, { signal }),
    );
  };

  return [
    signedIn.get('/account/codes/:code', show),
    signedIn.get('/account/codes/:code/destination', showDestination),
    signedIn.get('/account/codes/:code/labels', showLabels),
    signedIn.get('/account/codes/:code/history', showHistory),
    signedIn.get('/account/codes/:code/menu', showMenu),
    signedIn.get('/account/codes/:code/pdf', showPdf),
    signedIn.submit(
      '/account/codes/:code/pdf',
      { form: pdfForm, page: showPdf },
      async (context, { size: widthMm }) => {
        const { accountId, code, name } = await findQr(context);
        const archive = await archives.prepare(
          { accountId, codes: [code] },
          { format: 'pdf', widthPx: imageWidthPxRange.default, widthMm },
          { signal: context.request.signal },
        );
        const file = fileNameOf({ name, code: `${code}-${formatMm(widthMm)}mm` }, 'pdf');
        return new Response((await archive.first()).slice(), {
          headers: {
            'Content-Type': 'application/pdf',
            'Content-Disposition': contentDisposition('attachment', file),
          },
        });
      },
    ),
    signedIn.get('/account/codes/:code/image.png', (context) => image(context, 'png')),
    signedIn.get('/account/codes/:code/image.svg', (context) => image(context, 'svg')),
    signedIn.submit(
      '/account/codes/:code/destination',
      { form: destinationForm, page: showDestination, needsPlan: true },
      async (context, { url }, typed) => {
        const qr = await findQr(context);
        await qrs.changeDestination(context.session.account.id, qr.code, async () => url);
        const message = {
          kind: 'destinationSaved',
          code: qr.code,
          former: qr.destination,
        } as const;
        return redirectTo(context, backOf(qr, typed), { message });
      },
    ),
    signedIn.submit(
      '/account/codes/:code/labels',
      { form: labelsForm, page: showLabels },
      async (context, labels, typed) => {
        const qr = await findQr(context);
        await qrs.changeLabels(context.session.account.id, qr.code, labels);
        return redirectTo(context, backOf(qr, typed), { message: { kind: 'labelsSaved' } });
      },
    ),
    signedIn.post('/account/codes/:code/pause', (context, form) => setPaused(context, form, true)),
    signedIn.post('/account/codes/:code/resume', (context, form) =>
      setPaused(context, form, false),
    ),
    signedIn.post('/account/codes/:code/archive', (context) => setArchived(context, true)),
    signedIn.post('/account/codes/:code/unarchive', (context) => setArchived(context, false)),
  ];
}

/** Returns the row of the list that a form was sent from, else the page of the code. */
function backOf(qr: Qr, form: FormFields): string {
  const list = form.text('list');
  return list === '' ? codePath(qr.code) : `${ownPath(list)}#${anchorOf(qr)}`;
}

interface CodeProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
  readonly blockReason: string | null;
  /** Identifies the form that creates a copy. */
  readonly attempt: string;
}

function CodePage(props: CodeProps) {
  const { qr, insight, blockReason } = props;
  const path = codePath(qr.code);
  return (
    <>
      <Crumb
        above={[
          ['/account/codes', 'Codes'],
          ...(qr.folder === null ? [] : [[pathOfFolder(qr.folder), qr.folder] as const]),
        ]}
      >
        {titleOf(qr)}
      </Crumb>
      <PageHead
        title={<bdi>{titleOf(qr)}</bdi>}
        beside={
          <>
            {qr.status === 'active' && qr.flag === null && <span class="pill good">Active</span>}
            <CodeTags qr={qr} />
          </>
        }
      >
        <a class="button compact-hide" href={qr.shortLink} rel="noreferrer">
          Test scan
        </a>
        {qr.status !== 'blocked' && <Pause qr={qr} />}
        <Menu id="code-menu" label={`Actions for ${titleOf(qr)}`}>
          <CodeMenu {...props} />
        </Menu>
      </PageHead>
      {labelNames
        .filter((name) => name !== 'name' && name !== 'folder' && qr[name] !== null)
        .map((name) => (
          <p key={name} class="soft code-note">
            <bdi>{qr[name]}</bdi>
          </p>
        ))}
      {qr.status === 'blocked' && (
        <Notice kind="bad" title="The operator has blocked this code">
          It shows a “blocked” page instead of redirecting.{' '}
          {blockReason === null ? (
            'Ask the operator of this server why.'
          ) : (
            <>
              Reason: <bdi>{blockReason}</bdi>
            </>
          )}
        </Notice>
      )}
      {qr.status === 'paused' && (
        <Notice kind="warn" title="This code is paused">
          It shows a “paused” page instead of redirecting. Scans are not counted.
        </Notice>
      )}
      {qr.isArchived && (
        <p class="soft">
          This code is archived: it is left out of lists, searches and exports. It still redirects
          and counts.
        </p>
      )}
      {qr.flag !== null && <FlagNotice flag={qr.flag} />}
      <ReachNotice {...qr} />
      <div class="code">
        {qr.image === null ? <NoImage qr={qr} /> : <CodeImage qr={qr} print={insight.print} />}
        <div class="side">
          <Goes qr={qr} insight={insight} path={path} />
          <CodeScans {...props} />
        </div>
      </div>
    </>
  );
}

/** Where the code leads, and its short link. */
function Goes({ qr, insight, path }: Pick<CodeProps, 'qr' | 'insight'> & { path: string }) {
  const hasActivePlan = useHasActivePlan();
  const { former, hasMoreFormer } = insight;
  const scheme = /^https?:\/\//i.exec(qr.shortLink)?.[0] ?? '';
  return (
    <section class="card pad stack tight goes" aria-labelledby="goes">
      <h2 class="label" id="goes">
        People who scan it go to
      </h2>
      <div class="row">
        <span class="lead grow">
          <CodeDestination {...qr} />
        </span>
        {hasActivePlan && (
          <Link class="button primary" to={`${path}/destination`} data-dialog data-shortcut="e">
            Change
          </Link>
        )}
        <a class="button" href={qr.destination} rel="noreferrer">
          Open
          <Icon name="open" />
        </a>
      </div>
      {!hasActivePlan && (
        <p class="hint">You can change the destination once your plan is renewed.</p>
      )}
      <hr class="rule" />
      <div class="row copyable">
        <span class="label">Short link</span>
        <code class="short">
          <span class="hidden">{scheme}</span>
          {qr.shortLink.slice(scheme.length)}
        </code>
        <button
          type="button"
          class="button small script-only"
          data-copy={qr.shortLink}
          aria-label="Copy the short link"
        >
          <Icon name="copy" />
          Copy
        </button>
        <span class="grow" />
        <span class="small soft">
          {former.length === 0 ? (
            <>
              Created on <Time ms={qr.createdAtMs} />
            </>
          ) : (
            <>
              Changed{' '}
              {hasMoreFormer
                ? `more than ${former.length} times`
                : formatCount(former.length, 'time')}{' '}
              ·{' '}
              <Link class="link" to={`${path}/history`} data-dialog>
                History
              </Link>
            </>
          )}
        </span>
      </div>
    </section>
  );
}

function CodeMenu({ qr, attempt }: CodeProps) {
  const path = codePath(qr.code);
  const hasActivePlan = useHasActivePlan();
  return (
    <>
      <Link to={`${path}/labels`} data-dialog>
        <Icon name="edit" />
        Name, note, folder…
      </Link>
      {hasActivePlan && (
        <PostButton
          to="/account/codes"
          values={{
            attempt,
            url: qr.destination,
            name: qr.name ?? '',
            folder: qr.folder ?? '',
          }}
          class=""
        >
          <Icon name="copy" />
          Duplicate
        </PostButton>
      )}
      {qr.image !== null && (
        <Link to={`/account/print?${new URLSearchParams({ code: qr.code })}`}>
          <Icon name="print" />
          Print
        </Link>
      )}
      <PostButton to={`${path}/${qr.isArchived ? 'unarchive' : 'archive'}`} class="">
        <Icon name="archive" />
        {qr.isArchived ? 'Unarchive' : 'Archive'}
      </PostButton>
    </>
  );
}

/** Warns of a destination that phones cannot open. */
function ReachNotice({ destination }: Pick<Qr, 'destination'>) {
  const url = URL.parse(destination);
  const reach = url === null ? 'anyone' : reachOf(url);
  if (url === null || reach === 'anyone') return null;
  return reach === 'this machine' ? (
    <Notice kind="warn" title={`Phones can’t open ${url.hostname}`}>
      This address is the phone itself. Change the destination to one that phones can open.
    </Notice>
  ) : (
    <Notice kind="warn" title={`Only phones in your network can open ${url.hostname}`}>
      Everyone else who scans the code sees an error. Change the destination if others scan it too.
    </Notice>
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

function HistoryDialog({ qr, insight }: Pick<CodeProps, 'qr' | 'insight'>) {
  const hasActivePlan = useHasActivePlan();
  return (
    <DialogPage title="Earlier destinations">
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
                class="button small"
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
      <div class="actions">
        <Link class="button" to={codePath(qr.code)} data-close>
          Close
        </Link>
      </div>
    </DialogPage>
  );
}

function Pause({ qr }: { qr: Qr }) {
  const isPaused = qr.status === 'paused';
  return (
    <PostButton to={`${codePath(qr.code)}/${isPaused ? 'resume' : 'pause'}`} class="button">
      {isPaused ? 'Resume' : 'Pause'}
    </PostButton>
  );
}
