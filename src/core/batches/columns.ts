import { columnLetters, type SheetCell } from '../../lib/spreadsheet/cells.ts';
import { shorten } from '../../lib/text/shorten.ts';
import { mapLabels } from '../codes/fields.ts';
import { headerKey } from '../codes/imports/header-words.ts';
import {
  destinationIn,
  isAddress,
  isAddressLike,
  isLinkedText,
} from '../codes/tables/cell-address.ts';
import { type FileNotice, listed } from '../codes/tables/file-reasons.ts';
import type { TableRow } from '../codes/tables/rows.ts';
import { resemblesDomain } from '../codes/urls/typed-address.ts';
import { Refused } from '../errors.ts';
import { type Columns, fit, fitOf, innerLabel, maxHeaderLength, wholeColumns } from './header.ts';

/** What the columns of a table are, and which rows come before its data. */
export interface TableLayout {
  readonly columns: Columns;
  /** Rows before the data: a title, and the header. */
  readonly leadingRows: number;
  /** Number of cells of the header; null without one. */
  readonly headerWidth: number | null;
  /** Columns that are not used, by their header or letter. */
  readonly ignoredColumns: readonly string[];
  /** What was recognized. */
  readonly notices: readonly FileNotice[];
}

/** Rows before the data, at most: a title, the name of the author, a date and an empty line are common. */
export const maxLeadingRows = 10;

type Cells = readonly SheetCell[];

/**
 * Finds the columns of a table by its header, and by what is in them.
 *
 * @param wanted header or letter of the destinations; null to find them
 * @throws Refused when nothing in the table is an address, or the wanted column is not there, and with `several
 *   columns` when several may have the destinations
 */
export function layoutOf(rows: readonly TableRow[], wanted: string | null = null): TableLayout {
  const table = rows.map(({ cells }) => cells ?? []);
  const header = findHeader(table, wanted);
  const data = table.slice(header + 1);
  const names = textsOf(table[header]);
  const chosen = wanted === null ? null : wantedColumn(names, data, wanted);
  if (header === -1) {
    const destination = chosen ?? chooseDestination([], data) ?? defaultColumn(data);
    const title = titleRows(table, destination);
    return { ...byPosition(data, destination), ...titles(rows, title), headerWidth: null };
  }
  const known = wholeColumns(names);
  const found = chosen ?? chooseDestination(names, data);
  const destination = found ?? known.destination;
  if (destination === -1) throw new Refused({ kind: 'table without addresses' });
  return withHeader(rows, header, destination);
}

/** Returns whether cells are a header that names the column of the destinations. */
export function isKnownHeader(cells: Cells): boolean {
  return !cells.some((cell) => isAddress(cell)) && wholeColumns(textsOf(cells)).destination !== -1;
}

/** Returns the index of the header; -1 when the table has none. */
function findHeader(table: readonly Cells[], wanted: string | null): number {
  const firstAddress = table.findIndex((cells) => cells.some((cell) => isAddress(cell)));
  const end = Math.min(maxLeadingRows, firstAddress === -1 ? table.length : firstAddress);
  const leading = table.slice(0, end);
  const key = wanted === null ? '' : headerKey(wanted);
  if (key !== '') {
    const named = leading.findIndex((cells) => textsOf(cells).map(headerKey).includes(key));
    if (named !== -1) return named;
  }
  const known = leading.findIndex((_, row) => namesDestination(table, row));
  if (known !== -1) return lastHeader(table, known, end);
  const columns = addressColumns([], table);
  const firstData = table.findIndex((cells) =>
    columns.some(({ column }) => isAddressLike(cells[column])),
  );
  if (firstData < 1 || firstData > maxLeadingRows) return -1;
  // Words above the addresses. Rows that lack one are data, unless they are titles.
  const untitled = table.findIndex((cells) => cells.filter((cell) => !isEmpty(cell)).length > 1);
  const header = table
    .slice(untitled + 1, firstData)
    .some((cells) => columns.some(({ column }) => resemblesDomain(cells[column]?.text ?? '')))
    ? untitled
    : firstData - 1;
  return columns.some(({ column }) => isHeader(table[header] ?? [], column)) ? header : -1;
}

