import { columnLetters, type SheetCell } from '../../../lib/spreadsheet/cells.ts';
import { shorten } from '../../../lib/text/shorten.ts';
import { trimInvisible } from '../../../lib/trim.ts';
import { Refused } from '../../errors.ts';
import { type LinkLabelName, mapLinkLabels } from '../fields.ts';
import {
  destinationIn,
  destinationProblem,
  isAddress,
  textProblem,
} from '../tables/cell-address.ts';
import { type LinkColumnsQuestion, listed } from '../tables/file-reasons.ts';
import { findColumn } from '../tables/find-column.ts';
import { addressesOf, withDomain } from './addresses.ts';
import type { LinkReader } from './sources.ts';

// The cast is safe: these are the keys of the object.
const labelRoles = Object.keys(mapLinkLabels(() => null)) as LinkLabelName[];

/** What a column of a table of links may be. */
export const linkRoles = [
  ...(['address', 'destination'] as const),
  ...labelRoles,
  ...(['domain', 'scans', 'created', 'last-scan', 'active', 'ignore'] as const),
] as const;
export type LinkRole = (typeof linkRoles)[number];

/** What somebody said about a column. */
export interface LinkColumnChoice {
  readonly role: LinkRole;
  /** The header, number or letter. `none` for `active`: no column says it, all links are active. */
  readonly of: string;
}

/** What somebody said about a table. */
export interface LinkTableOptions {
  readonly linkColumns?: readonly LinkColumnChoice[] | undefined;
  readonly header?: boolean | undefined;
  /** Values of the column `active` with which a link is active. With all others it is paused. */
  readonly activeValues?: readonly string[] | undefined;
}

/** Headers that name a column: the words of the product. */
const headers: ReadonlyMap<string, LinkRole> = new Map<string, LinkRole>([
  ['address', 'address'],
  ['path', 'address'],
  ['destination', 'destination'],
  ['domain', 'domain'],
  ...Object.values(
    mapLinkLabels((name, { headers }) => headers.map((word): [string, LinkRole] => [word, name])),
  ).flat(),
  ['scans', 'scans'],
  ['created', 'created'],
  ['last scan', 'last-scan'],
]);

/** Returns what a header names, or null. */
export function namedLinkColumn(header: string): LinkRole | null {
  return headers.get(header.normalize('NFKC').trim().toLowerCase()) ?? null;
}

/** Returns whether fields of JSON have the address and the destination, by their names. */
export function hasLinkColumns(names: readonly string[], options: LinkTableOptions): boolean {
  return (['address', 'destination'] as const).every((role) => {
    const chosen = options.linkColumns?.find((choice) => choice.role === role);
    return chosen === undefined
      ? names.some((name) => namedLinkColumn(name) === role)
      : names.includes(chosen.of);
  });
}

type Cells = readonly SheetCell[];

export interface LinkTable {
  readonly reader: LinkReader;
  readonly hasHeader: boolean;
}

/**
 * Returns how a table of links is read: by the choices, and by headers that are words of the product.
 *
 * @param names of the fields of JSON; null for a table, whose first row may have them
 * @param form.isText whether the rows are those of a text, in which a row longer than the header is split
 * @throws Refused with what has to be asked
 */
export function linkTable(
  rows: readonly Cells[],
  names: readonly string[] | null,
  options: LinkTableOptions,
  { isText = false, isSeparatorOpen = false } = {},
): LinkTable {
  const header = names === null ? headerOf(rows, options) : { isThere: true, isOpen: false };
  const data = names === null && header.isThere ? rows.slice(1) : rows;
  const longest = rows.reduce((max, cells) => Math.max(max, cells.length), names?.length ?? 0);
  const width = isText && header.isThere ? (rows[0]?.length ?? 0) : longest;
  const shownNames = Array.from({ length: width }, (_, column) =>
    names === null
      ? header.isThere
        ? (rows[0]?.[column]?.text ?? '')
        : ''
      : (names[column] ?? ''),
  );
  const columns = columnsOf(shownNames, options.linkColumns ?? []);
  const { at } = columns;
  const isBlank = (column: number) => data.every((cells) => isEmpty(cells[column]));
  const isLeft = shownNames.some((_, column) => !columns.isSaid.has(column) && !isBlank(column));
  const isStateKnown = at('active') !== -1 || columns.areAllActive || !isLeft;
  const missing = [
    ...(at('address') === -1 ? (['address'] as const) : []),
    ...(at('destination') === -1 ? (['destination'] as const) : []),
    ...(isStateKnown ? [] : (['active'] as const)),
  ];
  const states = at('active') === -1 ? null : statesOf(data, at('active'));
  const { activeValues } = options;
  const unknownStates =
    activeValues?.filter((value) => states !== null && !states.has(value)) ?? [];
  const isStateOpen = states !== null && (activeValues === undefined || unknownStates.length > 0);
  if (missing.length > 0 || header.isOpen || isSeparatorOpen || isStateOpen) {
    const question: LinkColumnsQuestion = {
      kind: 'columns of links not known',
      columns: shownNames.map((name, column) => ({
        header: shorten(name, maxShownLength),
        value: shorten(firstValue(data, column), maxShownLength),
      })),
      hasHeader: header.isThere,
      isHeaderOpen: header.isOpen,
      isSeparatorOpen,
      missing,
      states: isStateOpen ? listedStates(states) : null,
      unknownStates: unknownStates.slice(0, maxShownStates).map((value) => shorten(value)),
    };
    throw new Refused(question);
  }
  const isRead = new Set(linkRoles.map((role) => (role === 'ignore' ? -1 : at(role))));
  const ignored = shownNames.flatMap((name, column) =>
    isRead.has(column) || isBlank(column) ? [] : name || columnLetters(column),
  );
  return {
    hasHeader: header.isThere,
    reader: {
      source: 'csv',
      ignored,
      read: (row, cells) => [linkOf(row, cells, shownNames, columns, new Set(activeValues))],
    },
  };
}

