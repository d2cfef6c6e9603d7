import type { Database } from 'bun:sqlite';
import { qrStatuses } from '../../core/codes/qr.ts';
import { decode, hitsIn, UnreadableRow } from '../scans/batch.ts';

// The first few say enough; a broken page can make thousands.
const mostFlaws = 10;

/**
 * What is wrong with a database; empty when it is sound. `full` also holds every index against its
 * table, which takes a few seconds for a million codes.
 *
 * @throws SQLiteError when it is too damaged to be looked at
 */
export function flawsOf(database: Database, depth: 'full' | 'quick' = 'full'): string[] {
  const check = depth === 'full' ? 'integrity_check' : 'quick_check';
  const pages = database
    .query<Record<string, string>, []>(`PRAGMA ${check}(${mostFlaws})`)
    .all()
    .flatMap((row) => Object.values(row))
    .filter((line) => line !== 'ok');
  const references = database
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .all()
    .slice(0, mostFlaws)
    .map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`);
  return [...pages, ...references, ...unknownStatuses(database), ...unreadableScans(database)];
}

/** SQLite holds what is stored against the rules of the schema only where it may write. */
function unknownStatuses(database: Database): string[] {
  if (!hasTable(database, 'qrs')) return [];
  const known = qrStatuses.map((status) => `'${status}'`).join();
  const found = database.query(`SELECT 1 FROM qrs WHERE status NOT IN (${known}) LIMIT 1`).get();
  return found === null ? [] : ['a row of qrs has a status that there is not'];
}

function hasTable(database: Database, name: string): boolean {
  return database.query('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== null;
}

/** Scans that wait to be added up: those of a row that nobody can read would never be. */
function unreadableScans(database: Database): string[] {
  if (!hasTable(database, 'scan_log')) return [];
  try {
    for (const { entries } of database
      .query<{ entries: Uint8Array }, []>('SELECT entries FROM scan_log')
      .iterate())
      decode(entries);
    return [];
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    return [error.message];
  }
}

/** In bytes. */
export function pageSizeOf(database: Database): number {
  return database.query<{ page_size: number }, []>('PRAGMA page_size').get()?.page_size ?? 1;
}

/** How much a database holds. Nothing of it ever gets less. */
export interface Holdings {
  readonly accounts: number;
  readonly designs: number;
  readonly qrs: number;
  readonly formerDestinations: number;
  /** Scans and uncounted hits, folded into the counters or not. */
  readonly hits: number;
}

/** Counts rows, all at one instant. Reads every counter: a second for some million codes. */
export function holdingsOf(database: Database): Holdings {
  const number = (sql: string) =>
    database.query<{ value: number | null }, []>(sql).get()?.value ?? 0;
  return database.transaction(() => {
    let unfolded = 0;
    for (const { entries } of database
      .query<{ entries: Uint8Array }, []>('SELECT entries FROM scan_log')
      .iterate())
      unfolded += hitsIn(decode(entries));
    return {
      accounts: number('SELECT count(*) AS value FROM accounts'),
      designs: number('SELECT count(*) AS value FROM designs'),
      qrs: number('SELECT count(*) AS value FROM qrs'),
      formerDestinations: number('SELECT count(*) AS value FROM former_destinations'),
      hits:
        unfolded +
        number('SELECT sum(scans) AS value FROM scan_counters') +
        number('SELECT sum(hits) AS value FROM uncounted_hits'),
    };
  })();
}
