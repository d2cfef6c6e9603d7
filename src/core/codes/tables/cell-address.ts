import type { SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { isErrorText } from '../../../lib/spreadsheet/cells.ts';
import type { RowReason } from '../../reasons.ts';
import { beginsWithDomain, withScheme } from '../urls/typed-address.ts';

function isUrl(text: string): boolean {
  return /^"?\s*https?:\/\//i.test(text);
}

/**
 * Returns whether a cell has an address with a scheme, in its text or as its link.
 * The link may be computed.
 */
export function isAddress(cell: SheetCell | undefined): boolean {
  return isUrl(cell?.text ?? '') || isUrl(cell?.link ?? '') || cell?.problem === 'computed link';
}

/** Returns whether a cell has an address, or begins with a domain: `Nr.7`, `1.5` and `menu.pdf` do not. */
export function isAddressLike(cell: SheetCell | undefined): boolean {
  return isAddress(cell) || beginsWithDomain(cell?.text ?? '');
}

/**
 * Returns the destination in a cell.
 * Its text, with `https://` before a domain, or the address that it is linked to. Empty if that is not known.
 */
export function destinationIn(cell: SheetCell): string {
  const { text, link, problem } = cell;
  // Its text is a label.
  if (problem === 'computed link') return '';
  return link !== null && (cell.isLabel === true || !isWholeAddress(text))
    ? link
    : withScheme(text);
}

/** Returns whether a text is an address, and not one that a program has shortened. */
function isWholeAddress(text: string): boolean {
  return (isUrl(text) || beginsWithDomain(text)) && !/(?:…|\.\.\.)$/.test(text);
}

/** Returns whether a cell shows another address than the one that it is linked to. */
export function differsFromLink(cell: SheetCell): boolean {
  if (!isUrl(cell.link ?? '') || cell.isLabel === true || !isWholeAddress(cell.text)) return false;
  const [shown, linked] = [destinationIn(cell), cell.link ?? ''].map((address) =>
    URL.parse(address)?.href.replace(/^https?:\/\/(?:www\.)?|\/$/g, ''),
  );
  return shown !== linked;
}

/**
 * Returns why the text of a cell cannot be used, or null.
 *
 * @param noun what the cell is for, such as "name"
 */
export function textProblem(cell: SheetCell | undefined, noun: string): RowReason | null {
  const { text = '', problem } = cell ?? {};
  if (problem === 'error' || (problem === undefined && isErrorText(text)))
    return { kind: 'error in a cell', noun, text };
  return problem === 'no result' ? { kind: 'no result in a cell', noun } : null;
}

/** Returns why the destination in a cell cannot be used, or null. */
export function destinationProblem(cell: SheetCell | undefined): RowReason | null {
  return cell?.problem === 'computed link'
    ? { kind: 'computed link' }
    : textProblem(cell, 'destination');
}
