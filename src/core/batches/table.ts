import { csvRecords, detectDelimiter, splitCsvRow, withoutFormulaGuard } from '../../lib/csv.ts';
import { formatCount } from '../../lib/numbers.ts';
import type { Sheet, SheetCell } from '../../lib/spreadsheet/cells.ts';
import { type LabelName, mapLabels } from '../codes/fields.ts';
import { maxDestinationLength, trimInvisible } from '../codes/urls/destination.ts';
import { reachOf } from '../codes/urls/host.ts';
import { InvalidInput } from '../errors.ts';
import { decodeText, describeFile, describeSheet, maxColumns } from '../text-file.ts';
import { type BatchRow, maxBatchRows } from './batch.ts';
import {
  destinationIn,
  isAddress,
  isKnownHeader,
  layoutOf,
  type TableLayout,
  type TableRow,
} from './columns.ts';

/** Maximum size of a table in bytes: more than 5,000 rows with long names and notes. */
export const maxTableBytes = 10_000_000;

/** A table of codes to create. */
export interface ParsedTable {
  /** With the problem of those that cannot be used. Destinations are not checked yet. */
  readonly rows: readonly BatchRow[];
  readonly ignoredColumns: readonly string[];
  /** Sentences on what was recognized, and what was changed or left out. */
  readonly notices: readonly string[];
}

/**
 * Parses a table: CSV, CSV with semicolons, tab-separated values as a spreadsheet copies them, one address a line, or
 * the sheet of a spreadsheet. Columns are found by the header, see `layoutOf`. Empty rows are left out.
 *
 * @param table a file in text form, pasted text, or a sheet
 * @throws InvalidInput when the file is no such table or has more than `maxBatchRows`
 */
export function parseTable(table: Uint8Array | string | Sheet): ParsedTable {
  const isText = typeof table === 'string' || table instanceof Uint8Array;
  const { encoding, rows } = isText ? textRows(table) : { encoding: null, rows: table.rows };
  const tableRows = filledRows(rows);
  const { columns, leadingRows, ignoredColumns, notices } = layoutOf(tableRows);
  const data = tableRows.slice(leadingRows);
  if (data.length > maxBatchRows) throw tooManyRows();
  const seen = new Map<string, number>();
  const parsed = data.map(({ row: number, cells }) => {
    const row = cells === null ? brokenRow(number) : rowOfCells(number, cells, columns);
    return row.problem === null ? { ...row, problem: duplicateProblem(row, seen) } : row;
  });
  if (parsed.length === 0)
    throw new InvalidInput(
      'There is no row in the table. It needs a destination in each row, and may have a name and a note.',
    );
  return {
    rows: parsed,
    ignoredColumns,
    notices: [
      ...(isText ? [] : describeSheet(table)),
      ...describeFile(encoding, []),
      ...notices,
      ...describeFile(null, ignoredColumns),
      ...schemeNotices(data, columns.destination),
      ...reachNotices(parsed),
    ],
  };
}

const maxNamedRows = 10;

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
  const rest = rows.length > maxNamedRows ? ` and ${rows.length - maxNamedRows} others` : '';
  return `${rows.length === 1 ? 'address of row' : 'addresses of rows'} ${named}${rest}`;
}

/** Returns the rows that are not empty. @throws InvalidInput when there are too many rows or columns */
function filledRows(rows: Iterable<TableRow>): TableRow[] {
  const filled: TableRow[] = [];
  for (const { row, cells } of rows) {
    if (cells !== null && cells.length > maxColumns)
      throw new InvalidInput(
        `Row ${row} has more than ${maxColumns} columns. The table needs a destination, and may have a name and a note.`,
      );
    const trimmed = cells?.map(({ text, link }) => ({ text: trimInvisible(text), link })) ?? null;
    if (trimmed?.every(({ text, link }) => text === '' && link === null)) continue;
    if (filled.length === maxTableRows) throw tooManyRows();
    filled.push({ row, cells: trimmed });
  }
  return filled;
}

/** Maximum number of rows of a table, with those before its data. */
export const maxTableRows = maxBatchRows + 20;

