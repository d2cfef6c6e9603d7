import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Snapshot,
  type SnapshotBatch,
  type SnapshotColumn,
  type SnapshotRow,
  type SnapshotTable,
  type SnapshotTableName,
  snapshotConditions,
  snapshotTableNames,
  snapshotTables,
  toBatch,
} from '../../core/backups/snapshot.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { encodeHits, forEachHit, kindRange, splitHitKey } from '../../core/scans/hit-entries.ts';
import { matchOwner, renameIntoPlace } from '../../lib/files/durable.ts';
import { removeOnSignal } from '../../lib/files/temporary.ts';
import type { Connection } from '../../redirect/sqlite/connection.ts';
import { databasePath, hasDatabase } from '../../redirect/sqlite/files.ts';
import { rejectOrphanedHits } from '../../redirect/sqlite/hits-file.ts';
import { lockFolder } from '../../redirect/sqlite/lock.ts';
import { closeConnection, openConnection } from '../database/open.ts';
import { type PinnedHits, pinHits } from '../hits/pending.ts';
import { columnsOf, tableProblem } from './copy-rows.ts';
import { dropIndexes } from './new-database.ts';

const scanLogColumns: readonly SnapshotColumn[] = ['at', 'hits', 'kind', 'qr_id'].map((name) => ({
  name,
  type: 'integer',
}));
const rowsPerBatch = 5000;
// Takes half of the time of a statement for each row.
const rowsPerInsert = 50;

// Holds the index of the codes, which come in random order.
const fillCacheKib = 64 * 1024;

/**
 * Reads all tables in one transaction.
 *
 * @param hits the log of hits, pinned before the connection has read anything
 */
export async function readSnapshot<T>(
  { $client: database }: Connection,
  hits: PinnedHits,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  database.run('BEGIN');
  try {
    return await use({ tables: snapshotTableNames.map((name) => tableOf(database, hits, name)) });
  } finally {
    database.run('ROLLBACK');
  }
}

/**
 * Writes a snapshot into the database of a data folder that has none.
 * The database gets its name once it is complete and verified.
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
  const release = removeOnSignal(temporary);
  try {
    if (hasDatabase(dataFolder))
      throw new DatabaseUnusable(
        `There is a database in ${dataFolder} already. Name another folder, which is created.`,
      );
    rejectOrphanedHits(dataFolder);
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
      await readSnapshot(connection, pinHits(temporary), verify);
    } finally {
      closeConnection(connection);
    }
    matchOwner(dataFolder, databasePath(temporary));
    renameIntoPlace(databasePath(temporary), databasePath(dataFolder));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    release();
    unlock();
  }
}

function tableOf(database: Database, hits: PinnedHits, name: SnapshotTableName): SnapshotTable {
  const described = columnsOf(database, name);
  const problem = tableProblem(database, name, described);
  if (problem !== null) throw new DatabaseUnusable(`Rows cannot be copied: ${problem}.`);
  const isLog = name === 'scan_log';
  const columns = isLog
    ? scanLogColumns
    : described.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const batches = isLog
    ? () => pendingHitsOf(database, hits)
    : () =>
        batchesOf(
          database,
          name,
          columns.map((column) => column.name),
        );
  const text = async function* () {
    for await (const batch of batches()) yield batch.text;
  };
  return { name, columns, batches, text };
}

async function* batchesOf(
  database: Database,
  name: SnapshotTableName,
  columns: readonly string[],
): AsyncGenerator<SnapshotBatch> {
  const key = snapshotTables[name];
  const keyAt = key.map((column) => columns.indexOf(column));
  const read = (condition: string, after: SnapshotRow): SnapshotRow[] => {
    const where = [condition, snapshotConditions[name] ?? 'true'].join(' AND ');
    return database
      .query<never, SQLQueryBindings[]>(
        `SELECT ${columns.map(quoted)} FROM ${name} WHERE ${where} ORDER BY ${key} LIMIT ${rowsPerBatch}`,
      )
      .values(...(after as SQLQueryBindings[])) as unknown as SnapshotRow[]; // values of SQLite
  };
  let rows = read('true', []);
  while (rows.length > 0) {
    yield toBatch(rows);
    const last = rows.at(-1) ?? [];
    rows = read(
      `(${key}) > (${key.map(() => '?')})`,
      keyAt.map((at) => last[at] ?? null),
    );
  }
}

/** Reads the hits that are not in the counters, summed up by code, kind and instant. */
async function* pendingHitsOf(
  database: Database,
  pinned: PinnedHits,
): AsyncGenerator<SnapshotBatch> {
  const hits = new Map<string, [atMs: number, hits: number, kind: number, qrId: number]>();
  for (const { entries } of pinned.unfolded(database))
    forEachHit(entries ?? [], (key, atMs, count) => {
      const { qrId, kind } = splitHitKey(key);
      const sum = hits.get(`${key} ${atMs}`) ?? [atMs, 0, kind, qrId];
      sum[1] += count;
      hits.set(`${key} ${atMs}`, sum);
    });
  const sorted = [...hits.values()].sort(
    (one, other) => one[3] - other[3] || one[2] - other[2] || one[0] - other[0],
  );
  if (sorted.length > 0) yield toBatch(sorted);
}

async function fill(database: Database, snapshot: Snapshot): Promise<void> {
  database.run('PRAGMA foreign_keys = OFF');
  database.run(`PRAGMA cache_size = -${fillCacheKib}`); // negative: KiB instead of pages
  database.run('BEGIN');
  const createIndexes = dropIndexes(database, 'all');
  for (const { name, columns, batches } of snapshot.tables) {
    const isLog = name === 'scan_log';
    const names = isLog ? ['hits'] : columns.map((column) => column.name);
    const prepare = (rows: number) =>
      database.prepare(
        `INSERT INTO ${name} (${names.map(quoted)}) VALUES ${Array(rows).fill(`(${names.map(() => '?')})`)}`,
      );
    const insertMany = prepare(rowsPerInsert);
    for await (const { rows } of batches()) {
      const stored = isLog ? rows.map((row) => [encoded(row)]) : rows;
      for (let at = 0; at < stored.length; at += rowsPerInsert) {
        const some = stored.slice(at, at + rowsPerInsert);
        const insert = some.length === rowsPerInsert ? insertMany : prepare(some.length);
        insert.run(...(some.flat() as SQLQueryBindings[]));
        if (insert !== insertMany) insert.finalize();
      }
    }
    insertMany.finalize();
  }
  createIndexes();
  database.run('COMMIT');
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
