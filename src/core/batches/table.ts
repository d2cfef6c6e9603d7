import { delimiters, detectDelimiter, splitCsvRow } from '../../lib/csv.ts';
import type { Sheet, SheetCell } from '../../lib/spreadsheet/cells.ts';
import { undoMisreading } from '../../lib/text/misread.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { trimInvisible } from '../../lib/trim.ts';
import { type LabelName, labelNames, mapLabels } from '../codes/fields.ts';
import {
  destinationIn,
  destinationProblem,
  differsFromLink,
  isAddress,
  textProblem,
} from '../codes/tables/cell-address.ts';
import { type FileNotice, listed } from '../codes/tables/file-reasons.ts';
import {
  brokenRow,
  contentOf,
  filledRows,
  splitProblem,
  type TableBounds,
  type TableRow,
  textCell,
  withNotices,
} from '../codes/tables/rows.ts';
import { columnNotices, readSheet } from '../codes/tables/text-file.ts';
import { maxDestinationLength } from '../codes/urls/destination.ts';
import { reachOf } from '../codes/urls/host.ts';
import { resemblesDomain } from '../codes/urls/typed-address.ts';
import { Refused, reasonOf } from '../errors.ts';
import type { Reason, RowReason } from '../reasons.ts';
import { type BatchRow, maxBatchRows } from './batch.ts';
import { isKnownHeader, layoutOf, maxLeadingRows, type TableLayout } from './columns.ts';

/** Bounds of a table. The bytes are more than 5,000 rows with long names and notes have. */
export const tableBounds: TableBounds = {
  maxBytes: 10_000_000,
  // With those before the data.
  maxRows: maxBatchRows + 20,
  maxLines: 20 * maxBatchRows,
  tooLong: { kind: 'too many rows', max: maxBatchRows },
  tooWide: (row, max) => ({ kind: 'too many columns in a table', row, max }),
};

/** A table of codes to create. */
export interface ParsedTable {
  /** With the problem of those that cannot be used. Destinations are not checked yet. */
  readonly rows: readonly BatchRow[];
  readonly ignoredColumns: readonly string[];
  /** What was recognized, and what was changed or left out. */
  readonly notices: readonly FileNotice[];
  /** Names of the sheets that were not read. */
  readonly otherSheets: readonly string[];
}

/**
 * Reads a table: a file, `.xlsx` and `.ods` included, or pasted text, see {@link parseTable}.
 *
 * @throws Refused, with `several sheets` or `several columns` when somebody has to choose
 */
export async function readTable(
  file: Uint8Array | string,
  { sheet, column = null }: { sheet?: string | undefined; column?: string | null | undefined },
): Promise<ParsedTable> {
  return parseTable(await readSheet(file, sheet, tableBounds), column);
}

/**
 * Parses a table:
 * CSV, CSV with semicolons, tab-separated values as a spreadsheet copies them, one address a line, or the sheet of a
 * spreadsheet. Columns are found by the header, see `layoutOf`. Empty rows are left out.
 *
 * @param table a file in text form, pasted text, or a sheet
 * @param column header or letter of the destinations; null to find them
 * @throws Refused when the file is no such table or has more than `maxBatchRows`, and with `several columns` when
 *   several may have the destinations
 */
