import { trimInvisible } from '../trim.ts';

/** A cell of a spreadsheet. */
export interface SheetCell {
  /** As it is shown. Dates are in ISO 8601. */
  readonly text: string;
  /** The address that it is linked to. */
  readonly link: string | null;
}

/** A row of a spreadsheet that is not empty. */
export interface SheetRow {
  /** Number in the sheet, from 1. */
  readonly row: number;
  readonly cells: readonly SheetCell[];
}

/** How much of a sheet is read. */
export interface SheetBounds {
  /** Rows after which reading stops. Empty ones do not count. */
  readonly maxRows: number;
  /** Columns of a row. Of a longer row, one more is kept, which tells that it is longer. */
  readonly maxColumns: number;
}

/** Thrown for a spreadsheet that cannot be read, with what to do. */
export class SpreadsheetError extends Error {}

/** A sheet of a spreadsheet. */
export interface Sheet {
  readonly sheet: string;
  readonly otherSheets: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** A spreadsheet of which the names of the sheets are known. */
export interface Workbook {
  /** In their order. */
  readonly sheets: readonly string[];
  /** The sheet that is first in view. */
  readonly first: string | undefined;
  /** Reads the cells as they are shown. Empty rows are left out. */
  rows(sheet: string, bounds: SheetBounds): Promise<SheetRow[]>;
}

/** Longest content of a cell, which is that of Excel. What is behind it is left out. */
export const maxContentLength = 32_767;
// More than an address or a note has. The text of a cell may be that of all others, and work is done with each of them.
const maxTextLength = 8_192;

/** Returns the text of a cell without blanks at its ends, in bounded length. */
export function cellText(content: string): string {
  return trimInvisible(content).slice(0, maxTextLength).toWellFormed();
}

/** Sheets of a workbook, at most. */
export const maxSheets = 1000;

/** Collects the cells of a sheet into rows. */
export interface RowCollector {
  readonly rows: SheetRow[];
  /** Adds a cell that is there `times` times, by its column from 0. Empty ones are left out. */
  add(column: number, cell: SheetCell, times?: number): void;
  /** Ends a row, by its number from 1, which is there `times` times. */
  endRow(row: number, times: number): void;
  /** Whether further cells of the row are left out. */
  isRowFull(): boolean;
  /** Whether further rows are left out. */
  isFull(): boolean;
}

export function collectRows({ maxRows, maxColumns }: SheetBounds): RowCollector {
  const rows: SheetRow[] = [];
  let cells: SheetCell[] = [];
  return {
    rows,
    add: (column, cell, times = 1) => {
      if (cell.text === '' && cell.link === null) return;
      while (cells.length < Math.min(column, maxColumns)) cells.push(noCell);
      const end = Math.min(column + times, maxColumns + 1);
      while (cells.length < end) cells.push(cell);
    },
    endRow: (row, times) => {
      if (cells.length > 0)
        for (let at = 0; at < times && rows.length < maxRows; at++)
          rows.push({ row: row + at, cells });
      cells = [];
    },
    isRowFull: () => cells.length > maxColumns,
    isFull: () => rows.length >= maxRows,
  };
}

const noCell: SheetCell = { text: '', link: null };

/** Returns the address of a formula `HYPERLINK("address"; …)`, or null. */
export function linkOfFormula(formula: string): string | null {
  const bounded = formula.slice(0, maxContentLength);
  const [, address] = /^(?:of:)?=?\s*HYPERLINK\(\s*"((?:[^"]|"")*)"/i.exec(bounded) ?? [];
  return address === undefined ? null : cellText(address.replaceAll('""', '"'));
}
