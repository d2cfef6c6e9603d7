/** @jsxImportSource preact */
import type { CodeSelection } from '../../core/batches/bulk-edits.ts';
import { codeInShortLink } from '../../core/codes/short-url.ts';
import { formatCount } from '../ui/formatting.ts';

/** Codes that were selected in the list: ticked ones, or all that match its search. */
export type Selection = { readonly codes: readonly string[] } | { readonly search: string };

const maxSearchLength = 200;

/** Returns the text to search for that was typed into the list's search. */
export function searchText(typed: string): string {
  return typed.trim().slice(0, maxSearchLength);
}

/** Returns the text that matching codes contain: for a short link, its code. */
export function wantedText(search: string, servedPrefixes: readonly string[]): string {
  return codeInShortLink(search, servedPrefixes) ?? search;
}

/** Reads a selection from a query or a form, see `SelectionFields`. */
export function readSelection(fields: {
  text(name: string): string;
  all(name: string): readonly string[];
}): Selection {
  return fields.text('all') === ''
    ? { codes: fields.all('code') }
    : { search: searchText(fields.text('q')) };
}

/** Reads a selection from the query of a page. */
export function selectionOf({ searchParams }: URL): Selection {
  return readSelection({
    text: (name) => searchParams.get(name) ?? '',
    all: (name) => searchParams.getAll(name),
  });
}

/** Returns the selection for the core. */
export function wantedCodes(
  selection: Selection,
  servedPrefixes: readonly string[],
): CodeSelection {
  return 'codes' in selection
    ? selection
    : { search: wantedText(selection.search, servedPrefixes) };
}

/** The hidden fields of a form that does something with a selection. */
export function SelectionFields({ selection }: { selection: Selection }) {
  if ('codes' in selection)
    return selection.codes.map((code) => (
      <input key={code} type="hidden" name="code" value={code} />
    ));
  return (
    <>
      <input type="hidden" name="all" value="yes" />
      <input type="hidden" name="q" value={selection.search} />
    </>
  );
}

/** Returns the path of the page of a selection. */
export function selectionPath(selection: Selection): string {
  const query = new URLSearchParams();
  if ('codes' in selection) for (const code of selection.codes) query.append('code', code);
  else {
    query.set('all', 'yes');
    query.set('q', selection.search);
  }
  return `/account/selection?${query}`;
}

/** Describes a selection: `all 12 codes that match “menu”`. */
export function describeSelection(selection: Selection, selected: number): string {
  const codes = formatCount(selected, 'code');
  if ('codes' in selection) return codes;
  const all = selected === 1 ? 'The one code' : `All ${codes}`;
  return selection.search === '' ? all : `${all} that match “${selection.search}”`;
}
