import { detectDelimiter, splitCsvRow } from '../../lib/csv.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { Sheet, SheetCell } from '../../lib/spreadsheet/cells.ts';
import { trimInvisible } from '../../lib/trim.ts';
import { type LabelName, labelNames, labelPhrase, mapLabels } from '../codes/fields.ts';
import {
  destinationIn,
  destinationProblem,
  isAddress,
  textProblem,
} from '../codes/tables/cell-address.ts';
import {
  brokenRow,
  contentOf,
  filledRows,
  type TableBounds,
  type TableRow,
  textCell,
  withNotices,
} from '../codes/tables/rows.ts';
import { describeFile, readSheet } from '../codes/tables/text-file.ts';
import { maxDestinationLength } from '../codes/urls/destination.ts';
import { reachOf } from '../codes/urls/host.ts';
import { resemblesDomain } from '../codes/urls/typed-address.ts';
import { InvalidInput, reasonOf } from '../errors.ts';
import type { Reason, RowReason } from '../reasons.ts';
import { type BatchRow, maxBatchRows } from './batch.ts';
import { isKnownHeader, layoutOf, maxLeadingRows, type TableLayout } from './columns.ts';

/** Bounds of a table. The bytes are more than 5,000 rows with long names and notes have. */
export const tableBounds: TableBounds = {
  maxBytes: 10_000_000,
  // With those before the data.
  maxRows: maxBatchRows + 20,
  maxLines: 20 * maxBatchRows,
  tooLong: `The table has more than ${formatCount(maxBatchRows, 'row')}. Split it into several.`,
  tooWide: `. The table needs a destination, and may have a ${labelPhrase.toLowerCase()}.`,
};

/** A table of codes to create. */
export interface ParsedTable {
  /** With the problem of those that cannot be used. Destinations are not checked yet. */
  readonly rows: readonly BatchRow[];
  readonly ignoredColumns: readonly string[];
  /** Sentences on what was recognized, and what was changed or left out. */
  readonly notices: readonly string[];
  /** Names of the sheets that were not read. */
  readonly otherSheets: readonly string[];
}

/**
 * Reads a table: a file, `.xlsx` and `.ods` included, or pasted text, see {@link parseTable}.
 *
 * @throws AmbiguousDestination, InvalidInput
 */
export async function readTable(
  file: Uint8Array | string,
  { sheet, column = null }: { sheet?: string | undefined; column?: string | null | undefined },
): Promise<ParsedTable> {
  return parseTable(await readSheet(file, sheet, tableBounds), column);
}

/**
 * Parses a table: CSV, CSV with semicolons, tab-separated values as a spreadsheet copies them, one address a line, or
 * the sheet of a spreadsheet. Columns are found by the header, see `layoutOf`. Empty rows are left out.
 *
 * @param table a file in text form, pasted text, or a sheet
 * @param column header or letter of the destinations; null to find them
 * @throws AmbiguousDestination when several columns may have the destinations
 * @throws InvalidInput when the file is no such table or has more than `maxBatchRows`
 */
