import type { SheetCell } from '../../lib/spreadsheet/cells.ts';
import {
  type LabelName,
  labelFields,
  labelNames,
  labelPhrase,
  mapLabels,
} from '../codes/fields.ts';
import { headerKey, headerKeys, headerWords } from '../codes/imports/header-words.ts';
import type { TableRow } from '../codes/tables/rows.ts';
import { quoted } from '../codes/tables/text-file.ts';
import { withScheme } from '../codes/urls/destination.ts';
import { InvalidInput } from '../errors.ts';

type Column = LabelName | 'destination';
/** Positions of the columns from 0; -1 for those that a table lacks. */
type Columns = Readonly<Record<Column, number>>;

/** What the columns of a table are, and which rows come before its data. */
export interface TableLayout {
  readonly columns: Columns;
  /** Rows before the data: a title, and the header. */
  readonly leadingRows: number;
  /** Columns that are not used, by their header or letter. */
  readonly ignoredColumns: readonly string[];
  /** Sentences on what was recognized. */
  readonly notices: readonly string[];
}

/** Rows before the data, at most: a title, the name of the author, a date and an empty line are common. */
export const maxLeadingRows = 10;
// Enough to see how a table is made.
const sampleRows = 50;

/**
 * Finds the columns of a table by its header; without one, by what is in them.
 *
 * @throws InvalidInput when nothing in the table is an address
 */
export function layoutOf(rows: readonly TableRow[]): TableLayout {
  const header = rows.slice(0, maxLeadingRows).findIndex(({ cells }) => isKnownHeader(cells ?? []));
  const sample = rows.slice(0, sampleRows).map(({ cells }) => cells ?? []);
  const leading = rows.slice(0, Math.max(header, 0));
  if (header !== -1 && !leading.some(({ cells }) => cells?.some((cell) => isAddress(cell))))
    return withHeader(rows, header, knownColumns(textsOf(sample[header])), null);
  return withoutKnownHeader(rows, sample);
}

/** Returns whether cells are a header that names the column of the destinations. */
export function isKnownHeader(cells: readonly SheetCell[]): boolean {
  return !cells.some((cell) => isAddress(cell)) && knownColumns(textsOf(cells)).destination !== -1;
}

function withoutKnownHeader(
  rows: readonly TableRow[],
  sample: readonly (readonly SheetCell[])[],
): TableLayout {
  const destination = destinationColumn(sample);
  const firstData = sample.findIndex((cells) => isAddressLike(cells[destination]));
  const filled = sample.filter((cells) => cells.length > 0);
  // Another scheme is a problem of its row.
  if (
    firstData === -1 &&
    filled.some(({ length }) => length > 1) &&
    !filled.flat().some(({ text }) => /\w:/.test(text))
  ) {
    throw new InvalidInput(
      `No column of the table has addresses. It needs a destination in each row, such as https://example.com/menu, and may have a ${labelPhrase.toLowerCase()}.`,
    );
  }
  if (firstData > 0 && firstData <= maxLeadingRows) {
    const header = sample[firstData - 1] ?? [];
    const columns = { ...knownColumns(textsOf(header)), destination };
    if (isHeader(header, destination)) return withHeader(rows, firstData - 1, columns, destination);
    if (sample.slice(0, firstData).every((cells) => isTitle(cells, destination)))
      return { ...byPosition(sample, destination), ...titles(rows, firstData) };
  }
  return byPosition(sample, destination);
}

/** Returns whether cells, of which none is known, are a header: words above the addresses. */
function isHeader(cells: readonly SheetCell[], destination: number): boolean {
  const text = cells[destination]?.text ?? '';
  const isWord = /\p{L}/u.test(text) && !/[:/@\\]/.test(text) && text.length <= maxHeaderLength;
  const names = cells.filter((cell) => cell.text !== '').length;
  return isWord || (names > 1 && text === '' && labelNames.some((name) => hasLabel(cells, name)));
}

const maxHeaderLength = 60;

function hasLabel(cells: readonly SheetCell[], name: LabelName): boolean {
  return knownColumns(textsOf(cells))[name] !== -1;
}

/** Returns whether cells are a title: one of them, and not where the addresses are if there are more columns. */
function isTitle(cells: readonly SheetCell[], destination: number): boolean {
  const filled = cells.flatMap(({ text }, column) => (text === '' ? [] : [column]));
  return filled.length <= 1 && cells.length > 1 && filled[0] !== destination;
}

