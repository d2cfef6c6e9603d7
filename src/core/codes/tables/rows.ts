import { csvRecords, withoutFormulaGuard } from '../../../lib/csv.ts';
import { cellText, type Sheet, type SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import type { RowReason } from '../../reasons.ts';
import type { Reading } from './encodings.ts';
import type { FileNotice, FileReason } from './file-reasons.ts';
import { decodeText, maxColumns, sheetNotices, type TextOptions } from './text-file.ts';

/** A row of a table, spreadsheet or text. */
export interface TableRow {
  /** Number in the file, from 1. */
  readonly row: number;
  /** Null when the row is broken, see {@link brokenRow}. */
  readonly cells: readonly SheetCell[] | null;
}

/** The reason of a row with a quotation mark that is not closed, or that text follows. */
export const brokenRow = { kind: 'row not closed' } as const satisfies RowReason;

/** The reason of a row that a delimiter within one of its texts has split. */
const splitRow = { kind: 'split row' } as const satisfies RowReason;

/**
 * Returns the reason of a row of CSV that a delimiter inside a text has split, or null.
 * Such a row has more cells than the header, or coordinates in two cells.
 *
 * @param width number of cells of the header; null without one
 */
export function splitProblem(cells: readonly SheetCell[], width: number | null): RowReason | null {
  const isLonger = width !== null && cells.slice(width).some(({ text }) => text !== '');
  return isLonger || cells.some(isCutCoordinate) ? splitRow : null;
}

// Longer than a latitude.
const maxLatitudeLength = 30;

/**
 * Returns whether an address ends with a latitude and the longitude is in the next cell.
 * Addresses of maps have both.
 */
function isCutCoordinate(
  { text }: SheetCell,
  column: number,
  cells: readonly SheetCell[],
): boolean {
  if (!/^https?:/i.test(text)) return false;
  const isLatitude = /[@=/]-?\d{1,2}\.\d{1,20}$/.test(text.slice(-maxLatitudeLength));
  return isLatitude && /^-?\d{1,3}\.\d/.test(cells[column + 1]?.text ?? '');
}

/** What a table may have at most, and why one that has more is refused. */
export interface TableBounds {
  readonly maxBytes: number;
  /** Rows that are not empty. */
  readonly maxRows: number;
  /** Lines of a text, empty ones included, which take time too. */
  readonly maxLines: number;
  readonly tooLong: FileReason;
  /** Returns the reason for a row with too many columns. */
  readonly tooWide: (row: number, max: number) => FileReason;
}

/** The content of a file: a text with `\n` as line break, or the rows of a sheet. */
type FileContent = {
  readonly notices: readonly FileNotice[];
  /** Names of the sheets that are not read. */
  readonly otherSheets: readonly string[];
  /** Sheets that have rows; none of a text. */
  readonly sheets: readonly string[];
  /** How encodings read a text that is not in Unicode; else none. */
  readonly readings: readonly Reading[];
  /** Whether somebody has to say which of them is right. */
  readonly isEncodingOpen: boolean;
} & (
  | { readonly text: string; readonly rows: null }
  | { readonly text: null; readonly rows: readonly TableRow[] }
);

// Converting more takes seconds.
const maxReturns = 1_000_000;
// Enough to see how a file is made.
const sampleLines = 50;
// Longer than a row with the longest destination. Splitting a line of megabytes would take seconds.
const sampleLineLength = 10_000;

/**
 * Returns the content of a file, with what was recognized.
 *
 * @param file a file in text form, pasted text, or a sheet, see `readSheet`
 * @throws Refused when it is neither, or too large
 */
export function contentOf(
  file: Uint8Array | string | Sheet,
  bounds: TableBounds,
  options: TextOptions = {},
): FileContent {
  if (typeof file !== 'string' && !(file instanceof Uint8Array)) {
    return {
      text: null,
      rows: file.rows,
      notices: sheetNotices(file),
      otherSheets: file.otherSheets,
      sheets: file.sheetsWithRows,
      readings: [],
      isEncodingOpen: false,
    };
  }
  const { text, encoding, ...letters } = decodeText(file, bounds.maxBytes, options);
  requireAtMost(text, '\r', maxReturns, bounds);
  return {
    text: text.replaceAll(/\r\n?/g, '\n'),
    rows: null,
    notices: encoding === null ? [] : [{ kind: 'encoding', encoding }],
    otherSheets: [],
    sheets: [],
    ...letters,
  };
}

/**
 * Runs a step, and adds what was recognized in a file to why it is refused.
 * It may be the cause, such as the sheet that was read.
 */
export function withNotices<T>(notices: readonly FileNotice[], step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Refused) || notices.length === 0) throw error;
    throw new Refused({ kind: 'file refused', reason: error.reason, notices });
  }
}

