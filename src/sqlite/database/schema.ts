import {
  blob,
  check,
  customType,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { type Columns, jsonText } from '../../sql/column-types.ts';
import { createTables } from '../../sql/tables.ts';

/** The columns of SQLite as drizzle types them. */
export const columns = {
  table: sqliteTable,
  index,
  uniqueIndex,
  check,
  primaryKey,
  boolean: (name: string) => integer(name, { mode: 'boolean' }),
  smallint: (name: string) => integer(name),
  integer: (name: string) => integer(name),
  id: () => integer('id').primaryKey({ autoIncrement: true }),
  bytes: customType<{ data: Uint8Array }>({ dataType: () => 'blob' }),
  text: (name: string) => text(name),
  json: <T>(name: string) => customType<{ data: T; driverData: string }>(jsonText<T>())(name),
};

/**
 * The same with the types of PostgreSQL, so that one definition of the tables serves both.
 * The cast is safe: rows have the same types, which a test compares, and both have the methods that the definition
 * calls.
 */
const sqliteColumns = columns as unknown as Columns;

/**
 * The tables that PostgreSQL has as well.
 * Their names are the same, so that data can be moved between both.
 */
export const tables = createTables(sqliteColumns);

/**
 * Hits that are not in the counters yet and came with the database.
 * From a backup, a move or a version before 1.2. The next server adds them at its start. A server writes its own into
 * `hits.db`.
 */
export const scanLog = sqliteTable('scan_log', {
  id: integer('id').primaryKey(),
  /** See `encodeHits`. */
  hits: blob('hits', { mode: 'buffer' }).notNull(),
});

/**
 * The codes whose redirect changed last, one row each.
 * Triggers write it, so that it also has the edits that another program makes. A migration that rebuilds `qrs` or
 * `flags` has to create their triggers again.
 */
export const redirectSteps = sqliteTable('redirect_steps', {
  // Without AUTOINCREMENT: the newest row always stays.
  id: integer('id').primaryKey(),
  /** Null if all may have changed. */
  code: text('code'),
});

/** How far the hits of `hits.db` are in the counters. Written in the transaction that adds them. */
export const hitProgress = sqliteTable('hit_progress', {
  /** The number of the file, see `readLogNumber`. Each start with hits adds one at most. */
  log: integer('log').primaryKey(),
  /** The last row that is in the counters. */
  folded: integer('folded').notNull(),
});
