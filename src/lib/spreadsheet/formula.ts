import { type CellProblem, cellText, columnOf, maxContentLength, type SheetCell } from './cells.ts';

/**
 * A cell of the row of a formula, as `&` reads it: text, or a whole number.
 * Null when that is not certain, and for an empty cell, which would leave an address that is cut off.
 */
type CellValue = string | null;

/** Where a formula stands, and the cells of its row. */
export interface FormulaRow {
  /** Number of the row, from 1. */
  readonly row: number;
  valueAt(column: number): CellValue;
}

/** How far a formula was copied from the cell that it was written for. */
interface Offset {
  readonly rows: number;
  readonly columns: number;
}

/**
 * The address that a formula links its cell to.
 * Null for none, `computed` when it cannot be told from the row.
 */
type FormulaLink = { readonly link: string } | 'computed' | null;

/** A formula, where it was written first, and what its cell shows. */
export interface FormulaCell {
  readonly formula: string;
  readonly offset?: Offset;
  readonly text: string;
  /** Whether the file has a result. */
  readonly hasResult: boolean;
  readonly isError: boolean;
}

/** Returns the cell of a formula. */
export function formulaCell(cell: FormulaCell, row: FormulaRow): SheetCell {
  const { formula, offset, text, hasResult, isError } = cell;
  const tokens = tokensOf(formula);
  const found = linkOf(tokens, row, offset);
  // Without a label, the result is the address.
  const link = found === 'computed' && hasResult && !hasLabel(tokens) ? null : found;
  const problem: CellProblem | null =
    isError && text !== ''
      ? 'error'
      : link === 'computed'
        ? 'computed link'
        : link === null && !hasResult
          ? 'no result'
          : null;
  return {
    // Some programs store 0 in place of a result.
    text: hasResult || isError ? text : '',
    link: link === 'computed' ? null : (link?.link ?? null),
    ...(link !== null && { isLabel: true }),
    ...(problem !== null && { problem }),
  };
}

// In this order: text, name of a sheet, cell, name, number, any other sign.
const token =
  /"(?:[^"]|"")*"?|'(?:[^']|'')*'?|\[\.?\$?[A-Z]{1,3}\$?\d{1,7}\]|\$?[A-Z]{1,3}\$?\d{1,7}(?![\w(.!:])|[A-Z_][\w.]*|\d[\w.]*|\S/gi;

/**
 * Splits a formula into tokens, `;` as `,`.
 *
 * @param formula of Excel (`HYPERLINK("…"&A2,"…")`) or OpenDocument (`of:=HYPERLINK("…"&[.A2];"…")`)
 * @returns none for a formula that links nothing
 */
function tokensOf(formula: string): string[] {
  const text = formula.slice(0, maxContentLength);
  if (!/HYPERLINK\s*\(/i.test(text)) return [];
  const tokens = text.replace(/^(?:[a-z]+:)?\s*=?/i, '').match(token) ?? [];
  return tokens.map((one) => (one === ';' ? ',' : one));
}

/**
 * Returns where a formula links its cell to:
 * `HYPERLINK` of texts and cells of the same row, which `&`, `CONCATENATE` or `CONCAT` join. Everything else would need
 * a spreadsheet.
 */
function linkOf(
  tokens: readonly string[],
  row: FormulaRow,
  offset: Offset = { rows: 0, columns: 0 },
): FormulaLink {
  if (tokens.length === 0) return null;
  if (!/^HYPERLINK$/i.test(tokens[0] ?? '') || tokens[1] !== '(') return 'computed';
  const parser = createParser(tokens, 2, row, offset);
  const address = parser.joined();
  const isArgument = /^[,)]$/.test(parser.next() ?? '');
  return address === null || !isArgument || !isOneCall(tokens)
    ? 'computed'
    : { link: cellText(address) };
}

/** Returns whether a `HYPERLINK` in a formula has a second argument, which its cell shows. */
function hasLabel(tokens: readonly string[]): boolean {
  const isLinkOf: boolean[] = [];
  for (const [at, one] of tokens.entries()) {
    if (/^[([{]$/.test(one)) isLinkOf.push(/HYPERLINK$/i.test(tokens[at - 1] ?? ''));
    else if (/^[)\]}]$/.test(one)) isLinkOf.pop();
    else if (one === ',' && isLinkOf.at(-1) === true) return true;
  }
  return false;
}

/** Returns whether the parenthesis that opens first closes at the end. */
function isOneCall(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const [at, one] of tokens.entries()) {
    if (one === '(') depth++;
    else if (one === ')' && --depth === 0) return at === tokens.length - 1;
  }
  return false;
}

// Deeper than people nest functions.
const maxDepth = 20;

function createParser(tokens: readonly string[], from: number, row: FormulaRow, offset: Offset) {
  let at = from;
  const next = () => tokens[at];

  /** Reads values that `&` joins; null when one is not known. */
  const joined = (depth = 0): string | null => {
    let text = '';
    for (;;) {
      const value = single(depth);
      if (value === null) return null;
      text += value;
      if (text.length > maxContentLength) return null;
      if (next() !== '&') return text;
      at++;
    }
  };

  const single = (depth: number): string | null => {
    const first = tokens[at++] ?? '';
    if (depth > maxDepth) return null;
    if (first.startsWith('"')) return first.slice(1, -1).replaceAll('""', '"');
    if (/^\d+$/.test(first)) return String(Number(first));
    if (first === '(') return closed(joined(depth + 1));
    if (/^(?:_xlfn\.)?CONCAT(?:ENATE)?$/i.test(first) && next() === '(') {
      at++;
      return list(depth + 1);
    }
    return cell(first);
  };

  const closed = (value: string | null) => (tokens[at++] === ')' ? value : null);

  const list = (depth: number): string | null => {
    let text = '';
    for (;;) {
      const value = joined(depth);
      const sign = tokens[at++];
      if (value === null) return null;
      text += value;
      if (sign === ')') return text;
      if (sign !== ',' || text.length > maxContentLength) return null;
    }
  };

  const cell = (reference: string): string | null => {
    const [, column = '', letters = '', fixed = '', number = ''] =
      /^(?:\[\.?)?(\$?)([A-Z]{1,3})(\$?)(\d+)\]?$/i.exec(reference) ?? [];
    if (letters === '') return null;
    const isSameRow = Number(number) + (fixed === '' ? offset.rows : 0) === row.row;
    const shift = column === '' ? offset.columns : 0;
    return isSameRow ? row.valueAt(columnOf(letters.toUpperCase()) + shift) : null;
  };

  return { joined, next };
}
