import { Database } from 'bun:sqlite';
import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseCorrupt, DatabaseUnusable } from '../../core/errors.ts';
import type { Repaired } from '../../core/storage.ts';
import { removeTemporaryFiles, renameIntoPlace, temporaryPath } from '../../lib/atomic-write.ts';
import { withFileErrors } from '../../lib/errors.ts';
import {
  readableCodes,
  readableRows,
  type UnreadableRange,
  type Value,
} from '../damage/readable-rows.ts';
import { isDamage, sqliteCode } from '../database/errors.ts';
import { databasePath, removeDatabase } from '../database/files.ts';
import { createSchemaLike } from '../database/migrate.ts';
import { type Connection, openForReading } from '../database/open.ts';
import { countRows, integrityError } from './integrity.ts';
import { rejectExisting, rejectOverwrite } from './overwrite-guard.ts';
import { copyThreatLists } from './repair-lists.ts';
import { repairReferences } from './repair-references.ts';

/**
 * Copies everything that can be read from a data folder's database into a new file, with new indexes and
 * totals. Only reads the database, also while a server uses it. The copy is checked before it gets its name.
 *
 * @param replace whether an existing file may be replaced
 * @throws FileError, DatabaseUnusable when nothing can be read
 */
export function repair(
  dataFolder: string,
  file: string,
  { replace, nowMs }: { replace: boolean; nowMs: number },
): Repaired {
  rejectOverwrite(dataFolder, file);
  if (!replace) rejectExisting(file);
  removeTemporaryFiles(file);
  const temporary = temporaryPath(file);
  const source = openDamaged(dataFolder).$client;
  try {
    withFileErrors(`${file} cannot be written`, () => closeSync(openSync(temporary, 'wx', 0o600)));
    const repaired = new Database(temporary, { readwrite: true, strict: true });
    let rows: Repaired['rows'];
    let missing: Repaired['missing'];
    try {
      // If it is interrupted, the file is removed.
      repaired.run('PRAGMA journal_mode = OFF');
      repaired.run('PRAGMA synchronous = OFF');
      createSchemaLike(repaired, source);
      repaired.run('PRAGMA foreign_keys = OFF');
      // One snapshot. It ends when the connection closes.
      source.run('BEGIN');
      const lost = repaired.transaction(() => copyRows(source, repaired))();
      const notes = repaired.transaction(() => [
        ...copyThreatLists(source, repaired),
        ...repairReferences(repaired, nowMs),
      ])();
      const codes = missingCodes(source, repaired);
      missing = { codes, rows: lost, notes };
      const error = integrityError(repaired);
      if (error !== null) throw new DatabaseUnusable(`The repaired copy is not sound: ${error}.`);
      rows = countRows(repaired);
    } finally {
      repaired.close();
    }
    withFileErrors(`${file} cannot be written`, () => renameIntoPlace(temporary, file));
    return { bytes: statSync(file).size, rows, missing };
  } finally {
    source.close();
    removeDatabase(temporary);
  }
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

/** Copies the readable rows of all tables except threat lists. Returns what cannot be read, by table. */
function copyRows(source: Database, repaired: Database): Repaired['missing']['rows'] {
  const tables = repaired
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'threat_list%' ORDER BY rowid",
    )
    .all();
  return tables.flatMap(({ name: table }) => {
    const columns = columnsOf(repaired, table);
    const list = columns.map((column) => `"${column}"`).join(', ');
    const insert = repaired.prepare(
      `INSERT INTO "${table}" (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const unreadable: UnreadableRange[] = [];
    let rejected = 0;
    const onUnreadable = (range: UnreadableRange) => unreadable.push(range);
    const rows: Iterable<Readonly<Record<string, Value>>> =
      table === 'qrs'
        ? readableCodes(source, onUnreadable)
        : readableRows(source, table, list, onUnreadable);
    for (const row of rows) {
      try {
        insert.run(...columns.map((column) => row[column] ?? null));
      } catch (error) {
        // Damage can change values, so that a row breaks a rule of the schema.
        if (!/^SQLITE_(CONSTRAINT|MISMATCH)/.test(sqliteCode(error))) throw error;
        rejected++;
      }
    }
    return unreadable.length > 0 || rejected > 0 ? [{ table, unreadable, rejected }] : [];
  });
}

function columnsOf(database: Database, table: string): string[] {
  return database
    .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
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