/** Returns the last row of a header, which may have a row for groups of columns, or for each language. */
function lastHeader(table: readonly Cells[], first: number, end: number): number {
  const destinationAt = (row: number) => wholeColumns(textsOf(table[row])).destination;
  let last = first;
  while (last + 1 < end && isKnownHeader(table[last + 1] ?? [])) {
    if (destinationAt(last + 1) !== destinationAt(first)) break;
    last++;
  }
  return last;
}

/**
 * Returns whether a row without addresses is a header, by its words.
 * One names the column of the destinations.
 */
function namesDestination(table: readonly Cells[], row: number): boolean {
  const cells = table[row] ?? [];
  if (isKnownHeader(cells)) return true;
  const below = table.slice(row + 1);
  const isNamed = cells.some(
    ({ text }, column) =>
      fitOf(text) >= fit.part && below.some(({ [column]: cell }) => isAddressLike(cell)),
  );
  return isNamed && (!cells.some(isAddressLike) || isDottedHeader(cells, below));
}

/**
 * Returns whether a row of domains is a header such as `item.name,item.link`.
 * Its words are known, or begin alike, and stand above addresses.
 */
function isDottedHeader(cells: Cells, below: readonly Cells[]): boolean {
  const texts = [...new Set(textsOf(cells).filter((text) => text !== ''))];
  if (texts.some((text) => /[:/?#]/.test(text))) return false;
  const known = texts.filter((text) => fitOf(text) !== fit.unknown);
  const prefixes = texts.flatMap((text) => (text.includes('.') ? [text.split('.', 1)[0]] : []));
  const isAlike = new Set(prefixes).size < prefixes.length;
  const hasPaths = below
    .slice(0, maxLeadingRows)
    .some((row) => row.some(({ text }) => text.includes('/')));
  return known.length > 1 || isAlike || hasPaths;
}

/** Returns whether cells, of which none is known, are a header: words above the addresses. */
function isHeader(cells: Cells, destination: number): boolean {
  const text = cells[destination]?.text ?? '';
  const isWord = /\p{L}/u.test(text) && !/[:/@\\]/.test(text) && text.length <= maxHeaderLength;
  const texts = textsOf(cells).filter((one) => one !== '');
  return (
    isWord || (texts.length > 1 && text === '' && texts.some((one) => fitOf(one) === fit.label))
  );
}

/** Returns the column of a header or letter. @throws Refused when there is none */
function wantedColumn(names: readonly string[], data: readonly Cells[], wanted: string): number {
  const exact = names.indexOf(wanted);
  if (exact !== -1) return exact;
  const key = headerKey(wanted);
  const alike = names.findIndex((name) => key !== '' && headerKey(name) === key);
  if (alike !== -1) return alike;
  const width = Math.max(names.length, widthOf(data));
  const letters = Array.from({ length: width }, (_, column) => columnLetters(column));
  const letter = letters.indexOf(wanted.trim().toUpperCase());
  if (letter !== -1) return letter;
  const all = letters.map((one, column) => shorten(names[column] || one));
  throw new Refused({
    kind: 'no such column',
    column: shorten(wanted),
    columns: listed(all, maxNamedColumns),
  });
}

const maxNamedColumns = 20;

interface AddressColumn {
  readonly column: number;
  /** Whether its addresses have a scheme. */
  readonly isWeb: boolean;
  readonly isPictures: boolean;
}

/**
 * Returns the columns most of whose cells are addresses.
 * Some addresses suffice if the header names them.
 */
function addressColumns(names: readonly string[], data: readonly Cells[]): AddressColumn[] {
  const columns = Array.from({ length: widthOf(data) }, (_, column) => {
    const cells = data.flatMap(({ [column]: cell = noCell }) => (isEmpty(cell) ? [] : [cell]));
    const addresses = cells.filter(isAddressLike);
    const isMost = (some: readonly SheetCell[]) => 2 * some.length >= addresses.length;
    return {
      column,
      addresses: addresses.length,
      isMostly: 2 * addresses.length >= cells.length || fitOf(names[column] ?? '') >= fit.part,
      isWeb: isMost(addresses.filter(isAddress)),
      isPictures: isMost(addresses.filter((cell) => isPicture(destinationIn(cell)))),
    };
  }).filter(({ addresses }) => addresses > 0);
  const mostly = columns.filter(({ isMostly }) => isMostly);
  return mostly.length > 0 ? mostly : columns;
}

/**
 * Returns the column of addresses whose header fits best, those of pictures last.
 * Null when none has addresses.
 *
 * @throws Refused with `several columns` when several fit alike and differ
 */
function chooseDestination(names: readonly string[], data: readonly Cells[]): number | null {
  const candidates = addressColumns(names, data).flatMap(({ column, isWeb, isPictures }) => {
    const byName = fitOf(names[column] ?? '');
    // "Booking.com" and "ASP.NET" under "Company" or "Product" are names.
    if (byName === fit.label && !isWeb) return [];
    return [{ column, isWeb, fit: isPictures && byName < fit.whole ? fit.hardly : byName }];
  });
  const best = Math.max(...candidates.map((one) => one.fit));
  const known = wholeColumns(names).destination;
  if (known !== -1 && best < fit.part) {
    // Texts under "Page" or "Address" are titles and postal addresses. A column that was left empty is meant.
    const isEmptyColumn = data.every(({ [known]: cell = noCell }) => isEmpty(cell));
    if (best < fit.unknown || isEmptyColumn || fitOf(names[known] ?? '') === fit.target)
      return known;
  }
  const fitting = candidates.filter((one) => one.fit === best);
  const web = fitting.filter(({ isWeb }) => isWeb);
  const [first, ...others] = web.length > 0 && best < fit.part ? web : fitting;
  if (first === undefined) return null;
  const differing = others.filter(({ column }) =>
    data.some(
      ({ [column]: one = noCell, [first.column]: other = noCell }) =>
        destinationIn(one) !== destinationIn(other),
    ),
  );
  if (differing.length === 0) return first.column;
  // Of columns with the same header, the letter tells which one.
  const isUnique = (name: string) => name !== '' && names.indexOf(name) === names.lastIndexOf(name);
  const columns = [first, ...differing].map(({ column }) => {
    const name = names[column] ?? '';
    return isUnique(name) ? name : columnLetters(column);
  });
  throw new Refused({ kind: 'several columns', columns });
}

const noCell: SheetCell = { text: '', link: null };

/** Returns whether an address is one of a picture, such as a photo or the image of a QR code. */
function isPicture(url: string): boolean {
  const { hostname = '', pathname = '', search = '' } = URL.parse(url) ?? {};
  return (
    /\.(?:jpe?g|png|gif|webp|avif|svg|heic|bmp|tiff?|ico)$/i.test(pathname) ||
    /\/(?:create-)?qr(?:-?code)?s?\/?$/i.test(pathname) ||
    /[?&]cht=qr(?:&|$)/i.test(search) ||
    /^(?:api\.qrserver|chart\.googleapis)\.com$/.test(hostname)
  );
}

/** Returns the column of the destinations of a table without addresses, whose rows say what is wrong. */
function defaultColumn(data: readonly Cells[]): number {
  const filled = data.filter((cells) => cells.length > 0);
  const width = widthOf(data);
  // Another scheme is a problem of its row.
  if (width > 1 && !filled.flat().some(({ text }) => /\w:/.test(text)))
    throw new Refused({ kind: 'table without addresses' });
  return width > 1 ? 1 : 0;
}

/** Returns how many rows before the data are titles: one cell, and not where the addresses are. */
function titleRows(table: readonly Cells[], destination: number): number {
  const firstData = table.findIndex((cells) => isAddressLike(cells[destination]));
  if (firstData < 1 || firstData > maxLeadingRows) return 0;
  return table.slice(0, firstData).every((cells) => isTitle(cells, destination)) ? firstData : 0;
}

function isTitle(cells: Cells, destination: number): boolean {
  const filled = cells.flatMap(({ text }, column) => (text === '' ? [] : [column]));
  return filled.length <= 1 && cells.length > 1 && filled[0] !== destination;
}

function withHeader(rows: readonly TableRow[], header: number, destination: number): TableLayout {
  const table = rows.slice(header).map(({ cells }) => cells ?? []);
  const [, ...data] = table;
  const names = textsOf(table[0]);
  const nameOf = (column: number) => shorten(names[column] || columnLetters(column));
  const known = labelColumns(names, data, destination);
  const others = unusedColumns(table, known);
  const [only] = others.filter((column) => !hasAddress(data, column));
  // The text of a linked cell names where it leads, unless it is the same everywhere.
  const linked = data.flatMap(({ [destination]: cell = noCell }) =>
    isLinkedText(cell) && cell.text !== '' ? [cell.text] : [],
  );
  const isLinked = new Set(linked).size > 1 || (linked.length > 0 && others.length !== 1);
  const takesName = known.name === -1 && others.length === 1 && only !== undefined && !isLinked;
  const name = takesName ? only : known.name === -1 && isLinked ? destination : known.name;
  const { leadingRows, notices } = titles(rows, header);
  const destinationNotices: FileNotice[] =
    fitOf(names[destination] ?? '') >= fit.part
      ? []
      : [{ kind: 'column with the destinations', column: nameOf(destination) }];
  const nameNotices: FileNotice[] = takesName
    ? [{ kind: 'column with the names', column: nameOf(only) }]
    : [];
  return {
    columns: { ...known, name },
    leadingRows: leadingRows + 1,
    headerWidth: names.length,
    ignoredColumns: (takesName ? [] : others).map(
      (column) => names[column] || columnLetters(column),
    ),
    notices: [...notices, ...destinationNotices, ...nameNotices],
  };
}

/** Returns the columns of the labels: by whole headers, else by a part of one. */
function labelColumns(
  names: readonly string[],
  data: readonly Cells[],
  destination: number,
): Columns {
  const free = names.map((name, column) => (column === destination ? '' : name));
  const whole = wholeColumns(free);
  const labels = mapLabels((label) => {
    if (whole[label] !== -1) return whole[label];
    return free.findIndex(
      (name, column) =>
        !Object.values(whole).includes(column) &&
        innerLabel(name) === label &&
        !hasAddress(data, column),
    );
  });
  return { ...labels, destination };
}

/** Takes name, note, and so on in their order, unless the destination is among them. */
function byPosition(
  data: readonly Cells[],
  destination: number,
): Pick<TableLayout, 'columns' | 'ignoredColumns'> {
  const none = { ...mapLabels(() => -1), destination };
  const texts = unusedColumns(data, none).filter((column) => !hasAddress(data, column));
  const [name = -1, note = -1] = texts;
  const columns = { ...none, name, note };
  return { columns, ignoredColumns: unusedColumns(data, columns).map(columnLetters) };
}

/** Names the rows before the header or the data. */
function titles(
  rows: readonly TableRow[],
  count: number,
): Pick<TableLayout, 'leadingRows' | 'notices'> {
  const notices = rows.slice(0, count).map(({ row, cells }): FileNotice => {
    const text = textsOf(cells ?? []).find((one) => one !== '') ?? '';
    return { kind: 'row is no data', row, text: shorten(text) };
  });
  return { leadingRows: count, notices };
}

/** Returns the columns that have a header or data and are not used. */
function unusedColumns(table: readonly Cells[], used: Columns): number[] {
  const isUsed = new Set(Object.values(used));
  return Array.from({ length: widthOf(table) }, (_, column) => column).filter(
    (column) => !isUsed.has(column) && table.some((cells) => (cells[column]?.text ?? '') !== ''),
  );
}

function widthOf(table: readonly Cells[]): number {
  return table.reduce((width, cells) => Math.max(width, cells.length), 0);
}

function hasAddress(data: readonly Cells[], column: number): boolean {
  return data.some(({ [column]: cell }) => isAddress(cell));
}

function isEmpty({ text, link, problem }: SheetCell): boolean {
  return text === '' && link === null && problem === undefined;
}

function textsOf(cells: Cells | undefined): string[] {
  return (cells ?? []).map(({ text }) => text);
}
