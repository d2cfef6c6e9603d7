import type { Sheet, SheetCell } from '../../lib/spreadsheet/cells.ts';
import { undoMisreading } from '../../lib/text/misread.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { trimInvisible } from '../../lib/trim.ts';
import { type LabelName, labelNames, mapLabels } from '../codes/fields.ts';
import {
  destinationIn,
  destinationProblem,
  differsFromLink,
  textProblem,
} from '../codes/tables/cell-address.ts';
import type { Reading } from '../codes/tables/encodings.ts';
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
import {
  type FoundSeparator,
  type Separator,
  separatorOf,
  separators,
} from '../codes/tables/separator.ts';
import { columnNotices, readSheet, type TextOptions } from '../codes/tables/text-file.ts';
import { maxDestinationLength } from '../codes/urls/destination.ts';
import { reachOf } from '../codes/urls/host.ts';
import { plainDomain } from '../codes/urls/new-domain.ts';
import { addParameters, parameterNames } from '../codes/urls/pass-query.ts';
import { resemblesDomain } from '../codes/urls/typed-address.ts';
import { Refused, reasonOf } from '../errors.ts';
import type { Reason, RowReason } from '../reasons.ts';
import { type BatchRow, maxBatchRows } from './batch.ts';
import {
  type ColumnChoice,
  layoutOf,
  namedColumn,
  type ShownColumn,
  type TableLayout,
  utmNames,
} from './columns.ts';

/** Bounds of a table. The bytes are more than 5,000 rows with long names and notes have. */
export const tableBounds: TableBounds = {
  maxBytes: 10_000_000,
  // With the header.
  maxRows: maxBatchRows + 1,
  maxLines: 20 * maxBatchRows,
  tooLong: { kind: 'too many rows', max: maxBatchRows },
  tooWide: (row, max) => ({ kind: 'too many columns in a table', row, max }),
};

/** What somebody said about a table. What is left out is asked where it is not plain. */
export interface TableOptions extends TextOptions {
  /** Sheet of a spreadsheet. */
  readonly sheet?: string | undefined;
  readonly separator?: Separator | undefined;
  /** Whether the first row is a header. */
  readonly header?: boolean | undefined;
  readonly columns?: readonly ColumnChoice[] | undefined;
  /** Whether the table is only shown. */
  readonly isLook?: boolean | undefined;
}

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

/** What somebody sees of a table who says what is in it, and what is open. */
export interface TableView {
  /** Rows without the header. */
  readonly rows: number;
  readonly columns: readonly ShownColumn[];
  readonly hasHeader: boolean;
  readonly isHeaderOpen: boolean;
  /** Null in a spreadsheet, and where the file names it. */
  readonly separator: Separator | null;
  readonly isSeparatorOpen: boolean;
  /** Those of a spreadsheet that have rows; else none. The first is shown if none was named. */
  readonly sheets: readonly string[];
  readonly isSheetOpen: boolean;
  /** How encodings read a text that is not in Unicode; else none. */
  readonly readings: readonly Reading[];
  readonly isEncodingOpen: boolean;
  /** Whether the destinations are in none of the columns so far. */
  readonly isDestinationOpen: boolean;
}

/** A table that was read, or one about which somebody has to say more. */
export type TableReading = { readonly view: TableView } & (
  | ({ readonly kind: 'read' } & ParsedTable)
  | { readonly kind: 'open' }
);

/**
 * Reads a table: a file, `.xlsx` and `.ods` included, or pasted text, see {@link parseTable}.
 *
 * @throws Refused
 */
export async function readTable(
  file: Uint8Array | string,
  options: TableOptions,
): Promise<TableReading> {
  return parseTable(await readSheet(file, options.sheet, tableBounds), options);
}

/**
 * Parses a table:
 * CSV, CSV with semicolons, tab-separated values as a spreadsheet copies them, one address a line, or the sheet of a
 * spreadsheet. What the columns are is known by their headers or was chosen, see `layoutOf`. Empty rows are left out.
 *
 * @param table a file in text form, pasted text, or a sheet
 * @throws Refused when the file is no such table or has more than `maxBatchRows`
 */