/**
 * Refuses a text that would take seconds to parse.
 *
 * @throws Refused when a character occurs more than `limit` times
 */
export function requireAtMost(
  text: string,
  character: string,
  limit: number,
  { tooLong }: TableBounds,
): void {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    if (++count > limit) throw new Refused(tooLong);
}

/**
 * Reads the rows that are not empty, with trimmed cells.
 *
 * @param delimiterOf returns the delimiter of a text from its first lines; a first line `sep=;` names it instead
 * @throws Refused from the row that is too wide, or one too many
 */
export function* filledRows(
  content: FileContent,
  delimiterOf: (lines: readonly string[]) => string,
  bounds: TableBounds,
): Generator<TableRow> {
  let filled = 0;
  for (const { row, cells } of content.rows ?? rowsOfText(content.text, delimiterOf, bounds)) {
    if (cells !== null && cells.length > maxColumns)
      throw new Refused(bounds.tooWide(row, maxColumns));
    const trimmed = cells?.map(trimCell) ?? null;
    if (
      trimmed?.every((cell) => cell.text === '' && cell.link === null && cell.problem === undefined)
    )
      continue;
    if (++filled > bounds.maxRows) throw new Refused(bounds.tooLong);
    yield { row, cells: trimmed };
  }
}

/** Returns a cell without blanks at its ends; the same one if it has none, because a table has 500,000. */
function trimCell(cell: SheetCell): SheetCell {
  const text = trimInvisible(cell.text);
  return text.length === cell.text.length ? cell : { ...cell, text };
}

function* rowsOfText(
  text: string,
  delimiterOf: (lines: readonly string[]) => string,
  { maxLines, tooLong }: TableBounds,
): Generator<TableRow> {
  const separator = /^sep=(.)\n/i.exec(text);
  const body = text.slice(separator?.[0].length);
  const delimiter = separator?.[1] ?? delimiterOf(firstLines(body, maxLines));
  let row = separator === null ? 0 : 1;
  for (const fields of csvRecords(body, delimiter, maxColumns)) {
    if (++row > maxLines) throw new Refused(tooLong);
    const cells = fields?.map((field) => textCell(shownText(cellText(field))));
    yield { row, cells: cells ?? null };
  }
}

/** Returns what a spreadsheet shows of a cell of CSV: `="007"` keeps zeros, and an apostrophe formulas. */
function shownText(cell: string): string {
  const [, quoted] = /^="([^"]*)"$/.exec(cell) ?? [];
  return quoted ?? withoutFormulaGuard(cell);
}

/**
 * Returns a cell of CSV, which has no link beside its text.
 * Some programs write formulas in place of their results: a computed link is a problem.
 */
export function textCell(text: string): SheetCell {
  const isLink = /^=HYPERLINK\(/i.test(text);
  return { text, link: null, ...(isLink && { problem: 'computed link' }) };
}

/** Returns the beginnings of the first lines that are not empty. */
function firstLines(text: string, maxLines: number): string[] {
  const lines: string[] = [];
  let scanned = 0;
  for (let at = 0; at < text.length && lines.length < sampleLines && scanned++ < maxLines; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + sampleLineLength));
    if (line.trim() !== '') lines.push(line);
    at = end + 1;
  }
  return lines;
}
