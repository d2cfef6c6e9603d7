import type { Database } from 'bun:sqlite';
import { createRowChecks, type RowChecks } from '../../core/backups/snapshot-values.ts';
import { DatabaseCorrupt, DatabaseUnusable } from '../../core/errors.ts';
import type { Repaired } from '../../core/storage.ts';
import { runAtOnce } from '../../lib/event-loop.ts';
import { type Connection, openForReading } from '../../redirect/sqlite/connection.ts';
import { readableRows, type UnreadableRange } from '../../redirect/sqlite/damage.ts';
import { isDamage } from '../../redirect/sqlite/errors.ts';
import { databasePath } from '../../redirect/sqlite/files.ts';
import { type PinnedHits, pinHits } from '../hits/pending.ts';
import { columnsOf, copyRows, ownTables, type Row, selected, tableProblem } from './copy-rows.ts';
import { countRows, integrityError } from './integrity.ts';
import { fillSchemaLike, writeNewDatabase } from './new-database.ts';
import { repairReferences } from './repair-references.ts';

// The only table without row numbers.
const entriesTable = 'threat_list_entries';

/**
 * Copies what can be read from a data folder's database into a new file.
 * Indexes and totals are new. Only reads the database, also while a server uses it. The copy is checked before it gets
 * its name.
 *
 * @param replace whether an existing file may be replaced
 * @throws FileError, DatabaseUnusable when nothing can be read
 */
export function repair(
  dataFolder: string,
  file: string,
  options: { replace: boolean; nowMs: number },
): Repaired {
  return runAtOnce(repairInSteps(dataFolder, file, options));
}

/** Does what {@link repair} does, in steps. */
export function repairInSteps(
  dataFolder: string,
  file: string,
  { replace, nowMs }: { replace: boolean; nowMs: number },
): Generator<void, Repaired> {
  return writeNewDatabase(file, { dataFolder, replace }, function* (temporary) {
    const hits = pinHits(dataFolder);
    const { $client: source } = openDamaged(dataFolder);
    try {
      yield;
      return fillSchemaLike(source, temporary, (repaired) => fill(repaired, source, hits, nowMs));
    } finally {
      source.close();
      hits.close();
    }
  });
}

function fill(
  repaired: Database,
  source: Database,
  hits: PinnedHits,
  nowMs: number,
): Omit<Repaired, 'bytes'> {
  // One snapshot. It ends when the connection closes.
  source.run('BEGIN');
  const checks = createRowChecks();
  const notes: string[] = [];
  const rows = repaired.transaction(() => copyReadableRows(source, repaired, checks, notes))();
  repaired.transaction(() => {
    notes.push(...copyThreatLists(source, repaired, checks));
    notes.push(...checks.refusals().map((refusal) => `${refusal}. Left out.`));
    notes.push(...repairReferences(repaired, nowMs));
  })();
  hits.addTo(repaired, source);
  const missing = { codes: missingCodes(source, repaired), rows, notes };
  const error = integrityError(repaired);
  if (error !== null) throw new DatabaseUnusable(`The repaired copy is not sound: ${error}.`);
  return { rows: countRows(repaired), missing };
}

/** @throws DatabaseUnusable, without the advice to repair, when SQLite cannot read the list of its tables */
function openDamaged(dataFolder: string): Connection {
  try {
    return openForReading(dataFolder);
  } catch (error) {
    if (!(error instanceof DatabaseCorrupt)) throw error;
    throw new DatabaseUnusable(
      `${databasePath(dataFolder)} cannot be repaired: the list of its tables cannot be read, or it is no ` +
        'database of Waymark. Nothing was changed. Restore the latest backup with "waymark restore FILE ' +
        '--force"; the damaged file is kept under another name.',
    );
  }
}

/** Copies the readable rows of all tables. Returns what cannot be read, by table. */
function copyReadableRows(
  source: Database,
  repaired: Database,
  checks: RowChecks,
  notes: string[],
): Repaired['missing']['rows'] {
  const tables = ownTables(repaired).filter((table) => table !== entriesTable);
  return tables.flatMap((table) => {
    const problem = tableProblem(source, table, columnsOf(repaired, table));
    if (problem !== null) {
      notes.push(`${problem}; its rows are left out`);
      return [];
    }
    const unreadable: UnreadableRange[] = [];
    const rows = readableRows<Row>(source, table, selected(repaired, table), {
      onUnreadable: (range) => unreadable.push(range),
    });
    // A code is kept without a name that is damaged.
    const rejected = copyRows(repaired, table, rows, checks, { clear: true });
    return unreadable.length > 0 || rejected > 0 ? [{ table, unreadable, rejected }] : [];
  });
}

/**
 * Copies the entries of threat lists, and removes the lists of which some cannot be read.
 * Half a list would look like a whole one.
 */
function copyThreatLists(source: Database, repaired: Database, checks: RowChecks): string[] {
  // The schema of an earlier version has none.
  if (!ownTables(repaired).includes(entriesTable)) return [];
  // They are being imported or deleted.
  repaired.run('DELETE FROM threat_lists WHERE source IS NULL');
  const lists = repaired.query<{ id: number; source: string; entries: number }, []>(
    "SELECT id, source, list ->> 'entries' AS entries FROM threat_lists",
  );
  const copied = repaired.query<{ entries: number }, [number]>(
    `SELECT count(*) AS entries FROM ${entriesTable} WHERE list_id = ?`,
  );
  const entriesOf = source.query<Row, [number]>(
    `SELECT ${selected(repaired, entriesTable)} FROM ${entriesTable} WHERE list_id = ?`,
  );
  return lists.all().flatMap(({ id, source: name, entries }) => {
    try {
      copyRows(repaired, entriesTable, entriesOf.iterate(id), checks);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    if (copied.get(id)?.entries === entries) return [];
    repaired.run(`DELETE FROM ${entriesTable} WHERE list_id = ${id}`);
    repaired.run(`DELETE FROM threat_lists WHERE id = ${id}`);
    return [`threat list "${name}" cannot be read; import it again`];
  });
}

const codeCharacters = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the codes that an index of the damaged database has and the copy lacks, in their order. */
function missingCodes(source: Database, repaired: Database): string[] {
  const isCopied = repaired.query<{ found: 1 }, [string]>(
    'SELECT 1 AS found FROM qrs WHERE code = ?',
  );
  const missing = new Set<string>();
  const collect = (order: 'ASC' | 'DESC', from: string, to: string) => {
    const codes = source.prepare<{ code: string }, [string, string]>(
      `SELECT code FROM qrs WHERE code >= ? AND code < ? ORDER BY code ${order}`,
    );
    try {
      for (const { code } of codes.iterate(from, to))
        if (typeof code === 'string' && isCopied.get(code) === null) missing.add(code);
    } catch (error) {
      if (!isDamage(error)) throw error;
    } finally {
      codes.finalize();
    }
  };
  // In small ranges and from both ends, so that a damaged page of the index hides few others.
  const starts = [...codeCharacters].flatMap((one) => [...codeCharacters].map((two) => one + two));
  const bounds = ['', ...starts, '\u{10ffff}'];
  for (const [index, from] of bounds.slice(0, -1).entries())
    for (const order of ['ASC', 'DESC'] as const) collect(order, from, bounds[index + 1] ?? '');
  return [...missing].sort();
}
