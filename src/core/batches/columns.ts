import { columnLetters, type SheetCell } from '../../lib/spreadsheet/cells.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { type LabelName, labelFields, labelNames } from '../codes/fields.ts';
import { isAddress, isAddressLike } from '../codes/tables/cell-address.ts';
import { findColumn } from '../codes/tables/find-column.ts';
import type { TableRow } from '../codes/tables/rows.ts';
import { resemblesDomain } from '../codes/urls/typed-address.ts';

/** Parameters of campaigns, whose columns can be put into the destination. */
export const utmNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;
export type UtmName = (typeof utmNames)[number];

/** What a row has beside its parameters. */
export type TextColumn = LabelName | 'destination' | 'domain';
export type Column = TextColumn | UtmName;

/** What a column of a table is. */
export type Role = Column | 'ignore';

const columnNames: readonly Column[] = ['destination', ...labelNames, 'domain', ...utmNames];
export const columnRoles: readonly Role[] = [...columnNames, 'ignore'];

/** What somebody said about a column. */
export interface ColumnChoice {
  readonly role: Role;
  /** Position from 0, or the header, number or letter. */
  readonly of: number | string;
}

/** Positions of the columns from 0; -1 for those that a table lacks. */
type Columns = Readonly<Record<Column, number>>;

/** A column of a table as it is shown to somebody who chooses what it is. */
export interface ShownColumn {
  /** Empty without one. */
  readonly header: string;
  /** Its first cells. */
  readonly values: readonly ShownCell[];
  readonly hasAddresses: boolean;
  /** What it is, as far as that is known; null for a column that somebody has to decide on. */
  readonly role: Role | null;
  /** How the role is known. */
  readonly by: 'choice' | 'header' | 'addresses' | null;
}

interface ShownCell {
  readonly text: string;
  /** The address that it is linked to, unless it is the text. */
  readonly link: string | null;
}

/** What the columns of a table are. */
export interface TableLayout {
  readonly columns: Columns;
  readonly hasHeader: boolean;
  /** Whether the first row may be a header as well as data, so that somebody has to say so. */
  readonly isHeaderOpen: boolean;
  /** Whether the header has a word that names a column. */
  readonly isHeaderKnown: boolean;
  readonly shown: readonly ShownColumn[];
  /** Columns that are not used, by their header or letter. */
  readonly ignoredColumns: readonly string[];
}

type Cells = readonly SheetCell[];

// Enough to see what a column has.
const shownRows = 5;
const maxShownLength = 200;

/** Headers that name a column: the words of the product. */
const headers: ReadonlyMap<string, Column> = new Map<string, Column>([
  ['destination', 'destination'],
  ['domain', 'domain'],
  ...labelNames.flatMap((name) =>
    labelFields[name].headers.map((word): [string, Column] => [word, name]),
  ),
]);

/** Returns the column that a header names, or null. */
export function namedColumn(header: string): Column | null {
  return headers.get(header.normalize('NFKC').trim().toLowerCase()) ?? null;
}

/** Returns the parameter of campaigns that a header names, or null. Somebody has to say whether it is one. */
export function namedUtm(header: string): UtmName | null {
  const name = header.normalize('NFKC').trim().toLowerCase();
  return utmNames.find((one) => one === name) ?? null;
}

/**
 * Returns what the columns of a table are, as far as there is no doubt.
 * A column is known by a choice, by its header if that is a word of the product, and the destination as the only
 * column of addresses.
 *
 * @param choice.header whether the first row is a header; undefined if nobody said so
 * @throws Refused when a chosen column is not there
 */
export function layoutOf(
  rows: readonly TableRow[],
  choice: {
    readonly header?: boolean | undefined;
    readonly columns?: readonly ColumnChoice[] | undefined;
  } = {},
): TableLayout {
  const { columns: choices = [] } = choice;
  const table = rows.map(({ cells }) => cells ?? []);
  const width = widthOf(table);
  const header = headerOf(table, choice.header, choices);
  const names = Array.from({ length: width }, (_, column) =>
    header.isThere ? (table[0]?.[column]?.text ?? '') : '',
  );
  const data = table.slice(header.isThere ? 1 : 0);
  const chosen = choices.map(({ role, of }) => ({ role, column: findColumn(names, of) }));
  const byHeader = names.map((name) => {
    const column = namedColumn(name);
    // Of several with the same header, somebody has to choose one.
    const isUnique = names.filter((other) => namedColumn(other) === column).length === 1;
    return isUnique ? column : null;
  });
  const positionOf = (role: Column): number => {
    const found = chosen.find((one) => one.role === role);
    if (found !== undefined) return found.column;
    const named = byHeader.indexOf(role);
    return chosen.some(({ column }) => column === named) ? -1 : named;
  };
  const known = mapColumns(positionOf);
  const only = known.destination === -1 ? onlyAddresses(width, data, known.domain) : -1;
  const isTaken = [...Object.values(known), ...chosen.map(({ column }) => column)].includes(only);
  const columns = only === -1 || isTaken ? known : { ...known, destination: only };
  const isUsed = new Set(Object.values(columns));
  const shown = names.map((name, column): ShownColumn => {
    const role = roleAt(columns, column);
    const isChosen = chosen.some((one) => one.column === column);
    return {
      header: name,
      values: data.slice(0, shownRows).map((cells) => shownCell(cells[column])),
      hasAddresses: data.some((cells) => isAddress(cells[column])),
      role: role ?? (isChosen ? 'ignore' : null),
      by: isChosen ? 'choice' : role === null ? null : column === only ? 'addresses' : 'header',
    };
  });
  return {
    columns,
    hasHeader: header.isThere,
    isHeaderOpen: header.isOpen,
    isHeaderKnown: byHeader.some((role) => role !== null),
    shown,
    ignoredColumns: names.flatMap((name, column) =>
      isUsed.has(column) || isBlank(table, column) ? [] : name || columnLetters(column),
    ),
  };
}

