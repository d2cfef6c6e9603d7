import {
  columnLetters,
  columnOf,
  type SheetBounds,
  type SheetContent,
  type SheetRow,
} from './cells.ts';

/** Collects what people see of a sheet beside its cells: hidden rows and columns, and merged cells. */
export interface MarkCollector {
  hideRows(row: number, times: number): void;
  /** @param end the column behind the last */
  hideColumns(first: number, end: number): void;
  /** @param range such as `A2:A4` */
  merge(range: string): void;
  /** Returns the content of the sheet: its rows, and the marks that are on them. */
  content(rows: readonly SheetRow[]): SheetContent;
}

// Enough to name some.
const maxMarks = 1000;

export function collectMarks({ maxColumns }: SheetBounds): MarkCollector {
  const hiddenRows: { first: number; last: number }[] = [];
  const hiddenColumns = new Set<number>();
  const mergedRows: string[] = [];
  return {
    hideRows: (row, times) => {
      const last = hiddenRows.at(-1);
      if (last !== undefined && last.last === row - 1) last.last = row + times - 1;
      else if (hiddenRows.length < maxMarks) hiddenRows.push({ first: row, last: row + times - 1 });
    },
    hideColumns: (first, end) => {
      for (let column = Math.max(0, first); column < Math.min(end, maxColumns); column++)
        hiddenColumns.add(column);
    },
    merge: (range) => {
      const [, first = '', last = ''] =
        /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(range) ?? [];
      if (first !== last && mergedRows.length < maxMarks) mergedRows.push(range);
    },
    content: (rows) => {
      const isHidden = hiddenTester(hiddenRows);
      const isUsed = (column: number) =>
        rows.some(({ cells }) => (cells[column]?.text ?? '') !== '');
      const hasText = new Map(rows.map(({ row, cells }) => [row, cells]));
      return {
        rows,
        hiddenRows: rows.flatMap(({ row }) => (isHidden(row) ? [row] : [])),
        hiddenColumns: [...hiddenColumns].filter(isUsed),
        mergedRows: mergedRows.filter((range) => {
          const [, letters = '', row = ''] = /^([A-Z]+)(\d+)/.exec(range) ?? [];
          return (hasText.get(Number(row))?.[columnOf(letters)]?.text ?? '') !== '';
        }),
      };
    },
  };
}

/**
 * Returns the function that tells whether a row is in one of the ranges.
 * Ranges and rows are in order.
 */
function hiddenTester(
  ranges: readonly { first: number; last: number }[],
): (row: number) => boolean {
  let at = 0;
  return (row) => {
    while ((ranges[at]?.last ?? Number.POSITIVE_INFINITY) < row) at++;
    return row >= (ranges[at]?.first ?? Number.POSITIVE_INFINITY);
  };
}

/** Returns the range of cells that are merged, from their first one. */
export function rangeOf(column: number, row: number, columns: number, rows: number): string {
  return `${columnLetters(column)}${row}:${columnLetters(column + columns - 1)}${row + rows - 1}`;
}
