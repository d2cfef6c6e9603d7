/** @jsxImportSource preact */
import type { VNode } from 'preact';
import { requireActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import { newToken } from '../../core/accounts/session.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import { mapLabels } from '../../core/codes/fields.ts';
import { fileNameOf } from '../../core/codes/print/archive.ts';
import { formatMm } from '../../core/codes/print/paper.ts';
import { sheetForms } from '../../core/codes/print/sheet-layout.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { beginsWithDomain } from '../../core/codes/urls/typed-address.ts';
import { parseSwitch } from '../../core/labels.ts';
import type { Acting } from '../../core/ports.ts';
import { lastDays } from '../../core/scans/days.ts';
import type { PanelDeps } from '../request/deps.ts';
import { listOf, ownPath } from '../request/own-path.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import {
  fileResponse,
  imageResponse,
  screenImageResponse,
  unchangedImage,
} from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { fragment, page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { HistoryDialog } from './code-destination.tsx';
import { DestinationDialog, PauseDialog } from './code-dialogs.tsx';
import { destinationForm, labelsForm, pauseForm, pdfForm } from './code-forms.ts';
import { anchorOf, codePath, titleOf } from './code-label.tsx';
import { RowMenu } from './code-list.tsx';
import { CodePage } from './code-page.tsx';
import { keepChartLength, readChartPeriod } from './scans/chart-period.tsx';

const offeredWidthMm = '40';
const pictureSizes = ['small', 'medium', 'large'] as const;
/** Earlier destinations that are one click away. */
const maxUsedBefore = 3;
/** Entries of the activity in the history of a code. */
const shownEntries = 20;

/** Creates the routes of one code. */
export function codeRoutes({
  activity,
  qrs,
  insights,
  lists,
  archives,
  pictures,
  schedule,
  safety,
  randomBytes,
}: PanelDeps): Route[] {
  const findQr = ({ accountId, params }: SignedInContext) =>
    qrs.get(accountId, parseCodeOrPath(params['code']));

  const showCode = async (context: SignedInContext) => {
    const qr = await findQr(context);
    const period = readChartPeriod(context);
    const insight = await insights.of(qr, period.range, context.zone);
    const blockReason = qr.status === 'blocked' ? await safety.blockReason(qr.code) : null;
    const planned = await schedule.list(qr.accountId, qr.id);
    const pausedTexts = qr.status === 'paused' ? await qrs.pausedTexts(qr) : null;
    const attempt = newToken(randomBytes);
    const usedBefore = insights.latestOf(qr, insight.former, maxUsedBefore);
    const props = {
      ...{ qr, insight, usedBefore, period, blockReason, planned, pausedTexts, attempt },
      domains: await qrs.newDomains.choicesOf(qr.accountId, null),
    };
    return keepChartLength(context, period, page(context, titleOf(qr), <CodePage {...props} />));
  };
  /** Creates the handler of a small page about a code. */
  const show =
    (draw: (qr: Qr, list: string, context: SignedInContext) => VNode | Promise<VNode>) =>
    async (context: SignedInContext) => {
      const qr = await findQr(context);
      return page(context, titleOf(qr), await draw(qr, listOf(context), context));
    };
  const showDestination = show(async (qr, list) => (
    <DestinationDialog qr={qr} list={list} former={await insights.usedBefore(qr, maxUsedBefore)} />
  ));
  const formOfLabels = async (context: SignedInContext) =>
    labelsForm(await lists.folders(context.accountId), await findQr(context));
  const showLabels = show(async (qr, list, context) => (
    <FormDialog
      title={context.texts.labels.title}
      form={await formOfLabels(context)}
      to={`${codePath(qr.code)}/labels`}
      values={mapLabels((name) => qr[name] ?? '')}
      hiddenValues={{ list }}
      back={list || codePath(qr.code)}
      button={context.texts.common.save}
    />
  ));
  const showPdf = show((qr, _, { texts: { picture: t } }) => (
    <FormDialog
      title={t.downloadPdf}
      form={pdfForm}
      to={`${codePath(qr.code)}/pdf`}
      values={{ size: offeredWidthMm }}
      back={codePath(qr.code)}
      button={t.downloadPdf}
      data-download
    >
      <p class="hint">{t.pdfIs}</p>
    </FormDialog>
  ));

  const showPause = show((qr, list) => <PauseDialog qr={qr} list={list} />);
  const showMessage = show(async (qr, _, { texts: t }) => {
    const texts = await qrs.pausedTexts(qr);
    return (
      <FormDialog
        title={t.code.message}
        form={pauseForm}
        to={`${codePath(qr.code)}/message`}
        values={{ message: (texts?.isOwnMessage && texts.pausedMessage) || '' }}
        back={codePath(qr.code)}
        button={t.common.save}
      >
        <p class="small soft">{t.code.messageShown}</p>
      </FormDialog>
    );
  });

  /** Creates the route of a change with nothing to type. */
  const change = (
    name: string,
    kind: 'resumed' | 'archived' | 'unarchived',
    apply: (acting: Acting, code: string | null) => Promise<Qr>,
  ) =>
    editor.post(`/account/codes/:code/${name}`, async (context, form) => {
      const code = parseCodeOrPath(context.params['code']);
      const qr = await apply(context.acting, code);
      // A blocked code stays as it is, except in lists.
      const isChanged = qr.status !== 'blocked' || kind === 'archived' || kind === 'unarchived';
      const message = isChanged ? { kind, code: qr.code } : undefined;
      return redirectTo(context, backOf(qr, form), message);
    });

  const passQuery = editor.post('/account/codes/:code/pass-query', async (context, form) => {
    const qr = await findQr(context);
    const query = parseSwitch(form.text('query'));
    await qrs.changeLabels(context.acting, qr.code, { query });
    return redirectTo(context, codePath(qr.code), { kind: 'labelsSaved' });
  });

  const image = async (context: SignedInContext, format: 'png' | 'svg') => {
    const qr = await findQr(context);
    const source = await qrs.imageSource(qr.accountId, qr.code);
    // The picture never changes.
    const etag = `"${Buffer.from(source.imageHash).toString('hex')}${context.url.search}"`;
    const { headers, signal } = context.request;
    if (headers.get('if-none-match') === etag) return unchangedImage(etag);
    return imageResponse(context.url, qr, format, etag, (widthPx) =>
      qrs.image(qr.accountId, source, format, widthPx, { signal }),
    );
  };
  /** Answers with the picture that pages show: `size` is small by default, `form` how a sheet prints it. */
  const picture = async (context: SignedInContext) => {
    const { accountId, params, request, url } = context;
    const source = await qrs.imageSource(accountId, parseCodeOrPath(params['code']));
    const asked = (name: string, unasked: string) => url.searchParams.get(name) || unasked;
    const form = sheetForms.find((one) => one === asked('form', 'design'));
    const size = pictureSizes.find((one) => one === asked('size', 'small'));
    if (form === undefined || size === undefined) throw pageNotFound();
    const { signal } = request;
    return screenImageResponse(await pictures.draw(accountId, source, { size, form }, { signal }));
  };

  return [
    viewer.get('/account/codes/:code', showCode),
    editor.get('/account/codes/:code/destination', async (context) => {
      requireActivePlan(context.session.entered, context.nowMs);
      return showDestination(context);
    }),
    editor.get('/account/codes/:code/labels', showLabels),
    viewer.get(
      '/account/codes/:code/history',
      show(async (qr, _, { nowMs, zone, session }) => {
        const insight = await insights.of(qr, lastDays(1, nowMs, zone), zone);
        const entries = includesRole(session.role, 'editor')
          ? await activity.page(qr.accountId, { qrId: qr.id }, null, shownEntries)
          : null;
        return <HistoryDialog qr={qr} insight={insight} activity={entries} />;
      }),
    ),
    viewer.get('/account/codes/:code/menu', async (context) =>
      fragment(context, <RowMenu qr={await findQr(context)} list={listOf(context)} />),
    ),
    viewer.get('/account/codes/:code/pdf', showPdf),
    viewer.submit(
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
        return fileResponse((await archive.first()).slice(), 'application/pdf', file);
      },
    ),
    viewer.get('/account/codes/:code/image.png', (context) => image(context, 'png')),
    viewer.get('/account/codes/:code/picture', picture),
    viewer.get('/account/codes/:code/image.svg', (context) => image(context, 'svg')),
    editor.submit(
      '/account/codes/:code/destination',
      {
        form: async (context) => destinationForm(await findQr(context)),
        page: showDestination,
        needsPlan: true,
      },
      async (context, { url }, typed) => {
        const qr = await findQr(context);
        await qrs.changeDestination(context.acting, qr.code, async () => url);
        return redirectTo(context, backOf(qr, typed), {
          kind: 'destinationSaved',
          code: qr.code,
          former: qr.destination,
          isCompleted: beginsWithDomain(typed.text('url')),
        });
      },
    ),
    editor.submit(
      '/account/codes/:code/labels',
      { form: formOfLabels, page: showLabels },
      async (context, { path, ...labels }, typed) => {
        const qr = await findQr(context);
        const changed = { ...labels, ...(path !== undefined && { path }) };
        await qrs.changeLabels(context.acting, qr.code, changed);
        return redirectTo(context, backOf(qr, typed), { kind: 'labelsSaved' });
      },
    ),
    passQuery,
    editor.get('/account/codes/:code/pause', showPause),
    editor.submit(
      '/account/codes/:code/pause',
      { form: pauseForm, page: showPause },
      async (context, { message }, typed) => {
        const code = parseCodeOrPath(context.params['code']);
        const qr = await qrs.setPaused(context.acting, code, true, message);
        const told =
          qr.status === 'blocked' ? undefined : ({ kind: 'paused', code: qr.code } as const);
        return redirectTo(context, backOf(qr, typed), told);
      },
    ),
    editor.get('/account/codes/:code/message', showMessage),
    editor.submit(
      '/account/codes/:code/message',
      { form: pauseForm, page: showMessage },
      async (context, { message }) => {
        const { code } = await findQr(context);
        await qrs.changePausedMessage(context.acting, code, message);
        return redirectTo(context, codePath(code), { kind: 'pausedMessageSaved' });
      },
    ),
    change('resume', 'resumed', (acting, code) => qrs.setPaused(acting, code, false)),
    change('archive', 'archived', (acting, code) =>
      qrs.changeLabels(acting, code, { isArchived: true }),
    ),
    change('unarchive', 'unarchived', (acting, code) =>
      qrs.changeLabels(acting, code, { isArchived: false }),
    ),
  ];
}

/** Returns the row of the list that a form was sent from, else the page of the code. */
function backOf(qr: Qr, form: FormFields): string {
  const list = form.text('list');
  return list === '' ? codePath(qr.code) : `${ownPath(list)}#${anchorOf(qr)}`;
}
