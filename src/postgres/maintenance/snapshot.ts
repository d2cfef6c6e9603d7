import type { TransactionSQL } from 'bun';
import {
  type Snapshot,
  type SnapshotTable,
  type SnapshotTableName,
  type SnapshotValue,
  scanLogColumns,
  snapshotTable,
  snapshotTableNames,
} from '../../core/backups/snapshot.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { kindRange } from '../../core/scans/hit-entries.ts';

import { databaseName } from '../database/errors.ts';
import type { Connection } from '../database/open.ts';

/** Reads all tables in one state. */
export function readSnapshot<T>(
  connection: Connection,
  use: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return connection
    .sql()
    .begin('isolation level repeatable read read only', async (sql) => use(await snapshotOf(sql)));
}

/**
 * Replaces all rows by a snapshot, in one transaction. No server may run.
 *
 * @param options.replace whether there may be accounts already
 * @param options.verify called with what was written; throws to discard it
 * @throws DatabaseUnusable when there are accounts and they may not be replaced
 */
export async function writeSnapshot(
  connection: Connection,
  snapshot: Snapshot,
  options: { replace: boolean; verify: (written: Snapshot) => Promise<void> },
): Promise<void> {
  await connection.sql().begin(async (sql) => {
    const accounts = await sql.unsafe('SELECT 1 FROM accounts LIMIT 1');
    if (accounts.length > 0 && !options.replace)
      throw new DatabaseUnusable(
        `The database ${databaseName(connection.url)} has accounts already. Name an empty one.`,
      );
    await sql.unsafe(`TRUNCATE ${snapshotTableNames.join()} RESTART IDENTITY CASCADE`);
    // Checking and indexing all rows at once takes a fraction of the time.
    const rebuild = await dropConstraints(sql);
    for (const table of snapshot.tables) await fill(sql, table);
    for (const statement of rebuild) await sql.unsafe(statement);
    // A copy that has lost the database, but not ended, looks all codes up again.
    await sql.unsafe('UPDATE redirect_version SET version = version + 1');
    await advanceSequences(sql);
    await options.verify(await snapshotOf(sql));
  });
  await connection.sql().unsafe('ANALYZE');
}

async function snapshotOf(sql: TransactionSQL): Promise<Snapshot> {
  const tables: SnapshotTable[] = [];
  for (const name of snapshotTableNames)
    tables.push(name === 'scan_log' ? pendingHitsOf(sql) : await tableOf(sql, name));
  return { tables };
}

async function tableOf(sql: TransactionSQL, name: SnapshotTableName): Promise<SnapshotTable> {
  const described = await sql.unsafe<{ column: string; type: string }[]>(
    `SELECT column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY column_name COLLATE "C"`,
    [name],
  );
  const columns = described.map(({ column }) => column);
  const isNumber = described.map(({ type }) => /int$|^integer$/.test(type));
  const select = `SELECT ${described.map(({ column, type }) =>
    type === 'boolean' ? `"${column}"::int AS "${column}"` : `"${column}"`,
  )} FROM ${name}`;
  return snapshotTable(name, columns, async (rest, values) => {
    const rows: unknown = await sql.unsafe(`${select} ${rest}`, [...values]).values();
    // The driver returns whole numbers beyond 32 bits as text.
    return (rows as SnapshotValue[][]).map((row) =>
      row.map((value, index) =>
        isNumber[index] === true && value !== null ? Number(value) : value,
      ),
    );
  });
}

/** Reads the hits of the log, summed up by code, kind and instant. */
function pendingHitsOf(sql: TransactionSQL): SnapshotTable {
  return {
    name: 'scan_log',
    columns: scanLogColumns,
    rows: async function* () {
      const rows: unknown = await sql
        .unsafe(
          `SELECT at, sum(hits)::bigint, kind, qr_id FROM pending_hits
           GROUP BY qr_id, kind, at ORDER BY qr_id, kind, at`,
        )
        .values();
      const numbers = (rows as unknown[][]).map((row) => row.map(Number));
      if (numbers.length > 0) yield numbers;
    },
  };
}

async function fill(sql: TransactionSQL, { name, columns, rows }: SnapshotTable): Promise<void> {
  let batch = 0;
  for await (const some of rows()) {
    if (name === 'scan_log') {
      // A copy of its own, whose statement is never repeated.
      const column = (at: number) => `{${some.map((row) => row[at]).join()}}`;
      const targets = some.map(([, , kind, qrId]) => Number(qrId) * kindRange + Number(kind));
      await sql.unsafe(
        `INSERT INTO scan_log (copy, number, settled, targets, times, counts)
         VALUES (0, $1, $1, $2::bigint[], $3::bigint[], $4::bigint[])`,
        [++batch, `{${targets.join()}}`, column(0), column(1)],
      );
      continue;
    }
    const names = columns.map((column) => `"${column}"`).join();
    const records = some.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, jsonValue(row[index] ?? null)])),
    );
    await sql.unsafe(
      `INSERT INTO ${name} (${names}) SELECT ${names} FROM json_populate_recordset(null::${name}, $1::text::json)`,
      [JSON.stringify(records)],
    );
  }
}

/** Returns a value as JSON has it. PostgreSQL reads bytes from hexadecimal digits, and a boolean from 0 or 1. */
function jsonValue(value: SnapshotValue): string | number | null {
  return value instanceof Uint8Array ? `\\x${value.toHex()}` : value;
}

/** Drops foreign keys and indexes that are no keys, and returns the statements that create them again. */
async function dropConstraints(sql: TransactionSQL): Promise<string[]> {
  const foreignKeys = await sql.unsafe<{ drop: string; add: string }[]>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`,
  );
  const indexes = await sql.unsafe<{ drop: string; add: string }[]>(
    `SELECT format('DROP INDEX %I', indexname) AS drop, indexdef AS add FROM pg_indexes
     WHERE schemaname = current_schema() AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
  );
  for (const { drop } of [...foreignKeys, ...indexes]) await sql.unsafe(drop);
  return [...indexes, ...foreignKeys].map(({ add }) => add);
}

/** Makes new ids larger than all that were inserted. */
async function advanceSequences(sql: TransactionSQL): Promise<void> {
  const identities = await sql.unsafe<{ table: string }[]>(
    `SELECT table_name AS table FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES' AND column_name = 'id'`,
  );
  for (const { table } of identities)
    await sql.unsafe(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id)) FROM ${table} HAVING max(id) IS NOT NULL`,
    );
}