function textRows(table: Uint8Array | string): {
  encoding: string | null;
  rows: Iterable<TableRow>;
} {
  const { text: decoded, encoding } = decodeText(table, maxTableBytes);
  if (/^\s*[[{]\s*["{]/.test(decoded))
    throw new InvalidInput('The file is JSON, and no table. Use .xlsx, .ods or CSV.');
  const text = withLineFeeds(decoded);
  const separator = /^sep=(.)\n/i.exec(text);
  const body = separator === null ? text : text.slice(separator[0].length);
  const firstRow = separator === null ? 1 : 2;
  return { encoding, rows: rowsOfText(body, firstRow, separator?.[1] ?? delimiterOf(body)) };
}

function* rowsOfText(
  text: string,
  firstRow: number,
  delimiter: string | null,
): Generator<TableRow> {
  let row = firstRow;
  for (const fields of records(text, delimiter)) {
    if (row - firstRow === maxLines) throw tooManyRows();
    const cells = fields?.map((field) => textCell(withoutFormulaGuard(trimInvisible(field))));
    yield { row, cells: cells ?? null };
    row++;
  }
}

function textCell(text: string): SheetCell {
  return { text, link: null };
}

/** Converts line breaks to `\n`. @throws InvalidInput when converting them would take seconds */
function withLineFeeds(text: string): string {
  let returns = 0;
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1))
    if (++returns > maxReturns) throw tooManyRows();
  return returns === 0 ? text : text.replaceAll(/\r\n?/g, '\n');
}

function tooManyRows(): InvalidInput {
  return new InvalidInput(
    `The table has more than ${formatCount(maxBatchRows, 'row')}. Split it into several.`,
  );
}

/** Parses records until one is broken, from which on each line is a record. */
function records(text: string, delimiter: string | null): Iterable<string[] | null> {
  return delimiter === null ? addresses(text) : csvRecords(text, delimiter, maxColumns);
}

function* addresses(text: string): Generator<string[]> {
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    yield [unquoted(trimInvisible(text.slice(at, end)))];
    at = end + 1;
  }
}

function unquoted(line: string): string {
  return splitCsvRow(line, '\n')?.[0] ?? line;
}

// Empty lines included, which take time too.
const maxLines = 20 * maxBatchRows;
// 200 in the note of each row.
const maxReturns = 200 * maxBatchRows;
// Enough to see how a file is made.
const sampleLines = 50;
// Longer than a row with the longest destination. Splitting a line of megabytes would take seconds.
const sampleLineLength = 10_000;

/** Returns the delimiter; null when each line is one address, which may contain any of them. */
function delimiterOf(text: string): string | null {
  const lines = firstLines(text);
  const cellsOf = (line: string, delimiter: string) =>
    splitCsvRow(line, delimiter)?.map((cell) => textCell(trimInvisible(cell))) ?? [];
  for (const line of lines.slice(0, sampleLines / 5))
    for (const delimiter of delimiters)
      if (isKnownHeader(cellsOf(line, delimiter)))
        if (line.includes(delimiter)) return delimiter;
        else if (!/[,;\t|]/.test(line) && line === lines[0]) return null;
  if (lines.some((line) => line.includes('\t'))) return '\t';
  const isLine = (line: string) => isAddress(textCell(trimInvisible(line)));
  const [first = '', ...others] = lines;
  const isList = others.length > 0 && others.every(isLine) && !/[,;|]/.test(first);
  return isLine(first) && others.every(isLine) ? null : isList ? null : detectDelimiter(lines);
}

const delimiters = [',', ';', '\t', '|'];

function firstLines(text: string): string[] {
  const lines: string[] = [];
  let scanned = 0;
  for (let at = 0; at < text.length && lines.length < sampleLines && scanned++ < maxLines; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end === -1 ? text.length : end, at + sampleLineLength));
    if (line.trim() !== '') lines.push(line);
    at = end === -1 ? text.length : end + 1;
  }
  return lines;
}

function rowOfCells(
  row: number,
  cells: readonly SheetCell[],
  columns: TableLayout['columns'],
): BatchRow {
  const destination = destinationIn(cells[columns.destination] ?? textCell(''));
  return parseRow(row, destination, (label) => cells[columns[label]]?.text ?? '');
}

/** Parses the texts of a row. A text that is too long to be kept is shortened. */
export function parseRow(
  row: number,
  destination: string,
  text: (label: LabelName) => string,
): BatchRow {
  const fail = (problem: string): BatchRow => ({
    row,
    ...mapLabels((label) => shorten(text(label), maxKeptLength) || null),
    destination: shorten(
      destination,
      destination.length > 2 * maxDestinationLength ? maxShownLength : Number.POSITIVE_INFINITY,
    ),
    problem,
  });
  if (destination === '') return fail('The row has no destination.');
  // Longer ones would only fill the database: no destination of that length is valid.
  if (destination.length > 2 * maxDestinationLength)
    return fail(`The URL is longer than ${maxDestinationLength} characters.`);
  try {
    const labels = mapLabels((label, { parse }) => parse(text(label)));
    return { row, ...labels, destination, problem: null };
  } catch (error) {
    if (error instanceof InvalidInput) return fail(error.message);
    throw error;
  }
}

function brokenRow(row: number): BatchRow {
  const problem = 'A quotation mark is not closed, or text follows it.';
  return { row, ...mapLabels(() => null), destination: '', problem };
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
export function duplicateProblem(row: BatchRow, seen: Map<string, number>): string | null {
  const key = rowKey(row);
  const earlier = seen.get(key);
  if (earlier === undefined) seen.set(key, row.row);
  return earlier === undefined ? null : `Row ${earlier} has the same name and destination.`;
}

/** Identifies the code of a row. */
export function rowKey({ name, destination }: Pick<BatchRow, 'name' | 'destination'>): string {
  return JSON.stringify([name, destination]);
}