export function parseTable(
  table: Uint8Array | string | Sheet,
  column: string | null = null,
): ParsedTable {
  const content = contentOf(table, tableBounds);
  if (content.text !== null && /^\s*[[{]\s*["{]/.test(content.text))
    throw new Refused({ kind: 'table is JSON' });
  const rows = [...filledRows(content, delimiterOf, tableBounds)];
  const layout = withNotices(content.notices, () => {
    const found = layoutOf(rows, column);
    if (found.leadingRows === rows.length) throw new Refused({ kind: 'table without rows' });
    if (content.text !== null && found.headerWidth === null) rejectUnclearLines(rows);
    return found;
  });
  const { columns, leadingRows, headerWidth, ignoredColumns, notices } = layout;
  const data = rows.slice(leadingRows);
  if (data.length > maxBatchRows) throw new Refused(tableBounds.tooLong);
  const seen = new Map<string, number>();
  const parsed = data.map(({ row: number, cells }) => {
    const read = cells === null ? brokenBatchRow(number) : rowOfCells(number, cells, columns);
    const split = content.text === null ? null : splitProblem(cells ?? [], headerWidth);
    const row = { ...read, problem: read.problem ?? split };
    return row.problem === null ? { ...row, problem: duplicateProblem(row, seen) } : row;
  });
  return {
    rows: parsed,
    ignoredColumns,
    otherSheets: content.otherSheets,
    notices: [
      ...content.notices,
      ...notices,
      ...columnNotices(ignoredColumns),
      ...lineNotices(content.text, data),
      ...schemeNotices(data, columns.destination),
      ...linkNotices(data, columns.destination),
      ...reachNotices(parsed),
      ...sameNotices(parsed),
    ],
  };
}

/**
 * Refuses lines that may be addresses with a comma, or have a name behind the address.
 *
 * @throws Refused
 */
function rejectUnclearLines(rows: readonly TableRow[]): void {
  const isUnclear = ({ cells }: TableRow) =>
    cells?.length === 1 && /^https?:[^,;|]*[,;|]\s*["\p{L}]/iu.test(cells[0]?.text ?? '');
  if (rows.every(isUnclear)) throw new Refused({ kind: 'addresses or columns' });
}

/** Says that lines are read whole, where each has what could be a delimiter. */
function lineNotices(text: string | null, data: readonly TableRow[]): FileNotice[] {
  const isList = text !== null && data.every(({ cells }) => cells?.length === 1);
  if (!isList || !data.every(({ cells }) => /[,;|]/.test(cells?.[0]?.text ?? ''))) return [];
  return [{ kind: 'lines are addresses' }];
}

/** Names the rows whose destination got `https://` in front. */
function schemeNotices(data: readonly TableRow[], column: number): FileNotice[] {
  const changed = data.flatMap(({ row, cells }) => {
    const cell = cells?.[column];
    return cell !== undefined && destinationIn(cell) === `https://${cell.text}` ? [row] : [];
  });
  return changed.length === 0 ? [] : [{ kind: 'https added', rows: listed(changed) }];
}

/** Names the rows whose destination is linked to another one. */
function linkNotices(data: readonly TableRow[], column: number): FileNotice[] {
  const differing = data.flatMap(({ row, cells }) => {
    const cell = cells?.[column];
    return cell !== undefined && differsFromLink(cell) ? [row] : [];
  });
  return differing.length === 0
    ? []
    : [{ kind: 'address and link differ', rows: listed(differing) }];
}

/** Names the rows whose destination not every phone can open. */
function reachNotices(rows: readonly BatchRow[]): FileNotice[] {
  const near = rows.flatMap(({ row, destination, problem }) => {
    const isWeb = problem === null && /^https?:/i.test(destination);
    const url = isWeb ? URL.parse(destination) : null;
    return url !== null && reachOf(url) !== 'anyone' ? [row] : [];
  });
  return near.length === 0 ? [] : [{ kind: 'addresses of a network', rows: listed(near) }];
}

// Two codes for one page are usual, such as those of a door and a counter.
const minNoticedRows = 3;

/** Returns the notice that all rows have one destination, whose path may be in another column. */
function sameNotices(rows: readonly BatchRow[]): FileNotice[] {
  const destination = rows[0]?.destination ?? '';
  const isSame = rows.every((row) => row.problem === null && row.destination === destination);
  if (!isSame || rows.length < minNoticedRows) return [];
  return [{ kind: 'one destination', rows: rows.length, destination: shorten(destination) }];
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
  if (others.every(isLine) && (isList || isLine(first))) return '\n';
  // The one beside the addresses. Names may have more commas, and addresses more semicolons.
  const [only, more] = delimiters.filter((delimiter) =>
    lines.some((line) => cellsOf(line, delimiter).some(isAddress)),
  );
  return only !== undefined && more === undefined ? only : detectDelimiter(lines);
}

function rowOfCells(
  row: number,
  cells: readonly SheetCell[],
  columns: TableLayout['columns'],
): BatchRow {
  const destination = destinationIn(cells[columns.destination] ?? textCell(''));
  const parsed = parseRow(row, destination, (label) => cells[columns[label]]?.text ?? '');
  const problem =
    destinationProblem(cells[columns.destination]) ??
    labelNames.map((label) => textProblem(cells[columns[label]], label)).find(Boolean) ??
    null;
  return problem === null ? parsed : { ...parsed, problem };
}

const characterOfHtml =
  /&(?:amp|quot|apos|lt|gt|nbsp|[aeiouy](?:uml|acute|grave|circ)|szlig|ccedil|ntilde|[nm]dash|[lr][sd]quo|hellip|euro|#\d{2,5}|#x[0-9a-f]{2,4});/i;

/** Returns the reason why a text is probably not the label that was meant, or null. */
function labelProblem(text: string, noun: LabelName): RowReason | null {
  // An earlier program could not read the character.
  if (text.includes('\ufffd')) return { kind: 'lost characters', noun };
  const meant = undoMisreading(text);
  if (meant !== null)
    return { kind: 'misread characters', noun, text: shorten(text), meant: shorten(meant) };
  const [character] = characterOfHtml.exec(text) ?? [];
  if (character !== undefined) return { kind: 'label from HTML', noun, text: character };
  return textProblem(textCell(text), noun);
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
  const odd = oddDestination(destination);
  if (odd !== null) return fail(odd);
  const wrong = labelNames.map((label) => labelProblem(text(label), label)).find(Boolean);
  if (wrong != null) return fail(wrong);
  try {
    const labels = mapLabels((label, { parse }) => parse(text(label)));
    return { row, ...labels, destination, problem: null };
  } catch (error) {
    return fail(reasonOf(error));
  }
}

/** Returns the reason why an address is probably not the one that was meant, or null. */
function oddDestination(destination: string): RowReason | null {
  const [ellipsis] = /(?:…|\.{3})$/.exec(destination) ?? [];
  if (ellipsis !== undefined) return { kind: 'shortened destination', text: ellipsis };
  const meant = destination.replaceAll(/&(?:amp|#0*38);/gi, '&');
  return meant === destination ? null : { kind: 'destination from HTML', meant: shorten(meant) };
}

function brokenBatchRow(row: number): BatchRow {
  return { row, ...mapLabels(() => null), destination: '', problem: brokenRow };
}

const maxShownLength = 200;
// Enough to correct a name or note that is too long.
const maxKeptLength = 2000;

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
