/** @jsxImportSource preact */
import { maxBulkEditCodes } from '../../core/batches/bulk-edits.ts';
import { parseCode } from '../../core/codes/code.ts';
import { Refused } from '../../core/errors.ts';
import type { Reason } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import {
  maxSelectionBytes,
  readSelection,
  type Selection,
  wantedCodes,
} from '../codes/selection.ts';
import type { PanelDeps } from '../request/deps.ts';
import { type FormFields, fieldsOf, type SignedInContext, setCookie } from '../request/request.ts';
import { fileResponse, streamOf } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page } from '../routing/responses.tsx';
import { type Route, requireRole, viewer } from '../routing/route.ts';
import { downloadImages } from '../selection/selected.tsx';
import type { Choice } from '../ui/fields.tsx';
import { InvalidForm, invalidField, readFields, rejectedForm, type Values } from '../ui/form.tsx';
import { isoDate } from '../ui/formatting.ts';
import { panelSentence } from '../ui/sentences/sentences.ts';
import {
  fieldOfReason,
  fieldsOfPaper,
  layOut,
  paperOf,
  sheetDefaults,
  sheetForm,
} from './sheet-form.ts';
import { PrintPage, type SheetResult } from './sheet-page.tsx';

const path = '/account/print';

/** Creates the routes with which account holders print codes and download their images. */
export function printRoutes(deps: PanelDeps): Route[] {
  const show = async (context: SignedInContext, typed: FormFields, sheet: SheetResult) => {
    const selection = givenSelection(typed);
    const codes = await choicesOf(deps, context.accountId, typed);
    const number = Math.max(0, Number.parseInt(typed.text('page_number'), 10) - 1 || 0);
    return page(
      context,
      context.texts.print.title,
      <PrintPage {...{ typed, selection, codes, sheet, number }} />,
    );
  };

  const respond = async (
    context: SignedInContext,
    values: Values<ReturnType<typeof sheetForm>>,
    typed: FormFields,
  ) => {
    const { request, accountId, nowMs, log } = context;
    const isOpened = request.method === 'GET';
    const chosen = selectionOf(typed, await choicesOf(deps, accountId, typed));
    if (chosen === null && typed.text('do') !== '')
      throw invalidField('codes', (t) => t.print.chooseCodes);
    if (chosen === null) return show(context, typed, 'nothing chosen');
    const resumed = typed.text('resume');
    if (resumed !== '') {
      requireRole(context, 'editor');
      await deps.qrs.setPaused(context.acting, parseCode(resumed), false);
    }
    const wanted = await wantedCodes(deps, context, chosen);
    const selection = { accountId, ...wanted, order: values.order };
    if (typed.text('do') === 'zip') return downloadImages(deps, context, selection, values.format);
    try {
      const layout = layOut(values);
      const limited = { ...selection, maxCodes: maxBulkEditCodes };
      const sheet = await deps.sheets.prepare(limited, layout, { signal: request.signal });
      if (typed.text('do') !== 'pdf') return show(context, typed, sheet);
      await deps.activity.recordPrint(context.acting, sheet.codes);
      const name = `codes-${isoDate(nowMs, context)}-${layout.name}.pdf`;
      const response = fileResponse(streamOf(sheet.pdf(), log), 'application/pdf', name);
      response.headers.append('Set-Cookie', setCookie('paper', paperOf(typed), context.isSecure));
      return response;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { reason } = error;
      return show(isOpened ? context : rejectedFor(reason, context, typed), typed, reason);
    }
  };

  const formOf = async (accountId: number, typed: FormFields) =>
    sheetForm(
      { layout: typed.text('layout'), page: typed.text('page') },
      await choicesOf(deps, accountId, typed),
    );

  return [
    viewer.get(path, async (context) => {
      const { url, accountId, preferences } = context;
      const query = [...url.searchParams].filter(([name]) => queryNames.includes(name));
      const paper = await fieldsOfPaper(preferences.paper);
      const typed = withDefaults(fieldsOf([...query, ...Object.entries(paper)]), true);
      const { values, problems } = await readFields(await formOf(accountId, typed), typed);
      // A folder that there is not.
      if (problems['codes'] !== undefined) throw pageNotFound();
      // The cast is safe: the other values are defaults, and a paper that was read before.
      return respond(context, values as Values<ReturnType<typeof sheetForm>>, typed);
    }),
    viewer.submit(
      path,
      {
        complete: (typed) => withDefaults(typed),
        form: ({ accountId }, typed) => formOf(accountId, typed),
        page: (context, typed) => show(context, typed, 'rejected'),
        maxBytes: maxSelectionBytes,
      },
      respond,
    ),
  ];
}

