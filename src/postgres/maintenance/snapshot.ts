import type { TransactionSQL } from 'bun';
import {
  type Snapshot,
  type SnapshotBatch,
  type SnapshotColumn,
  type SnapshotTable,
  type SnapshotTableName,
  type SnapshotValue,
  snapshotConditions,
  snapshotTableNames,
  snapshotTables,
} from '../../core/backups/snapshot.ts';
import { DatabaseUnusable } from '../../core/errors.ts';
import { kindRange } from '../../core/scans/hit-entries.ts';
import type { Connection } from '../../redirect/postgres/connection.ts';
import { databaseName } from '../../redirect/postgres/errors.ts';

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
  for (const name of snapshotTableNames) tables.push(await tableOf(sql, name));
  return { tables };
}

// The hits of the log by code, kind and instant.
const summedHits = `(SELECT at, sum(hits) AS hits, kind, qr_id FROM pending_hits GROUP BY qr_id, kind, at) AS log`;

async function tableOf(sql: TransactionSQL, name: SnapshotTableName): Promise<SnapshotTable> {
  const isLog = name === 'scan_log';
  const described = await sql.unsafe<{ column: string; type: string }[]>(
    `SELECT column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY column_name COLLATE "C"`,
    [isLog ? 'pending_hits' : name],
  );
  const columns = described.map(({ column, type }) =>
    type === 'boolean' ? `"${column}"::int` : `"${column}"`,
  );
  const from = isLog ? summedHits : `${name} WHERE ${snapshotConditions[name] ?? 'true'}`;
  const select = `SELECT ${columns} FROM ${from} ORDER BY ${snapshotTables[name]}`;
  const text = () => sql.unsafe(`COPY (${select}) TO STDOUT`).readable();
  const ownParsers = described.map(({ type }) => parsers[typeOf(type)]);
  return {
    name,
    columns: described.map(({ column, type }) => ({ name: column, type: typeOf(type) })),
    text,
    batches: () => batchesOf(text(), ownParsers),
  };
}

/** Returns the type of a column by the one of PostgreSQL. A boolean is a number. */
function typeOf(type: string): SnapshotColumn['type'] {
  if (type === 'bytea') return 'bytes';
  return type === 'text' ? 'text' : 'integer';
}

type Parser = (cell: string) => SnapshotValue;

/** Parses the text format of COPY. */
async function* batchesOf(
  chunks: AsyncIterable<Uint8Array>,
  ofColumns: readonly Parser[],
): AsyncGenerator<SnapshotBatch> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  for await (const chunk of chunks) {
    const read = rest + decoder.decode(chunk, { stream: true });
    const end = read.lastIndexOf('\n') + 1;
    const text = read.slice(0, end);
    rest = read.slice(end);
    const rows = text
      .split('\n')
      .slice(0, -1)
      .map((line) =>
        line
          .split('\t')
          .map((cell, at) => (cell === '\\N' ? null : (ofColumns[at]?.(cell) ?? cell))),
      );
    yield { rows, text };
  }
}

const parsers: Readonly<Record<SnapshotColumn['type'], Parser>> = {
  integer: Number,
  text: (cell) =>
    cell.includes('\\')
      ? cell.replaceAll(/\\(.)/g, (_, escaped: string) => escapedCharacters[escaped] ?? escaped)
      : cell,
  bytes: (cell) => Uint8Array.fromHex(cell.slice('\\\\x'.length)),
};

const escapedCharacters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

async function fill(sql: TransactionSQL, table: SnapshotTable): Promise<void> {
  if (table.name === 'scan_log') return fillScanLog(sql, table);
  const columns = table.columns.map(({ name }) => `"${name}"`);
  const copy = sql.unsafe(`COPY ${table.name} (${columns}) FROM STDIN`).writable().getWriter();
  for await (const { text } of table.batches()) await copy.write(text);
  await copy.close();
}

async function fillScanLog(sql: TransactionSQL, table: SnapshotTable): Promise<void> {
  let batch = 0;
  for await (const { rows } of table.batches()) {
    const column = (at: number) => `{${rows.map((row) => row[at]).join()}}`;
    const targets = rows.map(([, , kind, qrId]) => Number(qrId) * kindRange + Number(kind));
    // A copy of its own, whose statement is never repeated.
    await sql.unsafe(
      `INSERT INTO scan_log (copy, number, settled, targets, times, counts)
       VALUES (0, $1, $1, $2::bigint[], $3::bigint[], $4::bigint[])`,
      [++batch, `{${targets.join()}}`, column(0), column(1)],
    );
  }
}

/** Drops keys and indexes, and returns the statements that create them again. */
async function dropConstraints(sql: TransactionSQL): Promise<string[]> {
  // Foreign keys need the keys that they refer to.
  const keys = await sql.unsafe<{ drop: string; add: string }[]>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint WHERE contype IN ('f', 'p', 'u') AND connamespace = current_schema()::regnamespace
     ORDER BY contype`,
  );
  for (const { drop } of keys) await sql.unsafe(drop);
  const indexes = await sql.unsafe<{ drop: string; add: string }[]>(
    `SELECT format('DROP INDEX %I', indexname) AS drop, indexdef AS add FROM pg_indexes
     WHERE schemaname = current_schema()`,
  );
  for (const { drop } of indexes) await sql.unsafe(drop);
  return [...indexes, ...keys.toReversed()].map(({ add }) => add);
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
