import { maxBatchRows } from '../../core/batches/batch.ts';
import type { CodeSelection } from '../../core/codes/lists/selection.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { PanelDeps } from '../request/deps.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import { ownPath } from '../request/own-path.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import type { HiddenValues } from '../ui/page-context.tsx';
import { maxSearchLength, readListQuery } from './list-filters.tsx';

/** Codes that were ticked in the list, all that match its search, or all of a batch. */
export type Selection = {
  /** Path of the list with its search and page, to go back to. */
  readonly list: string;
} & (
  | { readonly codes: readonly string[] }
  | { readonly search: string }
  | { readonly batch: number }
);

/** Returns the text to search for that was typed into the list's search. */
export function searchText(typed: string): string {
  return typed.trim().slice(0, maxSearchLength);
}

const listPath = '/account/codes';

/** Maximum size of a form with a selection: thousands of codes, or hundreds of long paths. */
export const maxSelectionBytes = 1024 * 1024;

/**
 * Reads a selection from a form, see {@link selectionValues}.
 *
 * @throws InvalidInput for all codes of a page that is not the list: its filters are not known, and all codes of the
 *   account would be more than was seen
 */
export function readSelection(form: FormFields): Selection {
  const list = ownPath(form.text('list') || listPath);
  const batch = form.text('batch');
  if (/^\d{1,15}$/.test(batch)) return { list, batch: Number(batch) };
  if (form.text('all') === '') return { list, codes: form.all('code') };
  if (list.split('?', 1)[0] !== listPath) throw new InvalidInput((t) => t.selection.listTooLong);
  return { list, search: searchText(form.text('q')) };
}

/**
 * Returns the selection for the core.
 *
 * @throws ApiError not_found for a batch of another account
 */
export async function wantedCodes(
  { batches, searchTerm }: Pick<PanelDeps, 'batches' | 'searchTerm'>,
  {
    accountId,
    nowMs,
    zone,
    texts,
  }: Pick<SignedInContext, 'accountId' | 'nowMs' | 'zone' | 'texts'>,
  selection: Selection,
): Promise<CodeSelection> {
  if ('codes' in selection) return selection;
  if ('search' in selection) {
    const list = new URL(selection.list, 'http://panel.invalid');
    const { filter } = readListQuery(list, { nowMs, zone, texts });
    return { search: await searchTerm(selection.search), filter };
  }
  const options = { filter: 'created', afterRow: 0, limit: maxBatchRows } as const;
  const rows = await batches.rows(accountId, selection.batch, options);
  return { codes: rows.map(({ code }) => code).filter((code) => code !== null) };
}

/** Returns the hidden fields of a form about a selection. It travels in the body: it may be long. */
export function selectionValues({ list, ...selection }: Selection): HiddenValues {
  if ('batch' in selection) return { list, batch: String(selection.batch) };
  if ('search' in selection) return { list, all: 'yes', q: selection.search };
  return { list, code: selection.codes };
}

/**
 * Describes a selection: `All 12 codes that match “menu”`.
 *
 * @param selected null for too many to count
 */
export function describeSelection(
  selection: Selection,
  selected: number | null,
  { selection: t }: Texts,
): string {
  if ('codes' in selection) return selected === null ? t.tickedMany : t.ticked({ codes: selected });
  if ('batch' in selection)
    return selected === null ? t.ofBatchMany : t.ofBatch({ codes: selected });
  const { search } = selection;
  if (search === '') return selected === null ? t.wholeMany : t.whole({ codes: selected });
  return selected === null ? t.matchingMany({ search }) : t.matching({ codes: selected, search });
}
