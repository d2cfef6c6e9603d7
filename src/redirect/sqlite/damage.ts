import type { Database } from 'bun:sqlite';
import { qrStatuses } from '../../core/codes/qr.ts';
import { damageMessage, StoreUnavailable } from '../../core/errors.ts';
import type { HealthCondition } from '../../core/health.ts';
import { isDamage, sqliteMessage } from './errors.ts';

/** A range of rowids whose rows cannot be read. Some of them may never have existed. */
export interface UnreadableRange {
  readonly first: number;
  /** Null if the end of the table is unknown. */
  readonly last: number | null;
}

/** A value of a row as SQLite stores it. */
type Value = string | number | Uint8Array | null;

/** A row of the table of codes, by the names of its columns. */
export type CodeRow = Readonly<Record<string, Value>> & {
  readonly code: string;
  readonly short_link: string;
  readonly destination: string;
  readonly status: (typeof qrStatuses)[number];
};

// Where the end of a table is unknown. The largest subtree below one page of a million codes has fewer rows.
const giveUpAfter = 200_000;

/**
 * Reads the rows of a table in the order of their rowids, also if some of its pages are damaged.
 * Uses no index. Where a row cannot be read, it continues with the next rowid that can.
 *
 * @param columns of the result, in SQL; `rowid` is added to them
 * @param options.onUnreadable called for each range that cannot be read
 * @param options.first the rowid to begin with
 */
export function* readableRows<Row extends object>(
  database: Database,
  table: string,
  columns: string,
  {
    onUnreadable = () => {},
    first = 1,
  }: { onUnreadable?: (range: UnreadableRange) => void; first?: number } = {},
): Generator<Row & { readonly rowid: number }> {
  type Result = Row & { readonly rowid: number };
  const select = `SELECT rowid AS rowid, ${columns} FROM "${table}" NOT INDEXED WHERE rowid`;
  const byId = database.query<Result, [number]>(`${select} = ?`);
  const known = lastRowid(database, table);
  let next = first;
  /** First rowid of the unreadable range before `next`, or null. */
  let gapStart: number | null = null;
  const closeGap = (end: number) => {
    if (gapStart !== null) onUnreadable({ first: gapStart, last: end - 1 });
    gapStart = null;
  };

  /** Returns the last rowid that is tried. */
  const last = () => known ?? (gapStart ?? next) + giveUpAfter;
  while (next <= last()) {
    const rows = database.prepare<Result, [number]>(`${select} >= ? ORDER BY rowid`);
    try {
      for (const row of rows.iterate(next)) {
        closeGap(next);
        next = row.rowid + 1;
        yield row;
      }
      break;
    } catch (error) {
      if (!isDamage(error)) throw error;
    } finally {
      rows.finalize();
    }
    // One by one, up to the next that can be read.
    for (let isReadable = false; !isReadable && next <= last(); next++) {
      const row = tryToGet(byId, next);
      isReadable = row !== 'unreadable';
      if (row === 'unreadable') gapStart ??= next;
      else closeGap(next);
      if (row !== 'unreadable' && row !== null) yield row;
    }
  }
  if (known === null && gapStart !== null) onUnreadable({ first: gapStart, last: null });
  else closeGap(next);
  byId.finalize();
}

/** Reads all codes that can be read, in the order of their rowids, see {@link readableRows}. */
export function* readableCodes(
  database: Database,
  onUnreadable: (range: UnreadableRange) => void = () => {},
): Generator<CodeRow> {
  for (const row of readableRows<Record<string, Value>>(database, 'qrs', '*', { onUnreadable }))
    if (isCode(row)) yield row;
    else onUnreadable({ first: row.rowid, last: row.rowid });
}

/** Returns whether values are of a code. Damage can change the type of a value. */
function isCode(row: Readonly<Record<string, Value>>): row is CodeRow {
  const texts = [row['code'], row['short_link'], row['destination']];
  return (
    texts.every((text) => typeof text === 'string') &&
    qrStatuses.some((known) => known === row['status'])
  );
}

function tryToGet<Row>(
  statement: { get(rowid: number): Row | null },
  rowid: number,
): Row | null | 'unreadable' {
  try {
    return statement.get(rowid);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return 'unreadable';
  }
}

/** Returns the highest rowid of a table; null if it cannot be read. */
function lastRowid(database: Database, table: string): number | null {
  for (const sql of [
    `SELECT max(rowid) AS id FROM "${table}" NOT INDEXED`,
    `SELECT seq AS id FROM sqlite_sequence WHERE name = '${table}'`,
  ])
    try {
      const row = database.query<{ id: number | null }, []>(sql).get();
      if (row !== null) return row.id ?? 0;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  return null;
}

/** Remembers the first failure that damage of an open database has caused. */
export interface DamageMonitor {
  /** Returns whether damage caused an error, and remembers it. */
  note(error: unknown): boolean;
  /** Throws an error again: as StoreUnavailable if damage caused it, which is remembered. */
  rethrow(error: unknown): never;
  isFound(): boolean;
  /** The condition that damage was found. */
  readonly condition: HealthCondition;
}

/**
 * Creates a monitor.
 *
 * @param known what a check has found before, or null
 */
export function createDamageMonitor(known: string | null = null): DamageMonitor {
  let found = known;
  const note = (error: unknown): boolean => {
    if (!isDamage(error)) return false;
    found ??= sqliteMessage(error);
    return true;
  };
  return {
    note,
    rethrow: (error) => {
      if (!note(error)) throw error;
      throw new StoreUnavailable('The database is damaged.', {
        cause: new Error(sqliteMessage(error)),
      });
    },
    isFound: () => found !== null,
    condition: {
      name: 'database_damaged',
      severity: 'problem',
      rejectsWrites: true,
      check: () => (found === null ? [] : [damageMessage(found)]),
    },
  };
}
