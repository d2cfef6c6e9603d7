/** @jsxImportSource preact */
import { hasActivePlan } from '../../core/accounts/account.ts';
import type { BulkEdit, BulkEditChange } from '../../core/batches/bulk-edit.ts';
import { parseCodeOrPath } from '../../core/codes/code.ts';
import type { CodeSelection } from '../../core/codes/lists/selection.ts';
import type { ArchiveOptions } from '../../core/codes/print/archive.ts';
import type { PrintSelection } from '../../core/codes/print/selection.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { bulkEditText } from '../../sentences/bulk-edits.ts';
import { codePath, titleOf } from '../codes/code-label.tsx';
import { createPlanForm, newPlanValues } from '../codes/schedule/schedule-form.ts';
import {
  describeSelection,
  maxSelectionBytes,
  readSelection,
  selectionValues,
  wantedCodes,
} from '../codes/selection.ts';
import { SelectionActions, SelectionMenu } from '../codes/selection-bar.tsx';
import type { PanelDeps } from '../request/deps.ts';
import { ownPath } from '../request/own-path.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { fileResponse, streamOf } from '../routing/downloads.ts';
import { type PageResponse, page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { RelativeTime } from '../ui/components.tsx';
import { DialogActions, DialogPage } from '../ui/dialog.tsx';
import { formatDestination, formatUrl, isoDate } from '../ui/formatting.ts';
import {
  Form,
  HiddenFields,
  Link,
  Submit,
  useHasActivePlan,
  useTexts,
} from '../ui/page-context.tsx';
import {
  DestinationDialog,
  DownloadDialog,
  downloadForm,
  FolderDialog,
  PlanSelectedDialog,
  type SelectedCodes,
  StatusDialog,
  statusDialogs,
  TooManyDialog,
} from './selection-dialogs.tsx';

/** Creates the routes of the page of selected codes and of its dialogs. */
export function selectedRoutes(deps: PanelDeps): Route[] {
  return [
    // The selection is in the form. After signing in again, it is gone.
    viewer.get('/account/selection', async (context) => redirectTo(context, '/account/codes')),
    editor.post('/account/selection', (context, form) => showSelected(deps, context, form), {
      maxBytes: maxSelectionBytes,
    }),
    editor.get('/account/codes/:code/folder', async (context) => {
      const { accountId, params, url } = context;
      const qr = await deps.qrs.get(accountId, parseCodeOrPath(params['code']));
      const list = ownPath(url.searchParams.get('list') || codePath(qr.code));
      const about = { selection: { list, codes: [qr.code] }, codes: titleOf(qr), last: null };
      const folders = await deps.lists.folders(accountId);
      const dialog = <FolderDialog about={about} folders={folders} folder={qr.folder} />;
      return page(context, context.texts.selection.moveToFolder, dialog);
    }),
    viewer.submit(
      '/account/selection/images.zip',
      {
        form: downloadForm,
        page: (context, typed) => showSelected(deps, context, typed, 'download'),
        maxBytes: maxSelectionBytes,
      },
      async (context, { format }, typed) => {
        const wanted = await wantedCodes(deps, context, readSelection(typed));
        return downloadImages(deps, context, wanted, format);
      },
    ),
  ];
}

/** Creates the response with the images of codes. @throws PrintError when there are none, or too many */
export async function downloadImages(
  { archives }: PanelDeps,
  context: SignedInContext,
  wanted: CodeSelection & Pick<PrintSelection, 'order'>,
  options: ArchiveOptions,
): Promise<Response> {
  const { request, accountId, nowMs, log } = context;
  const selection = { accountId, ...wanted };
  const archive = await archives.prepare(selection, options, { signal: request.signal });
  const file = streamOf(archive.zip(), log);
  return fileResponse(file, 'application/zip', `codes-${isoDate(nowMs, context)}.zip`);
}

/**
 * Renders one of the dialogs of the codes that a form selects, or the page that leads to all of them.
 *
 * @param opened name of the dialog; the field `open` when left out
 */
export async function showSelected(
  deps: PanelDeps,
  context: SignedInContext,
  form: FormFields,
  opened: string = form.text('open'),
): Promise<PageResponse> {
  const { accountId, texts } = context;
  const { selection: t } = texts;
  const selection = readSelection(form);
  const wanted = await wantedCodes(deps, context, selection);
  const { bulkEdits } = deps;
  const selected = await bulkEdits.countSelected(accountId, wanted);
  const about = {
    selection,
    codes: describeSelection(selection, selected, texts),
    last: <LastBulkEdit edit={await bulkEdits.last(accountId)} list={selection.list} />,
  };
  const draw = async () => {
    if (selected === 0)
      return (
        <DialogPage title={t.none}>
          <p>{t.tickFirst}</p>
          <DialogActions back={selection.list} label={t.goToList} />
        </DialogPage>
      );
    if (opened === '') return <SelectedPage about={about} />;
    if (opened === 'download') return <DownloadDialog about={about} />;
    if (selected === null) return <TooManyDialog about={about} />;
    switch (opened) {
      case 'plan': {
        // What was typed in the dialog of now.
        const values = { ...newPlanValues(context.nowMs, context.zone), url: form.text('url') };
        const planForm = planFormFor(deps, context);
        return <PlanSelectedDialog about={about} form={planForm} values={values} />;
      }
      case 'folder':
        return <FolderDialog about={about} folders={await deps.lists.folders(accountId)} />;
      case 'status':
      case 'archive':
      case 'query': {
        const { kinds, title, text } = statusDialogs[opened];
        const changes = await Promise.all(
          kinds.map(
            async (kind) => [kind, await bulkEdits.preview(accountId, wanted, { kind })] as const,
          ),
        );
        return <StatusDialog about={about} title={title(t)} text={text(t)} changes={changes} />;
      }
      default:
        return (
          <DestinationDialog
            about={about}
            replaced={form.text('replaced')}
            replacement={form.text('replacement')}
          />
        );
    }
  };
  return page(context, t.toolbar, await draw());
}

/** Creates the form that plans a change of the selected codes. */
export function planFormFor(
  { qrs }: Pick<PanelDeps, 'qrs'>,
  { session, nowMs, zone }: SignedInContext,
) {
  const canChange = hasActivePlan(session.entered, nowMs);
  return createPlanForm(qrs, { zone, canChange, isForMany: true });
}

function SelectedPage({ about }: { about: SelectedCodes }) {
  const { selection, codes, last } = about;
  const { selection: t } = useTexts();
  return (
    <>
      <h1>{codes}</h1>
      <p class="intro">
        {'codes' in selection ? t.tickedInList : t.olderPagesToo}{' '}
        <Link to={selection.list}>{t.backToList}</Link>
      </p>
      <section class="card pad stack" aria-label={t.actions}>
        <Form to="/account/selection" class="row">
          <HiddenFields values={selectionValues(selection)} />
          <SelectionActions />
          <SelectionMenu />
        </Form>
        {last}
      </section>
    </>
  );
}

/** Renders the last bulk edit, with its undo while nothing else changed its codes. */
export function LastBulkEdit({ edit, list }: { edit: BulkEdit | null; list: string }) {
  const hasActivePlan = useHasActivePlan();
  const t = useTexts();
  if (edit === null || edit.state !== 'done') return null;
  const { change, codes, atMs } = edit;
  if (codes === 0 || edit.changedSince > 0) return null;
  return (
    <Form to="/account/selection/undo" class="last-edit">
      <HiddenFields values={{ list }} />
      <span class="small soft">
        {t.bulkEdit.last({
          when: <RelativeTime ms={atMs} />,
          edit: describeEdit(change, codes, t),
        })}
      </span>
      {(hasActivePlan || change.kind !== 'replace') && (
        <Submit class="button small" icon="undo">
          {t.bulkEdit.undo}
        </Submit>
      )}
    </Form>
  );
}

/** Returns a bulk edit with its addresses as a sentence shows them. */
export function shortened(change: BulkEditChange): BulkEditChange {
  if (change.kind !== 'replace') return change;
  const { kind, replaced, replacement } = change;
  return replaced === null
    ? { kind, replaced, replacement: formatUrl(formatDestination(replacement)) }
    : { kind, replaced: formatUrl(replaced), replacement: formatUrl(replacement) };
}

/** Describes a bulk edit: `40 codes paused`. */
export function describeEdit(change: BulkEditChange, codes: number, texts: Texts): string {
  return bulkEditText(shortened(change), codes, texts);
}
