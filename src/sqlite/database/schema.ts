import { blob, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { createTables } from '../../sql/tables.ts';
import { sqliteColumns } from './column-types.ts';

/** The tables that PostgreSQL has as well, under the same names, so that data can be moved between both. */
export const tables = createTables(sqliteColumns);

/** Committed hits that are not yet aggregated, one row per event-loop tick. */
export const scanLog = sqliteTable('scan_log', {
  // Without AUTOINCREMENT, which would write one more page per row. Ids restart when the table is empty.
  id: integer().primaryKey(),
  /** See `encodeHits`. */
  hits: blob({ mode: 'buffer' }).notNull(),
});