/** @param guessed the column of the destinations, if the header does not name it */
function withHeader(
  rows: readonly TableRow[],
  header: number,
  known: Columns,
  guessed: number | null,
): TableLayout {
  const sample = rows.slice(header, header + sampleRows).map(({ cells }) => cells ?? []);
  const names = textsOf(sample[0]);
  const nameOf = (column: number) => quoted(names[column] || columnLetter(column));
  const others = unusedColumns(sample, known);
  const [only] = others;
  const takesName = known.name === -1 && others.length === 1 && only !== undefined;
  // The text of a linked cell names where it leads.
  const isLinked =
    guessed !== null &&
    sample
      .slice(1)
      .some((cells) => isUrl(cells[guessed]?.link ?? '') && !isUrl(cells[guessed]?.text ?? ''));
  const name = takesName ? only : known.name === -1 && isLinked ? guessed : known.name;
  const { leadingRows, notices } = titles(rows, header);
  return {
    columns: { ...known, name },
    leadingRows: leadingRows + 1,
    ignoredColumns: (takesName ? [] : others).map(
      (column) => names[column] || columnLetter(column),
    ),
    notices: [
      ...notices,
      ...(guessed === null
        ? []
        : [
            `The column ${nameOf(guessed)} is taken as the destination, because it has the addresses.`,
          ]),
      ...(takesName ? [`The column ${nameOf(only)} is taken as the name.`] : []),
    ],
  };
}

/** Name, note, and so on in their order, unless the destination is among them. */
function byPosition(
  sample: readonly (readonly SheetCell[])[],
  destination: number,
): Omit<TableLayout, 'notices'> & { notices: readonly string[] } {
  const none = { ...mapLabels(() => -1), destination };
  const [name = -1, note = -1] = unusedColumns(sample, none);
  const columns = { ...none, name, note };
  const ignoredColumns = unusedColumns(sample, columns).map(columnLetter);
  return { columns, leadingRows: 0, ignoredColumns, notices: [] };
}

/** Names the rows before the header or the data. */
function titles(
  rows: readonly TableRow[],
  count: number,
): Pick<TableLayout, 'leadingRows' | 'notices'> {
  const notices = rows.slice(0, count).map(({ row, cells }) => {
    const text = textsOf(cells ?? []).find((one) => one !== '') ?? '';
    return `Row ${row}, ${quoted(text)}, is no data and is left out.`;
  });
  return { leadingRows: count, notices };
}

/** Returns the columns that have a header or data and are not used. */
function unusedColumns(sample: readonly (readonly SheetCell[])[], used: Columns): number[] {
  const width = Math.max(0, ...sample.map((cells) => cells.length));
  const isUsed = new Set(Object.values(used));
  return Array.from({ length: width }, (_, column) => column).filter(
    (column) => !isUsed.has(column) && sample.some((cells) => (cells[column]?.text ?? '') !== ''),
  );
}

/** Returns the column with the most addresses; of addresses without scheme, or the second, if there is none. */
function destinationColumn(sample: readonly (readonly SheetCell[])[]): number {
  const width = Math.max(0, ...sample.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  for (const matches of [isAddress, isAddressLike]) {
    const counts = columns.map((column) => sample.filter((cells) => matches(cells[column])).length);
    const most = Math.max(0, ...counts);
    if (most > 0) return counts.indexOf(most);
  }
  return width > 1 ? 1 : 0;
}

/** Returns whether a cell has an address with a scheme, in its text or as its link. */
export function isAddress(cell: SheetCell | undefined): boolean {
  return isUrl(cell?.text ?? '') || isUrl(cell?.link ?? '');
}

function isUrl(text: string): boolean {
  return /^"?\s*https?:\/\//i.test(text);
}

/** Returns whether a cell has an address, or a domain: `Nr.7` and `1.5` are none. */
function isAddressLike(cell: SheetCell | undefined): boolean {
  return isAddress(cell) || isDomain(cell?.text ?? '');
}

function isDomain(text: string): boolean {
  return withScheme(text) !== text && /^[^/?#:]+\.\p{L}{2,}\.?(?:[:/?#]|$)/u.test(text);
}

/**
 * Returns the destination in a cell: its text, with `https://` before a domain, or the address that it is linked to.
 */
export function destinationIn({ text, link }: SheetCell): string {
  return link !== null && !isUrl(text) && !isDomain(text) ? link : withScheme(text);
}

const columnByKey: ReadonlyMap<string, readonly [Column, number]> = new Map(
  [
    ...headerWords.destination.map((word, rank) => ['destination', word, rank] as const),
    ...labelNames.flatMap((name) =>
      labelFields[name].headers.map((word, rank) => [name, word, rank] as const),
    ),
  ]
    .reverse()
    .map(([column, word, rank]) => [headerKey(word), [column, rank]]),
);

/** Returns the columns that a header names. Of several for one column, the preferred word counts. */
function knownColumns(names: readonly string[]): Columns {
  const columns: Record<Column, number> = { ...mapLabels(() => -1), destination: -1 };
  const ranks: Partial<Record<Column, number>> = {};
  for (const [at, name] of names.entries()) {
    if (name.length > maxHeaderLength) continue;
    for (const key of headerKeys(name)) {
      const [column, rank] = columnByKey.get(key) ?? [];
      if (column === undefined || rank === undefined || rank >= (ranks[column] ?? Infinity))
        continue;
      columns[column] = at;
      ranks[column] = rank;
      break;
    }
  }
  return columns;
}

function textsOf(cells: readonly SheetCell[] | undefined): string[] {
  return (cells ?? []).map(({ text }) => text);
}

/** Returns the letter of a column, as spreadsheets show it. */
function columnLetter(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetter(Math.floor(column / 26) - 1) + last;
}
