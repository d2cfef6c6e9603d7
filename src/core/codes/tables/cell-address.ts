import type { CellProblem, SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { isErrorText } from '../../../lib/spreadsheet/cells.ts';
import { beginsWithDomain, withScheme } from '../urls/typed-address.ts';

function isUrl(text: string): boolean {
  return /^"?\s*https?:\/\//i.test(text);
}

/** Returns whether a cell has an address with a scheme, in its text or as its link, which may be computed. */
export function isAddress(cell: SheetCell | undefined): boolean {
  return isUrl(cell?.text ?? '') || isUrl(cell?.link ?? '') || cell?.problem === 'computed link';
}

/** Returns whether a cell has an address, or begins with a domain: `Nr.7`, `1.5` and `menu.pdf` do not. */
export function isAddressLike(cell: SheetCell | undefined): boolean {
  return isAddress(cell) || beginsWithDomain(cell?.text ?? '');
}

/** Returns whether the text of a cell says nothing about the address that it is linked to. */
export function isLinkedText({ text, link }: SheetCell): boolean {
  return isUrl(link ?? '') && !isUrl(text);
}

/**
 * Returns the destination in a cell: its text, with `https://` before a domain, or the address that it is linked to.
 */
export function destinationIn({ text, link }: SheetCell): string {
  return link !== null && !isUrl(text) && !beginsWithDomain(text) ? link : withScheme(text);
}

const problems: Readonly<Record<CellProblem, (noun: string, text: string) => string>> = {
  'computed link': () => 'The link is computed. Put the address itself into a cell.',
  error: (noun, text) => `The cell of the ${noun} shows ${text}. Correct its formula.`,
  'no result': (noun) =>
    `The cell of the ${noun} has a formula whose result is not in the file. Open the file in a spreadsheet, save it, and use that file.`,
};

/**
 * Returns why the text of a cell cannot be used, in words, or null.
 *
 * @param noun what the cell is for, such as "name"
 */
export function textProblem(cell: SheetCell | undefined, noun: string): string | null {
  const { text = '', problem } = cell ?? {};
  const shown = problem === undefined && isErrorText(text) ? 'error' : problem;
  return shown === undefined || shown === 'computed link' ? null : problems[shown](noun, text);
}

/** Returns why the destination in a cell cannot be used, in words, or null. */
export function destinationProblem(cell: SheetCell | undefined): string | null {
  const isComputed = cell?.problem === 'computed link' && !isUrl(cell.text);
  return isComputed ? problems['computed link']('', '') : textProblem(cell, 'destination');
}