export function parseTable(
  table: Uint8Array | string | Sheet,
  column: string | null = null,
): ParsedTable {
  const content = contentOf(table, tableBounds);
  if (content.text !== null && /^\s*[[{]\s*["{]/.test(content.text))
    throw new InvalidInput('The file is JSON, and no table. Use .xlsx, .ods or CSV.');
  const rows = [...filledRows(content, delimiterOf, tableBounds)];
  const { columns, leadingRows, ignoredColumns, notices } = withNotices(content.notices, () =>
    layoutOf(rows, column),
  );
  const data = rows.slice(leadingRows);
  if (data.length > maxBatchRows) throw new InvalidInput(tableBounds.tooLong);
  const seen = new Map<string, number>();
  const parsed = data.map(({ row: number, cells }) => {
    const row = cells === null ? brokenBatchRow(number) : rowOfCells(number, cells, columns);
    return row.problem === null ? { ...row, problem: duplicateProblem(row, seen) } : row;
  });
  if (parsed.length === 0)
    throw new InvalidInput(
      `There is no row in the table. It needs a destination in each row, and may have a ${labelPhrase.toLowerCase()}.`,
    );
  return {
    rows: parsed,
    ignoredColumns,
    otherSheets: content.otherSheets,
    notices: [
      ...content.notices,
      ...notices,
      ...describeFile(null, ignoredColumns),
      ...lineNotices(content.text, data),
      ...schemeNotices(data, columns.destination),
      ...reachNotices(parsed),
    ],
  };
}

const maxNamedRows = 10;

/** Says that lines are read whole, where each has what could be a delimiter. */
function lineNotices(text: string | null, data: readonly TableRow[]): string[] {
  const isList = text !== null && data.every(({ cells }) => cells?.length === 1);
  if (!isList || !data.every(({ cells }) => /[,;|]/.test(cells?.[0]?.text ?? ''))) return [];
  return [
    'Each line is taken as one address. If it has several columns, put a header such as "destination,name" above.',
  ];
}

/** Names the rows whose destination got `https://` in front. */
function schemeNotices(data: readonly TableRow[], column: number): string[] {
  const changed = data.flatMap(({ row, cells }) => {
    const cell = cells?.[column];
    return cell !== undefined && destinationIn(cell) === `https://${cell.text}` ? [row] : [];
  });
  if (changed.length === 0) return [];
  return [`https:// was put before the ${addressesOf(changed)}.`];
}

/** Names the rows whose destination not every phone can open. */
function reachNotices(rows: readonly BatchRow[]): string[] {
  const near = rows.flatMap(({ row, destination, problem }) => {
    const isWeb = problem === null && /^https?:/i.test(destination);
    const url = isWeb ? URL.parse(destination) : null;
    return url !== null && reachOf(url) !== 'anyone' ? [row] : [];
  });
  return near.length === 0
    ? []
    : [`Only phones in your network, or none, can open the ${addressesOf(near)}.`];
}

function addressesOf(rows: readonly number[]): string {
  const named = rows.slice(0, maxNamedRows).join(', ');
  const more = rows.length - maxNamedRows;
  const rest = more > 0 ? ` and ${formatCount(more, 'other')}` : '';
  return `${rows.length === 1 ? 'address of row' : 'addresses of rows'} ${named}${rest}`;
}

/** Returns the delimiter; a line break when each line is one address, which may contain any of them. */
function delimiterOf(lines: readonly string[]): string {
  const cellsOf = (line: string, delimiter: string) =>
    splitCsvRow(line, delimiter)?.map((cell) => textCell(trimInvisible(cell))) ?? [];
  for (const line of lines.slice(0, maxLeadingRows))
    for (const delimiter of delimiters)
      if (isKnownHeader(cellsOf(line, delimiter)))
        if (line.includes(delimiter)) return delimiter;
        else if (!/[,;\t|]/.test(line) && line === lines[0]) return '\n';
  if (lines.some((line) => line.includes('\t'))) return '\t';
  const pair = delimiters.find((delimiter) =>
    lines.every((line) => cellsOf(line, delimiter).filter(isAddress).length > 1),
  );
  if (pair !== undefined) return pair;
  const isLine = (line: string) => isAddress(textCell(trimInvisible(line)));
  const [first = '', ...others] = lines;
  const isList = others.length > 0 && !/[,;|]/.test(first);
  return others.every(isLine) && (isList || isLine(first)) ? '\n' : detectDelimiter(lines);
}

const delimiters = [',', ';', '\t', '|'];

function rowOfCells(
  row: number,
  cells: readonly SheetCell[],
  columns: TableLayout['columns'],
): BatchRow {
  const destination = destinationIn(cells[columns.destination] ?? textCell(''));
  const parsed = parseRow(row, destination, (label) => cells[columns[label]]?.text ?? '');
  const problem =
    destinationProblem(cells[columns.destination]) ??
    labelNames.map((label) => labelProblem(cells[columns[label]], label)).find(Boolean) ??
    null;
  return problem === null ? parsed : { ...parsed, problem };
}

function labelProblem(cell: SheetCell | undefined, label: LabelName): RowReason | null {
  // An earlier program could not read the character.
  if (cell?.text.includes('\ufffd') === true) return { kind: 'lost characters', noun: label };
  return textProblem(cell, label);
}

/** Parses the texts of a row. A text that is too long to be kept is shortened. */
export function parseRow(
  row: number,
  destination: string,
  text: (label: LabelName) => string,
): BatchRow {
  const fail = (problem: Reason): BatchRow => ({
    row,
    ...mapLabels((label) => shorten(text(label), maxKeptLength) || null),
    destination: shorten(
      destination,
      destination.length > 2 * maxDestinationLength ? maxShownLength : Number.POSITIVE_INFINITY,
    ),
    problem,
  });
  if (destination === '') return fail({ kind: 'no destination in the row' });
  // Longer ones would only fill the database: no destination of that length is valid.
  if (destination.length > 2 * maxDestinationLength)
    return fail({ kind: 'wrong destination', problem: 'too long', text: '', meant: null });
  if (resemblesDomain(destination)) return fail({ kind: 'resembles a domain', text: destination });
  try {
    const labels = mapLabels((label, { parse }) => parse(text(label)));
    return { row, ...labels, destination, problem: null };
  } catch (error) {
    return fail(reasonOf(error));
  }
}

function brokenBatchRow(row: number): BatchRow {
  return { row, ...mapLabels(() => null), destination: '', problem: brokenRow };
}

const maxShownLength = 200;
// Enough to correct a name or note that is too long.
const maxKeptLength = 2000;

function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A surrogate pair is not split.
  return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the problem of a row if an earlier one has the same name and destination, else remembers it. */
export function duplicateProblem(row: BatchRow, seen: Map<string, number>): RowReason | null {
  const key = rowKey(row);
  const earlier = seen.get(key);
  if (earlier === undefined) seen.set(key, row.row);
  return earlier === undefined ? null : { kind: 'same as an earlier row', row: earlier };
}

/** Identifies the code of a row. */
export function rowKey({ name, destination }: Pick<BatchRow, 'name' | 'destination'>): string {
  return JSON.stringify([name, destination]);
}
