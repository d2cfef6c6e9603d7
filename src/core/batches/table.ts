import {
  commonWidth,
  csvRecords,
  detectDelimiter,
  splitCsvRow,
  withoutFormulaGuard,
} from '../../lib/csv.ts';
import { formatCount } from '../../lib/numbers.ts';
import { maxDestinationLength, trimInvisible } from '../codes/destination.ts';
import { type LabelName, mapLabels } from '../codes/fields.ts';
import { InvalidInput } from '../errors.ts';
import { decodeText, maxColumns } from '../text-file.ts';
import { type BatchRow, maxBatchRows } from './batch.ts';

/** Maximum size of a table in bytes: more than 5,000 rows with long names and notes. */
export const maxTableBytes = 10_000_000;

/** Names of the columns in a header row, the preferred one first. */
const columnNames: Readonly<Record<Column, readonly string[]>> = {
  ...mapLabels((_, { headers }) => headers),
  destination: [
    'destination',
    'url',
    'link',
    'address',
    'target',
    'destination url',
    'long url',
    'website',
  ],
};
type Column = LabelName | 'destination';
type Columns = Readonly<Record<Column, number>>;

/**
 * Parses a table of codes to create: CSV, CSV with semicolons, tab-separated values as a spreadsheet copies
 * them, or one address a line. Columns are found by the header row; without one, they are name, destination
 * and note. Empty rows are left out.
 *
 * @param table a file, or pasted text
 * @returns rows with the problem of those that cannot be used. Destinations are not checked yet.
 * @throws InvalidInput when the file is no such table or has more than `maxBatchRows`
 */
export function parseTable(table: Uint8Array | string): BatchRow[] {
  const text = withLineFeeds(decodeText(table, maxTableBytes).text);
  const separator = /^sep=(.)\n/i.exec(text);
  const body = separator === null ? text : text.slice(separator[0].length);
  const firstRow = separator === null ? 1 : 2;
  const delimiter = separator?.[1] ?? delimiterOf(body);
  let columns: Columns | null = null;
  const rows: BatchRow[] = [];
  const seen = new Map<string, number>();
  let row = firstRow - 1;
  for (const fields of records(body, delimiter)) {
    row++;
    if (fields !== null && fields.length > maxColumns)
      throw new InvalidInput(
        `Row ${row} has more than ${maxColumns} columns. The table needs a destination, and may have a name and a note.`,
      );
    if (row > maxLines) throw tooManyRows();
    const cells = fields?.map((cell) => withoutFormulaGuard(trimInvisible(cell))) ?? null;
    if (cells?.every((cell) => cell === '')) continue;
    if (columns === null) {
      const header = cells && headerColumns(cells);
      columns = header ?? columnsWithoutHeader(body, delimiter);
      if (header !== null) continue;
    }
    if (rows.length === maxBatchRows) throw tooManyRows();
    const parsed = cells === null ? brokenRow(row) : parseRow(row, cells, columns);
    rows.push(markDuplicate(parsed, seen));
  }
  if (rows.length === 0)
    throw new InvalidInput(
      'There is no row in the table. It needs a destination in each row, and may have a name and a note.',
    );
  return rows;
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

const isAddress = (text: string) => /^"?\s*https?:\/\//i.test(trimInvisible(text));

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
  const [first = ''] = lines;
  for (const delimiter of [',', ';', '\t', '|'])
    if (headerColumns(splitCsvRow(first, delimiter)?.map(trimInvisible) ?? []) !== null)
      if (first.includes(delimiter) || !/[,;\t|]/.test(first))
        return first.includes(delimiter) ? delimiter : null;
  if (lines.some((line) => line.includes('\t'))) return '\t';
  return lines.every(isAddress) ? null : detectDelimiter(lines);
}

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

/** Returns the columns of a header row, or null when the cells are none. */
function headerColumns(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(/[_\s]+/g, ' '));
  const indexOf = (column: Column): number => {
    for (const name of columnNames[column]) if (names.includes(name)) return names.indexOf(name);
    return -1;
  };
  const columns = { ...mapLabels(indexOf), destination: indexOf('destination') };
  return columns.destination === -1 ? null : columns;
}

/** Returns where name, destination and note are by the place of the addresses. */
function columnsWithoutHeader(text: string, delimiter: string | null): Columns {
  const noLabels = mapLabels(() => -1);
  if (delimiter === null) return { ...noLabels, destination: 0 };
  const rows = firstLines(text).flatMap((line) => {
    const cells = splitCsvRow(line, delimiter);
    return cells === null ? [] : [cells];
  });
  const addressesIn = (column: number) =>
    rows.filter((cells) => isAddress(cells[column] ?? '')).length;
  // Name, destination, note, unless the addresses are in another column.
  const usual = commonWidth(rows) === 1 ? 0 : 1;
  const destination = [0, 1, 2].reduce(
    (best, column) => (addressesIn(column) > addressesIn(best) ? column : best),
    usual,
  );
  const [name = -1, note = -1] = [0, 1, 2].filter((column) => column !== destination);
  return { ...noLabels, name, destination, note };
}

function parseRow(row: number, cells: readonly string[], columns: Columns): BatchRow {
  const cell = (column: Column) => cells[columns[column]] ?? '';
  const destination = cell('destination');
  const fail = (problem: string): BatchRow => ({
    row,
    ...mapLabels((label) => (label === 'note' ? null : shorten(cell(label)) || null)),
    destination: shorten(destination),
    problem,
  });
  if (destination === '') return fail('The row has no destination.');
  // Longer ones would only fill the database: no destination of that length is valid.
  if (destination.length > 2 * maxDestinationLength)
    return fail(`The URL is longer than ${maxDestinationLength} characters.`);
  try {
    const labels = mapLabels((label, { parse }) => parse(cell(label)));
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

function shorten(text: string): string {
  if (text.length <= maxShownLength) return text;
  // A surrogate pair is not split.
  return `${text.slice(0, maxShownLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Gives a row a problem if an earlier one has the same name and destination. */
function markDuplicate(row: BatchRow, seen: Map<string, number>): BatchRow {
  if (row.problem !== null) return row;
  const key = `${row.name ?? ''}\n${row.destination}`;
  const earlier = seen.get(key);
  if (earlier === undefined) seen.set(key, row.row);
  return earlier === undefined
    ? row
    : { ...row, problem: `Row ${earlier} has the same name and destination.` };
}
