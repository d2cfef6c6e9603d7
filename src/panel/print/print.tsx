/** @jsxImportSource preact */
import { maxBulkEditCodes } from '../../core/batches/bulk-edits.ts';
import { parseCode } from '../../core/codes/code.ts';
import { Refused } from '../../core/errors.ts';
import type { Reason } from '../../core/reasons.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import {
  maxSelectionBytes,
  readSelection,
  type Selection,
  wantedCodes,
} from '../codes/selection.ts';
import type { PanelDeps } from '../request/deps.ts';
import { type FormFields, fieldsOf, type SignedInContext } from '../request/request.ts';
import { fileResponse, streamOf } from '../routing/downloads.ts';
import { page } from '../routing/responses.tsx';
import { type Route, requireRole, viewer } from '../routing/route.ts';
import { downloadImages } from '../selection/selected.tsx';
import type { Choice } from '../ui/fields.tsx';
import { InvalidForm, readValues, rejectedForm, type Values } from '../ui/form.tsx';
import { isoDate } from '../ui/formatting.ts';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { fieldOfReason, layOut, sheetDefaults, sheetForm } from './sheet-form.ts';
import { PrintPage, type SheetResult } from './sheet-page.tsx';

const path = '/account/print';

/** Creates the routes with which account holders print codes and download their images. */
export function printRoutes(deps: PanelDeps): Route[] {
  const show = async (context: SignedInContext, typed: FormFields, sheet: SheetResult) => {
    const selection = givenSelection(typed);
    const codes = await choicesOf(deps, context.accountId, selection);
    const number = Math.max(0, Number.parseInt(typed.text('page_number'), 10) - 1 || 0);
    return page(context, 'Print', <PrintPage {...{ typed, selection, codes, sheet, number }} />);
  };

  const respond = async (
    context: SignedInContext,
    values: Values<ReturnType<typeof sheetForm>>,
    typed: FormFields,
  ) => {
    const { request, accountId, nowMs, log } = context;
    const resumed = typed.text('resume');
    if (resumed !== '') {
      requireRole(context, 'editor');
      await deps.qrs.setPaused(context.acting, parseCode(resumed), false);
    }
    const wanted = await wantedCodes(deps, context, selectionOf(typed));
    const selection = { accountId, ...wanted, order: values.order };
    if (typed.text('do') === 'zip') return downloadImages(deps, context, selection, values.format);
    try {
      const layout = layOut(values);
      const limited = { ...selection, maxCodes: maxBulkEditCodes };
      const sheet = await deps.sheets.prepare(limited, layout, { signal: request.signal });
      if (typed.text('do') !== 'pdf') return show(context, typed, sheet);
      const name = `codes-${isoDate(nowMs, context)}-${layout.name}.pdf`;
      return fileResponse(streamOf(sheet.pdf(), log), 'application/pdf', name);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { reason } = error;
      const isOpened = request.method === 'GET';
      return show(isOpened ? context : rejectedFor(reason, context, typed), typed, reason);
    }
  };

  return [
    viewer.get(path, async (context) => {
      const query = [...context.url.searchParams].filter(([name]) => queryNames.includes(name));
      const typed = withDefaults(fieldsOf(query));
      return respond(context, await readValues(formOf(typed), typed), typed);
    }),
    viewer.submit(
      path,
      {
        complete: withDefaults,
        form: async (_, typed) => formOf(typed),
        page: (context, typed) => show(context, typed, null),
        maxBytes: maxSelectionBytes,
      },
      respond,
    ),
  ];
}

/** The query names one code, a batch or a folder. Longer selections are sent in the body. */
const queryNames = ['code', 'batch', 'codes'];

function formOf(typed: FormFields) {
  return sheetForm({ layout: typed.text('layout'), page: typed.text('page') });
}

/** Returns the context of a page that marks the field that a sheet is rejected for. */
function rejectedFor(reason: Reason, context: SignedInContext, typed: FormFields): SignedInContext {
  const field = fieldOfReason[reason.kind];
  const isMarked = field !== undefined && typed.text(field) !== '';
  const problems = isMarked ? { [field]: { text: panelSentence(reason) } } : {};
  return { ...context, rejected: rejectedForm(context, typed, new InvalidForm(problems)) };
}

/** Adds the defaults to a form that has only a selection, and what a button sets, such as `start=3`. */
function withDefaults(typed: FormFields): FormFields {
  const isNew = typed.text('layout') === '';
  const codes = givenSelection(typed) === null ? 'all' : '';
  const set = [...new URLSearchParams(typed.text('set'))];
  const defaults = isNew ? Object.entries({ codes, ...sheetDefaults }) : [];
  // The first value of a name counts.
  return fieldsOf([...set, ...typed.texts, ...defaults]);
}

/** Returns the selection that the page was opened with, or null when it was opened without one. */
function givenSelection(typed: FormFields): Selection | null {
  const isGiven = ['code', 'batch', 'all'].some((name) => typed.text(name) !== '');
  return isGiven ? readSelection(typed) : null;
}

/** Returns the selection that is chosen: the given one, all codes, or those of a folder. */
function selectionOf(typed: FormFields): Selection {
  const codes = typed.text('codes');
  if (codes === '') return readSelection(typed);
  const query = codes === 'all' ? '' : `?${new URLSearchParams({ folder: codes })}`;
  return { list: `/account/codes${query}`, search: '' };
}

/** Returns the selections to choose from; none without codes. */
async function choicesOf(
  { lists }: Pick<PanelDeps, 'lists'>,
  accountId: number,
  selection: Selection | null,
): Promise<Choice[]> {
  const folders = await lists.folders(accountId);
  if (folders.length === 0 && selection === null) return [];
  const counted = (text: string, codes: number | null) =>
    codes === null ? text : `${text}, ${formatCount(codes, 'code')}`;
  const total = folders.reduce<number | null>(
    (sum, { codes }) => (sum === null || codes === null ? null : sum + codes),
    0,
  );
  const given = selection === null ? [] : [{ value: '', text: textOf(selection) }];
  const hasFolder = folders.some(({ name }) => name !== null);
  const inFolders = (hasFolder ? folders : []).map(({ name, codes }): Choice => {
    return name === null
      ? { value: 'none', text: counted('No folder', codes) }
      : { value: `in:${name}`, text: counted(`Folder ${name}`, codes) };
  });
  return [
    ...given,
    { value: 'all', text: total === null ? 'All codes' : `All codes, ${formatNumber(total)}` },
    ...inFolders,
  ];
}

function textOf(selection: Selection): string {
  if ('codes' in selection) return formatCount(selection.codes.length, 'selected code');
  if ('batch' in selection) return 'Codes of the batch';
  return selection.search === '' ? 'Codes of the list' : `Codes that match “${selection.search}”`;
}
