/** @jsxImportSource preact */
import { maxBatchRows } from '../../core/batches/batch.ts';
import type { CodeSelection } from '../../core/batches/bulk-edits.ts';
import { codeInShortLink } from '../../core/codes/short-url.ts';
import type { PanelDeps } from '../deps.ts';
import { formatCount } from '../ui/formatting.ts';

/** Codes that were ticked in the list, all that match its search, or all of a batch. */
export type Selection =
  | { readonly codes: readonly string[] }
  | { readonly search: string }
  | { readonly batch: number };

const maxSearchLength = 200;

/** Returns the text to search for that was typed into the list's search. */
export function searchText(typed: string): string {
  return typed.trim().slice(0, maxSearchLength);
}

/** Returns the text that matching codes contain: for a short or imported link, its code or path. */
export function wantedText(search: string, servedPrefixes: readonly string[]): string {
  const code = codeInShortLink(search, servedPrefixes);
  if (code !== null) return code;
  const address = withoutScheme(search);
  const prefix = servedPrefixes
    .map((served) => `${withoutScheme(served)}/`)
    .find((served) => address.toLowerCase().startsWith(served.toLowerCase()));
  return prefix === undefined ? search : address.slice(prefix.length);
}

function withoutScheme(address: string): string {
  return address.replace(/^https?:\/\//i, '');
}

/** Reads a selection from a query or a form, see `SelectionFields`. */
export function readSelection(fields: {
  text(name: string): string;
  all(name: string): readonly string[];
}): Selection {
  const batch = fields.text('batch');
  if (/^\d{1,15}$/.test(batch)) return { batch: Number(batch) };
  if (fields.text('all') !== '') return { search: searchText(fields.text('q')) };
  return { codes: fields.all('code') };
}

/** Reads a selection from the query of a page. */
export function selectionOf({ searchParams }: URL): Selection {
  return readSelection({
    text: (name) => searchParams.get(name) ?? '',
    all: (name) => searchParams.getAll(name),
  });
}

/**
 * Returns the selection for the core.
 *
 * @throws ApiError not_found for a batch of another account
 */
export async function wantedCodes(
  { batches, servedPrefixes }: Pick<PanelDeps, 'batches' | 'servedPrefixes'>,
  accountId: number,
  selection: Selection,
): Promise<CodeSelection> {
  if ('codes' in selection) return selection;
  if ('search' in selection) return { search: wantedText(selection.search, servedPrefixes) };
  const options = { filter: 'created', afterRow: 0, limit: maxBatchRows } as const;
  const rows = await batches.rows(accountId, selection.batch, options);
  return { codes: rows.map(({ code }) => code).filter((code) => code !== null) };
}

/** Returns the names and values of a selection in a query or a form. */
function fieldsOf(selection: Selection): [name: string, value: string][] {
  if ('codes' in selection) return selection.codes.map((code) => ['code', code]);
  if ('batch' in selection) return [['batch', String(selection.batch)]];
  return [
    ['all', 'yes'],
    ['q', selection.search],
  ];
}

/** The hidden fields of a form that does something with a selection. */
export function SelectionFields({ selection }: { selection: Selection }) {
  return fieldsOf(selection).map(([name, value]) => (
    <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
  ));
}

/** Returns the path of the page of a selection, or of a download below it. */
export function selectionPath(selection: Selection): string {
  return `/account/selection?${new URLSearchParams(fieldsOf(selection))}`;
}

/** Describes a selection: `All 12 codes that match “menu”`. */
export function describeSelection(selection: Selection, selected: number): string {
  const codes = formatCount(selected, 'code');
  if ('codes' in selection) return codes;
  if ('batch' in selection) return `${codes} of a batch`;
  const all = selected === 1 ? 'The one code' : `All ${codes}`;
  return selection.search === '' ? all : `${all} that match “${selection.search}”`;
}