/** The query names one code, a batch or a folder. Longer selections are sent in the body. */
const queryNames = ['code', 'batch', 'codes'];

/** Returns the context of a page that marks the field that a sheet is rejected for. */
function rejectedFor(reason: Reason, context: SignedInContext, typed: FormFields): SignedInContext {
  const field = fieldOfReason[reason.kind];
  const isMarked = field !== undefined && typed.text(field) !== '';
  const sayReason: Said = (t) => panelSentence(reason, t);
  const problems = isMarked ? { [field]: { text: sayReason } } : {};
  return { ...context, rejected: rejectedForm(context, typed, new InvalidForm(problems)) };
}

/** Adds the defaults to a form that has only a selection, and what a button sets, such as `start=3`. */
function withDefaults(typed: FormFields, isNew = typed.text('layout') === ''): FormFields {
  const set = [...new URLSearchParams(typed.text('set'))];
  const defaults = isNew ? Object.entries(sheetDefaults) : [];
  // The first value of a name counts.
  return fieldsOf([...set, ...typed.texts, ...defaults]);
}

/** Returns the selection that the page was opened with, or null when it was opened without one. */
function givenSelection(typed: FormFields): Selection | null {
  const isGiven = ['code', 'batch', 'all'].some((name) => typed.text(name) !== '');
  return isGiven ? readSelection(typed) : null;
}

/** Returns the selection that is chosen: the given one, all codes, or those of a folder; null for none. */
function selectionOf(typed: FormFields, choices: readonly Choice[]): Selection | null {
  const codes = typed.text('codes') || (choices[0]?.value ?? 'all');
  if (codes === '') return givenSelection(typed);
  const query = codes === 'all' ? '' : `?${new URLSearchParams({ folder: codes })}`;
  return { list: `/account/codes${query}`, search: '' };
}

/** Returns the selections to choose from, the one to begin with first; none without codes. */
async function choicesOf(
  { lists }: Pick<PanelDeps, 'lists'>,
  accountId: number,
  typed: FormFields,
): Promise<Choice[]> {
  const selection = givenSelection(typed);
  const folders = await lists.folders(accountId);
  if (folders.length === 0 && selection === null) return [];
  const total = folders.reduce<number | null>(
    (sum, { codes }) => (sum === null || codes === null ? null : sum + codes),
    0,
  );
  const hasFolder = folders.some(({ name }) => name !== null);
  const given =
    selection !== null
      ? [{ value: '', text: textOf(selection) }]
      : hasFolder
        ? [{ value: '', text: (t: Texts) => t.print.chooseCodesMenu }]
        : [];
  const chosen = typed.text('codes').replace(/^in:/, '');
  const isUnlisted = !folders.some(({ name }) => name === chosen) && chosen !== typed.text('codes');
  // Of many folders, not all are listed.
  if (isUnlisted && (await lists.hasFolder(accountId, chosen)))
    folders.push({ name: chosen, codes: await lists.countFolder(accountId, chosen) });
  const inFolders = (hasFolder ? folders : []).map((folder): Choice => {
    const { name } = folder;
    return { value: name === null ? 'none' : `in:${name}`, text: (t) => folderText(t, folder) };
  });
  return [
    ...given,
    {
      value: 'all',
      text: (t) => (total === null ? t.print.allCodes : t.print.allCodesCounted({ codes: total })),
    },
    ...inFolders,
  ];
}

function folderText(
  { print }: Texts,
  { name, codes }: { readonly name: string | null; readonly codes: number | null },
): string {
  if (name === null) return codes === null ? print.noFolder : print.noFolderCounted({ codes });
  return codes === null ? print.folder({ name }) : print.folderCounted({ name, codes });
}

function textOf(selection: Selection): Said {
  if ('codes' in selection) return (t) => t.print.selectedCodes({ codes: selection.codes.length });
  if ('batch' in selection) return (t) => t.print.codesOfBatch;
  const { search } = selection;
  return (t) => (search === '' ? t.print.codesOfList : t.print.codesMatching({ search }));
}
