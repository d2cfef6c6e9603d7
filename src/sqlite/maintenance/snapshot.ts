import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Snapshot,
  type SnapshotRow,
  type SnapshotTable,
  type SnapshotTableName,
  scanLogColumns,
  snapshotTable,
  snapshotTableNames,
} from '../../core/backups/snapshot.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { forEachHit, kindRange, splitHitKey } from '../../core/scans/hit-entries.ts';
import { matchOwner, renameIntoPlace } from '../../lib/atomic-write.ts';
import { databasePath, hasDatabase } from '../database/files.ts';
import { lockFolder } from '../database/lock.ts';
import { type Connection, closeConnection, openConnection } from '../database/open.ts';
import { encodeHits, readScanLog } from '../scans/hits.ts';
import { columnsOf, tableProblem } from './copy-rows.ts';

/** Reads all tables in one transaction. */
export async function readSnapshot<T>(
  { $client: database }: Connection,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  database.run('BEGIN');
  try {
    return await use({ tables: snapshotTableNames.map((name) => tableOf(database, name)) });
  } finally {
    database.run('ROLLBACK');
  }
}

/**
 * Writes a snapshot into the database of a data folder that has none. The database gets its name once it
 * is complete and verified.
 *
 * @param verify called with what was written; throws to discard it
 * @throws DatabaseUnusable when there is a database already
 */
export async function writeSnapshot(
  dataFolder: string,
  snapshot: Snapshot,
  verify: (written: Snapshot) => Promise<void>,
): Promise<void> {
  const unlock = lockFolder(dataFolder);
  const temporary = join(dataFolder, '.waymark-copying');
  try {
    if (hasDatabase(dataFolder))
      throw new DatabaseUnusable(
        `There is a database in ${dataFolder} already. Name another folder, which is created.`,
      );
    // An interrupted copy may have left it.
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary, { mode: 0o700 });
    // The file is flushed when it gets its name.
    const connection = openConnection(temporary, { durability: 'process', busyTimeoutMs: 0 });
    try {
      const { $client } = connection;
      // A copy that is interrupted is written anew.
      $client.run('PRAGMA journal_mode = OFF');
      await fill($client, snapshot);
      $client.run('PRAGMA journal_mode = WAL');
      await readSnapshot(connection, verify);
    } finally {
      closeConnection(connection);
    }
    matchOwner(dataFolder, databasePath(temporary));
    renameIntoPlace(databasePath(temporary), databasePath(dataFolder));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    unlock();
  }
}

function tableOf(database: Database, name: SnapshotTableName): SnapshotTable {
  if (name === 'scan_log') return pendingHitsOf(database);
  const described = columnsOf(database, name);
  const problem = tableProblem(database, name, described);
  if (problem !== null) throw new DatabaseUnusable(`Rows cannot be copied: ${problem}.`);
  const columns = described.map((column) => column.name).sort();
  return snapshotTable(
    name,
    columns,
    (rest, values) =>
      database
        .query<never, SQLQueryBindings[]>(`SELECT ${columns.map(quoted)} FROM ${name} ${rest}`)
        .values(...(values as SQLQueryBindings[])) as unknown as SnapshotRow[], // values of SQLite
  );
}

/** Reads the hits of the log, summed up by code, kind and instant. */
function pendingHitsOf(database: Database): SnapshotTable {
  return {
    name: 'scan_log',
    columns: scanLogColumns,
    rows: async function* () {
      const hits = new Map<string, [atMs: number, hits: number, kind: number, qrId: number]>();
      for (const { entries } of readScanLog(database))
        forEachHit(entries ?? [], (key, atMs, count) => {
          const { qrId, kind } = splitHitKey(key);
          const sum = hits.get(`${key} ${atMs}`) ?? [atMs, 0, kind, qrId];
          sum[1] += count;
          hits.set(`${key} ${atMs}`, sum);
        });
      const sorted = [...hits.values()].sort(
        (one, other) => one[3] - other[3] || one[2] - other[2] || one[0] - other[0],
      );
      if (sorted.length > 0) yield sorted;
    },
  };
}

async function fill(database: Database, snapshot: Snapshot): Promise<void> {
  database.run('PRAGMA foreign_keys = OFF');
  // Indexing all rows at once takes a fraction of the time.
  const indexes = database
    .query<{ name: string; sql: string }, []>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
    .all();
  for (const { name } of indexes) database.run(`DROP INDEX ${quoted(name)}`);
  for (const table of snapshot.tables) {
    const { name, columns } = table;
    const insert = database.query(
      name === 'scan_log'
        ? 'INSERT INTO scan_log (hits) VALUES (?)'
        : `INSERT INTO ${name} (${columns.map(quoted)}) VALUES (${columns.map(() => '?')})`,
    );
    const insertAll = database.transaction((rows: readonly SnapshotRow[]) => {
      for (const row of rows)
        insert.run(...((name === 'scan_log' ? [encoded(row)] : row) as SQLQueryBindings[]));
    });
    for await (const rows of table.rows()) insertAll(rows);
  }
  for (const { sql } of indexes) database.run(sql);
  if (database.query('PRAGMA foreign_key_check').all().length > 0)
    throw new DatabaseUnusable(
      'The copy has rows that refer to missing rows. Nothing was changed.',
    );
}

/** Encodes a row of hits, which has the columns of `scanLogColumns`. */
function encoded([atMs, hits, kind, qrId]: SnapshotRow): Uint8Array {
  return encodeHits([Number(qrId) * kindRange + Number(kind), Number(atMs), Number(hits)]);
}

/** Quotes a column, of which `row` and `list` are words of SQL. */
function quoted(column: string): string {
  return `"${column}"`;
}