export function parseTable(
  table: Uint8Array | string | Sheet,
  options: TableOptions = {},
): TableReading {
  const content = contentOf(table, tableBounds, options);
  if (content.text !== null && /^\s*[[{]\s*["{]/.test(content.text))
    throw new Refused({ kind: 'table is JSON' });
  let found: FoundSeparator | null = null;
  const delimiterOf = (lines: readonly string[]) => {
    found =
      options.separator === undefined
        ? separatorOf(lines, (cell) => namedColumn(cell) !== null)
        : { separator: options.separator, isOpen: false };
    return separators[found.separator];
  };
  const rows = [...filledRows(content, delimiterOf, tableBounds)];
  // Headers with letters that are not known cannot be named.
  const { columns: choices = [], header } = options;
  const usable = choices.filter(({ of }) => !content.isEncodingOpen || typeof of === 'number');
  const layout = withNotices(content.notices, () => layoutOf(rows, { header, columns: usable }));
  const data = rows.slice(layout.hasHeader ? 1 : 0);
  if (data.length === 0)
    withNotices(content.notices, () => {
      throw new Refused({ kind: 'table without rows' });
    });
  if (data.length > maxBatchRows) throw new Refused(tableBounds.tooLong);
  const { sheets, readings, isEncodingOpen } = content;
  const isSheetOpen = options.sheet === undefined && sheets.length > 1;
  const letters = { sheets, isSheetOpen, readings, isEncodingOpen };
  const view = { ...viewOf(layout, data.length, found), ...letters };
  if (options.isLook === true || isOpen(view)) return { kind: 'open', view };
  const { columns, ignoredColumns } = layout;
  const seen = new Map<string, number>();
  const headerWidth = layout.hasHeader ? (rows[0]?.cells?.length ?? null) : null;
  const parsed = data.map(({ row: number, cells }) => {
    const read = cells === null ? brokenBatchRow(number) : rowOfCells(number, cells, columns);
    const split = content.text === null ? null : splitProblem(cells ?? [], headerWidth);
    const row = { ...read, problem: read.problem ?? split };
    return row.problem === null ? { ...row, problem: duplicateProblem(row, seen) } : row;
  });
  return {
    kind: 'read',
    view,
    rows: parsed,
    ignoredColumns,
    otherSheets: content.otherSheets,
    notices: [
      ...content.notices,
      ...headerNotices(layout, rows[0]),
      ...columnNotices(ignoredColumns),
      ...schemeNotices(data, columns.destination),
      ...linkNotices(data, columns.destination),
      ...utmNotices(data, columns),
      ...reachNotices(parsed),
      ...sameNotices(parsed),
    ],
  };
}

function viewOf(
  { shown, hasHeader, isHeaderOpen, columns }: TableLayout,
  rows: number,
  found: FoundSeparator | null,
) {
  return {
    rows,
    columns: shown,
    hasHeader,
    isHeaderOpen,
    separator: found?.separator ?? null,
    isSeparatorOpen: found?.isOpen ?? false,
    isDestinationOpen: columns.destination === -1,
  };
}

function isOpen(view: TableView): boolean {
  return (
    view.isEncodingOpen ||
    view.isSheetOpen ||
    view.isSeparatorOpen ||
    view.isHeaderOpen ||
    view.isDestinationOpen
  );
}

/** Names what nobody said: a header that has no word of the product, and the column of the destinations. */
function headerNotices(
  { shown, hasHeader, isHeaderKnown }: TableLayout,
  first: TableRow | undefined,
): FileNotice[] {
  const text = first?.cells?.find((cell) => cell.text !== '')?.text ?? '';
  const isNamed = isHeaderKnown || shown.some(({ by }) => by === 'choice');
  const column = shown.find(({ by }) => by === 'addresses');
  return [
    ...(hasHeader && !isNamed && first !== undefined
      ? [{ kind: 'row with the headers', row: first.row, text: shorten(text) } as const]
      : []),
    ...(column !== undefined && column.header !== ''
      ? [{ kind: 'column with the destinations', column: shorten(column.header) } as const]
      : []),
  ];
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

function rowOfCells(
  row: number,
  cells: readonly SheetCell[],
  columns: TableLayout['columns'],
): BatchRow {
  const destination = destinationIn(cells[columns.destination] ?? textCell(''));
  const parsed = parseRow(
    row,
    destination,
    (column) => cells[columns[column]]?.text ?? '',
    parametersIn(cells, columns),
  );
  const texts = [...labelNames, 'domain', ...utmNames] as const;
  const problem =
    destinationProblem(cells[columns.destination]) ??
    texts.map((column) => textProblem(cells[columns[column]], column)).find(Boolean) ??
    null;
  return problem === null ? parsed : { ...parsed, problem };
}

/** Returns the parameters that the columns of a row name, encoded. */
function parametersIn(cells: readonly SheetCell[], columns: TableLayout['columns']): string[] {
  return utmNames.flatMap((name) => {
    const value = trimInvisible(cells[columns[name]]?.text ?? '');
    return value === '' ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`];
  });
}

/** Names the rows whose destination has a parameter already, and those that no parameter could be added to. */
function utmNotices(data: readonly TableRow[], columns: TableLayout['columns']): FileNotice[] {
  const rows = data.flatMap(({ row, cells }) => {
    if (cells === null) return [];
    const parameters = parametersIn(cells, columns);
    const destination = destinationIn(cells[columns.destination] ?? textCell(''));
    return parameters.length === 0 ? [] : [{ row, parameters, destination }];
  });
  const numbersOf = (some: typeof rows) => listed(some.map(({ row }) => row));
  const plain = rows.filter(({ destination }) => isPlainAddress(destination));
  const others = rows.filter(({ destination }) => !isPlainAddress(destination));
  return [
    ...utmNames.flatMap((name): FileNotice[] => {
      const there = plain.filter(
        ({ parameters, destination }) =>
          parameters.some((one) => one.startsWith(`${name}=`)) &&
          parameterNames(destination).has(name),
      );
      return there.length === 0
        ? []
        : [{ kind: 'parameter there already', name, rows: numbersOf(there) }];
    }),
    ...(others.length === 0
      ? []
      : [{ kind: 'parameters not added', rows: numbersOf(others) } as const]),
  ];
}

/** Returns whether a destination is an address, and probably the one that was meant. */
function isPlainAddress(destination: string): boolean {
  return (
    /^https?:\/\//i.test(destination) &&
    destination.length <= 2 * maxDestinationLength &&
    oddDestination(destination) === null
  );
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

/**
 * Parses the texts of a row. A text that is too long to be kept is shortened.
 *
 * @param parameters are put into the destination if it is an address, see `addParameters`
 */
export function parseRow(
  row: number,
  destination: string,
  text: (column: LabelName | 'domain') => string,
  parameters: readonly string[] = [],
): BatchRow {
  const whole = isPlainAddress(destination) ? addParameters(destination, parameters) : destination;
  const domain = shorten(trimInvisible(text('domain')), maxKeptLength) || undefined;
  const fail = (problem: Reason): BatchRow => ({
    row,
    ...mapLabels((label) => shorten(text(label), maxKeptLength) || null),
    destination: shorten(
      whole,
      whole.length > 2 * maxDestinationLength ? maxShownLength : Number.POSITIVE_INFINITY,
    ),
    domain,
    problem,
  });
  if (destination === '') return fail({ kind: 'no destination in the row' });
  // Longer ones would only fill the database: no destination of that length is valid.
  if (whole.length > 2 * maxDestinationLength)
    return fail({ kind: 'wrong destination', problem: 'too long', text: '', meant: null });
  if (resemblesDomain(destination)) return fail({ kind: 'resembles a domain', text: destination });
  const odd = oddDestination(destination);
  if (odd !== null) return fail(odd);
  const wrong = labelNames.map((label) => labelProblem(text(label), label)).find(Boolean);
  if (wrong != null) return fail(wrong);
  try {
    const labels = mapLabels((label, { parse }) => parse(text(label)));
    return { row, ...labels, destination: whole, domain, problem: null };
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

/** Returns the problem of a row if an earlier one has the same name, destination and domain, else remembers it. */
export function duplicateProblem(row: BatchRow, seen: Map<string, number>): RowReason | null {
  const key = rowKey(row);
  const earlier = seen.get(key);
  if (earlier === undefined) seen.set(key, row.row);
  return earlier === undefined ? null : { kind: 'same as an earlier row', row: earlier };
}

/** Identifies the code of a row. */
export function rowKey({
  name,
  destination,
  domain = '',
}: Pick<BatchRow, 'name' | 'destination' | 'domain'>): string {
  return JSON.stringify([name, destination, plainDomain(domain)]);
}