function mapColumns(positionOf: (column: Column) => number): Columns {
  // The cast is safe: the entries are those of all columns.
  return Object.fromEntries(columnNames.map((name) => [name, positionOf(name)])) as Columns;
}

function roleAt(columns: Columns, position: number): Column | null {
  return columnNames.find((name) => columns[name] === position) ?? null;
}

/**
 * Returns whether the first row is a header.
 * A row with an address is none, and one with a word of the product is one. So is a text above addresses.
 */
function headerOf(
  table: readonly Cells[],
  said: boolean | undefined,
  choices: readonly ColumnChoice[],
): { readonly isThere: boolean; readonly isOpen: boolean } {
  if (said !== undefined) return { isThere: said, isOpen: false };
  const [first = [], ...data] = table;
  const texts = first.map(({ text }) => text);
  const isDomain = (cell: SheetCell) => isAddressLike(cell) || resemblesDomain(cell.text);
  const isNamed = texts.some((text) => namedColumn(text) !== null);
  const isChosen = choices.some(({ of }) => typeof of === 'string' && texts.includes(of));
  if (first.some(isAddress)) return { isThere: false, isOpen: false };
  if (isChosen || isNamed) return { isThere: true, isOpen: !isChosen && first.some(isDomain) };
  if (data.length === 0) return { isThere: false, isOpen: false };
  const isAbove = first.some(
    (cell, column) => cell.text !== '' && !isDomain(cell) && isOfAddresses(data, column),
  );
  return { isThere: isAbove || !first.some(isDomain), isOpen: !isAbove };
}

/**
 * Returns the only column, or the only one of addresses; -1 when there is none.
 *
 * @param domains the column of the domains, which may look like addresses; -1 without one
 */
function onlyAddresses(width: number, data: readonly Cells[], domains: number): number {
  const filled = Array.from({ length: width }, (_, column) => column).filter(
    (column) => column !== domains && !isBlank(data, column),
  );
  return filled.length === 1 ? (filled[0] ?? -1) : addressColumn(filled, data);
}

/**
 * Returns the only column with addresses, if it has nothing else; -1 otherwise.
 * Addresses of pictures are hardly what phones should open.
 */
function addressColumn(filled: readonly number[], data: readonly Cells[]): number {
  const [only = -1, ...others] = filled.filter((column) =>
    data.some((cells) => isAddress(cells[column])),
  );
  const isPicture = (cell: SheetCell | undefined) =>
    pictureEnd.test(cell?.link ?? cell?.text ?? '');
  const isPictures = data.some((cells) => isPicture(cells[only]));
  return others.length === 0 && !isPictures && isOfAddresses(data, only) ? only : -1;
}

/** Returns whether a column has addresses and nothing else. */
function isOfAddresses(data: readonly Cells[], column: number): boolean {
  const cells = data.flatMap(({ [column]: cell }) =>
    cell === undefined || isEmpty(cell) ? [] : cell,
  );
  return cells.length > 0 && cells.every(isAddress);
}

const pictureEnd = /\.(?:jpe?g|png|gif|webp|avif|svg|heic|bmp|tiff?|ico)(?:[?#]|$)/i;

function shownCell(cell: SheetCell | undefined): ShownCell {
  const { text = '', link = null } = cell ?? {};
  const isShown = link === null || link === text;
  return {
    text: shorten(text, maxShownLength),
    link: isShown ? null : shorten(link, maxShownLength),
  };
}

function widthOf(table: readonly Cells[]): number {
  return table.reduce((width, cells) => Math.max(width, cells.length), 0);
}

function isBlank(table: readonly Cells[], column: number): boolean {
  return table.every(({ [column]: cell }) => cell === undefined || isEmpty(cell));
}

function isEmpty({ text, link, problem }: SheetCell): boolean {
  return text === '' && link === null && problem === undefined;
}
