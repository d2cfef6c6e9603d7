import type { Database } from 'bun:sqlite';
import { qrStatuses } from '../../core/codes/qr.ts';
import { type LeafRow, leafRows, type Value } from './leaf-rows.ts';
import { openPages } from './pages.ts';
import { readableRows, type UnreadableRange } from './readable-rows.ts';

/** A row of the table of codes, by the names of its columns. */
export type CodeRow = Readonly<Record<string, Value>> & {
  readonly id: number;
  readonly code: string;
  readonly short_link: string;
  readonly destination: string;
  readonly status: (typeof qrStatuses)[number];
};

/**
 * Reads all codes that a damaged database still has: first along the tree of the table, then on pages that a
 * damaged page of the tree led to.
 *
 * @param onUnreadable called for each range that cannot be read, at the end
 */
export function* readableCodes(
  database: Database,
  onUnreadable: (range: UnreadableRange) => void = () => {},
): Generator<CodeRow> {
  const ranges: UnreadableRange[] = [];
  const list = columnsOf(database)
    .map((column) => `"${column}"`)
    .join(', ');
  const rows = readableRows<Record<string, Value>>(database, 'qrs', list, (range) =>
    ranges.push(range),
  );
  for (const row of rows) {
    if (isCode(row)) yield row;
    else ranges.push({ first: row.rowid, last: row.rowid });
  }
  const found = new Set<number>();
  for (const code of detachedCodes(database, ranges)) {
    found.add(code.id);
    yield code;
  }
  for (const range of ranges) for (const rest of without(range, found)) onUnreadable(rest);
}

/** Reads codes whose rowid is in a range on pages that a damaged page of the tree led to. */
export function* detachedCodes(
  database: Database,
  ranges: readonly UnreadableRange[],
): Generator<CodeRow> {
  if (ranges.length === 0) return;
  const columns = columnsOf(database);
  const found = new Set<number>();
  const pages = openPages(pathOf(database));
  try {
    for (const row of leafRows(pages)) {
      if (found.has(row.rowid) || !ranges.some((range) => isWithin(range, row.rowid))) continue;
      const code = toRecord(columns, row);
      // The page may be of another table.
      if (!isCode(code) || !endsWithCode(code)) continue;
      found.add(row.rowid);
      yield code;
    }
  } finally {
    pages.close();
  }
}

/** Returns the columns in the order in which rows store them. */
function columnsOf(database: Database): string[] {
  return database
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('qrs') ORDER BY cid")
    .all()
    .map(({ name }) => name);
}

function pathOf({ filename }: Database): string {
  if (!filename.startsWith('file:')) return filename;
  const url = new URL(filename);
  url.search = '';
  return Bun.fileURLToPath(url);
}

function toRecord(columns: readonly string[], { rowid, values }: LeafRow): Record<string, Value> {
  const record: Record<string, Value> = {};
  for (const [index, column] of columns.entries()) record[column] = values[index] ?? null;
  return { ...record, id: rowid };
}

function isCode(record: Readonly<Record<string, Value>>): record is CodeRow {
  const { id, code, short_link: link, destination, status } = record;
  const texts = [code, link, destination];
  return (
    typeof id === 'number' &&
    texts.every((text) => typeof text === 'string') &&
    qrStatuses.some((known) => known === status)
  );
}

function endsWithCode({ code, short_link: link }: CodeRow): boolean {
  return link.toLowerCase().endsWith(`/${code.toLowerCase()}`);
}

function isWithin({ first, last }: UnreadableRange, rowid: number): boolean {
  return rowid >= first && (last === null || rowid <= last);
}

/** Splits a range at the rows that were found. */
function* without(
  { first, last }: UnreadableRange,
  found: ReadonlySet<number>,
): Generator<UnreadableRange> {
  let start = first;
  const inside = [...found]
    .filter((rowid) => isWithin({ first, last }, rowid))
    .sort((a, b) => a - b);
  for (const rowid of inside) {
    if (rowid > start) yield { first: start, last: rowid - 1 };
    start = rowid + 1;
  }
  if (last === null || start <= last) yield { first: start, last };
}
