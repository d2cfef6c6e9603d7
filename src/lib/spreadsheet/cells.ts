import { trimInvisible } from '../trim.ts';

/** A cell of a spreadsheet. */
export interface SheetCell {
  /** As it is shown. Dates are in ISO 8601. */
  readonly text: string;
  /** The address that it is linked to. */
  readonly link: string | null;
  /** Whether a formula links the cell, so that its text is a label, even if it looks like an address. */
  readonly isLabel?: true;
  readonly problem?: CellProblem;
}

/**
 * Why what is shown in a cell is not known.
 * Its link is computed, its formula results in an error, or the program that wrote the file stored no result.
 */
export type CellProblem = 'computed link' | 'error' | 'no result';

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

/** Why a spreadsheet cannot be read. */
export type SpreadsheetProblem =
  | { readonly kind: 'broken spreadsheet' }
  | { readonly kind: 'spreadsheet too large'; readonly maxBytes: number }
  | { readonly kind: 'spreadsheet with a password' }
  | { readonly kind: 'too many linked cells' }
  | { readonly kind: 'spreadsheet without sheets' }
  | { readonly kind: 'binary spreadsheet' }
  | { readonly kind: 'document of Numbers' }
  | { readonly kind: 'document of text' }
  | { readonly kind: 'no spreadsheet' }
  | {
      readonly kind: 'no such sheet';
      readonly sheet: string;
      /** The first that it has. */
      readonly sheets: readonly string[];
      readonly hasMore: boolean;
    };

/** Thrown for a spreadsheet that cannot be read. */
export class SpreadsheetError extends Error {
  constructor(readonly problem: SpreadsheetProblem) {
    super(problem.kind);
  }
}

/** What is in a sheet. */
export interface SheetContent {
  /** Empty rows are left out. */
  readonly rows: readonly SheetRow[];
  /** Numbers of those that are hidden, by hand or by a filter. */
  readonly hiddenRows?: readonly number[];
  /** Columns from 0. */
  readonly hiddenColumns?: readonly number[];
  /** Ranges of several rows that are one cell, such as `A2:A4`. Only its first row has the text. */
  readonly mergedRows?: readonly string[];
}

/** A sheet of a spreadsheet. */
export interface Sheet extends SheetContent {
  readonly sheet: string;
  readonly otherSheets: readonly string[];
  /** Those that have rows and are not hidden, this one included. */
  readonly sheetsWithRows: readonly string[];
}

/** A spreadsheet of which the names of the sheets are known. */
export interface Workbook {
  /** In their order. */
  readonly sheets: readonly string[];
  /** Those that are not hidden; all if all are. */
  readonly shown: readonly string[];
  /**
   * Reads sheets one after the other, with the cells as they are shown.
   *
   * @param boundsOf is called before a sheet is read
   */
  read(
    sheets: readonly string[],
    boundsOf: (sheet: string) => SheetBounds,
  ): AsyncGenerator<SheetContent>;
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
  /** Returns whether further cells of the row are left out. */
  isRowFull(): boolean;
  /** Returns whether further rows are left out. */
  isFull(): boolean;
}

export function collectRows({ maxRows, maxColumns }: SheetBounds): RowCollector {
  const rows: SheetRow[] = [];
  let cells: SheetCell[] = [];
  return {
    rows,
    add: (column, cell, times = 1) => {
      if (cell.text === '' && cell.link === null && cell.problem === undefined) return;
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

/** Returns the column of its letters, from 0. */
export function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** Returns the letters of a column, as spreadsheets show them. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** Errors as Excel names them in its languages. */
const errors = `
  N/A N/D N/D! N/B I/T NV REF! NAME? VALUE! DIV/0! NULL! NUM! SPILL! CALC! FIELD! BLOCKED! CONNECT! GETTING_DATA ERROR!
  WERT! BEZUG! ZAHL! ÜBERLAUF! NOM? VALEUR! NOMBRE! NUL! ¡VALOR! ¡REF! ¿NOMBRE? ¡NUM! ¡DIV/0! ¡NULO! VALOR! NOME? NÚM! NULO!
  RIF! VALORE! NULLO! WAARDE! VERW! GETAL! NAAM? DEEL/0! LEEG! ARG! ADR! NAZWA? LICZBA! DZIEL/0! ZERO! HODNOTA! ODKAZ! NÁZEV?
  DĚLENÍ_NULOU! ČÍSLO! NENÍ_K_DISPOZICI ÉRTÉK! HIV! NÉV? HIÁNYZIK ZÉRÓOSZTÓ! SZÁM! DEĞER! BAŞV! AD? YOK SAYI/0! SAYI!
  VÄRDEFEL! REFERENS! NAMN? SAKNAS! DIVISION/0! VÆRDI! REFERENCE! NAVN? VERDI! ARVO! VIITTAUS! NIMI? PUUTTUU! JAKO/0! LUKU!
  ЗНАЧ! ССЫЛКА! ИМЯ? Н/Д ДЕЛ/0! ЧИСЛО!`;

const errorTexts: ReadonlySet<string> = new Set(errors.match(/\S+/g)?.map((error) => `#${error}`));

/**
 * Returns whether a text is what a spreadsheet shows in place of a value.
 * An error such as `#N/A`, `####` in a column that is too narrow, or `Loading...`.
 */
export function isErrorText(text: string): boolean {
  return errorTexts.has(text) || /^(?:Err:\d{3}|#{3,}|Loading\.{3})$/.test(text);
}
