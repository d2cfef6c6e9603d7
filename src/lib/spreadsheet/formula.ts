import { type CellProblem, cellText, columnOf, maxContentLength, type SheetCell } from './cells.ts';

/**
 * A cell of the row of a formula, as `&` reads it: text, or a whole number.
 * Null when that is not certain, and for an empty cell, which would leave an address that is cut off.
 */
export type CellValue = string | null;

/** Where a formula stands, and the cells of its row. */
export interface FormulaRow {
  /** Number of the row, from 1. */
  readonly row: number;
  valueAt(column: number): CellValue;
}

/** How far a formula was copied from the cell that it was written for. */
export interface Offset {
  readonly rows: number;
  readonly columns: number;
}

/**
 * The address that a formula links its cell to.
 * Null for none, `computed` when it cannot be told from the row.
 */
export type FormulaLink = { readonly link: string } | 'computed' | null;

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
  const found = linkOfFormula(formula, row, offset);
  // Without a label, the result is the address.
  const link = found === 'computed' && hasResult && !hasLabel(formula) ? null : found;
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

/**
 * Returns where a formula links its cell to:
 * `HYPERLINK` of texts and cells of the same row, which `&`, `CONCATENATE` or `CONCAT` join. Everything else would need
 * a spreadsheet.
 *
 * @param formula of Excel (`HYPERLINK("…"&A2,"…")`) or OpenDocument (`of:=HYPERLINK("…"&[.A2];"…")`)
 */
export function linkOfFormula(
  formula: string,
  row: FormulaRow,
  offset: Offset = { rows: 0, columns: 0 },
): FormulaLink {
  const text = formula.slice(0, maxContentLength);
  if (!/HYPERLINK\s*\(/i.test(text)) return null;
  const call = text.replace(/^(?:[a-z]+:)?\s*=?/i, '').trim();
  const tokens = tokensOf(call);
  if (tokens === null || !/^HYPERLINK$/i.test(tokens[0] ?? '') || tokens[1] !== '(')
    return 'computed';
  const parser = createParser(tokens, 2, row, offset);
  const address = parser.joined();
  const isArgument = /^[,)]$/.test(parser.next() ?? '');
  return address === null || !isArgument || !isOneCall(call)
    ? 'computed'
    : { link: cellText(address) };
}

/** Returns whether a `HYPERLINK` in a formula has a second argument, which its cell shows. */
function hasLabel(formula: string): boolean {
  const isLinkOf: boolean[] = [];
  let quote = '';
  for (let at = 0; at < Math.min(formula.length, maxContentLength); at++) {
    const sign = formula.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (/["']/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign))
      isLinkOf.push(/HYPERLINK\s*$/i.test(formula.slice(Math.max(0, at - 20), at)));
    else if (/[)\]}]/.test(sign)) isLinkOf.pop();
    else if (/[,;]/.test(sign) && isLinkOf.at(-1) === true) return true;
  }
  return false;
}

/** Returns whether the parenthesis that opens first closes at the end. */
function isOneCall(formula: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < formula.length; at++) {
    const sign = formula[at];
    if (sign === '"') isText = !isText;
    else if (!isText && sign === '(') depth++;
    else if (!isText && sign === ')' && --depth === 0) return at === formula.length - 1;
  }
  return false;
}

const token =
  /\s*(?:("(?:[^"]|"")*")|(\[?\.?\$?[A-Z]{1,3}\$?\d{1,7}\]?)(?![\w(.!:])|([A-Z_][\w.]*)|(\d+)(?![\w.])|([(),;&]))/iy;

/**
 * Splits a formula into texts in quotes, cells, names, whole numbers and signs.
 * Null for anything else.
 */
function tokensOf(formula: string): string[] | null {
  const tokens: string[] = [];
  const text = formula.trim();
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    // What follows the address, such as the text of the link, may be anything.
    if (found === null) return tokens.some((one) => one === ',') ? tokens : null;
    tokens.push(found[0].trim().replace(/^;$/, ','));
  }
  return tokens;
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
      /^\[?\.?(\$?)([A-Z]{1,3})(\$?)(\d+)\]?$/i.exec(reference) ?? [];
    if (letters === '') return null;
    const isSameRow = Number(number) + (fixed === '' ? offset.rows : 0) === row.row;
    const shift = column === '' ? offset.columns : 0;
    return isSameRow ? row.valueAt(columnOf(letters.toUpperCase()) + shift) : null;
  };

  return { joined, next };
}