function linkOf(
  row: number,
  cells: Cells,
  names: readonly string[],
  { at, isSaid }: LinkColumns,
  active: ReadonlySet<string>,
): ReturnType<LinkReader['read']>[number] {
  const textAt = (role: LinkRole) => trimInvisible(cells[at(role)]?.text ?? '');
  const value = (role: LinkRole) => {
    const text = textAt(role);
    // Databases write a missing value so.
    return text === 'NULL' || text === '\\N' ? '' : text;
  };
  const destination = cells[at('destination')];
  const problem =
    destinationProblem(destination) ??
    names
      .map((name, column) => (isSaid.has(column) ? textProblem(cells[column], name) : null))
      .find((reason) => reason !== null) ??
    null;
  const isActive = at('active') === -1 || active.has(textAt('active'));
  // A printed path may be the word NULL.
  const [short = ''] = addressesOf('', withDomain('', textAt('address')), []);
  return {
    row,
    short,
    domain: value('domain') || undefined,
    destination:
      destination === undefined || destination.link === null
        ? value('destination')
        : destinationIn(destination),
    ...mapLinkLabels(value),
    scans: value('scans'),
    created: value('created'),
    lastScan: value('last-scan'),
    ...(problem !== null && { problem }),
    ...(!isActive && { inactive: 'not said to be active' as const }),
  };
}

interface LinkColumns {
  /** Returns the position of a column; -1 when the table lacks it. */
  at(role: LinkRole): number;
  /** Positions of columns that somebody or their header says what they are, ignored ones included. */
  readonly isSaid: ReadonlySet<number>;
  readonly areAllActive: boolean;
}

/** @throws Refused when a chosen column is not there, or chosen twice */
function columnsOf(names: readonly string[], choices: readonly LinkColumnChoice[]): LinkColumns {
  const isNone = ({ role, of }: LinkColumnChoice) =>
    role === 'active' && of === 'none' && !names.includes('none');
  const chosen = choices
    .filter((choice) => !isNone(choice))
    .map(({ role, of }) => ({ role, of, column: findColumn(names, of) }));
  const twice = chosen.find(
    ({ column }, index) => chosen.findIndex((other) => other.column === column) !== index,
  );
  if (twice !== undefined)
    throw new Refused({ kind: 'column chosen twice', column: shorten(twice.of) });
  const at = (role: LinkRole): number => {
    const found = chosen.find((one) => one.role === role);
    if (found !== undefined) return found.column;
    const named = names.flatMap((name, column) => (namedLinkColumn(name) === role ? [column] : []));
    const [only = -1] = named;
    // Of several with such a header, somebody has to choose one.
    return named.length > 1 || chosen.some(({ column }) => column === only) ? -1 : only;
  };
  return {
    at,
    isSaid: new Set([...linkRoles.map(at), ...chosen.map(({ column }) => column)]),
    areAllActive: choices.some(isNone),
  };
}

/**
 * Returns whether the first row is a header.
 * A row with an address is none, and one with a word of the product or a header that somebody named is one.
 */
function headerOf(
  rows: readonly Cells[],
  { header, linkColumns = [] }: LinkTableOptions,
): { readonly isThere: boolean; readonly isOpen: boolean } {
  if (header !== undefined) return { isThere: header, isOpen: false };
  const [first = []] = rows;
  if (first.some(isAddress)) return { isThere: false, isOpen: false };
  const isNamed = (text: string) =>
    linkColumns.some(({ of }) => !isPosition(of) && of.toLowerCase() === text.toLowerCase());
  const isKnown = first.some(({ text }) => namedLinkColumn(text) !== null || isNamed(text));
  return { isThere: true, isOpen: !isKnown };
}

/** Returns whether a choice may be the number or letter of a column, whatever the first row has. */
function isPosition(of: string): boolean {
  return /^(?:\d+|[a-z]{1,2})$/i.test(of.trim());
}

const maxShownLength = 60;
// More than a column has that says whether links are active.
const maxShownStates = 20;

function statesOf(data: readonly Cells[], column: number): Map<string, number> {
  const states = new Map<string, number>();
  for (const cells of data) {
    const value = trimInvisible(cells[column]?.text ?? '');
    states.set(value, (states.get(value) ?? 0) + 1);
  }
  return states;
}

function listedStates(states: ReadonlyMap<string, number>): LinkColumnsQuestion['states'] {
  const all = Array.from(states, ([value, links]) => ({
    value: shorten(value, maxShownLength),
    links,
  }));
  return listed(
    all.sort((one, other) => other.links - one.links),
    maxShownStates,
  );
}

function firstValue(data: readonly Cells[], column: number): string {
  const cell = data.find((cells) => !isEmpty(cells[column]))?.[column];
  return cell?.text || (cell?.link ?? '');
}

function isEmpty(cell: SheetCell | undefined): boolean {
  return (
    cell === undefined || (cell.text === '' && cell.link === null && cell.problem === undefined)
  );
}
