import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as safetySchema from '../database/safety-schema.ts';
import * as schema from '../database/schema.ts';

/**
 * For each table of the schema a statement that names all of its columns, put together while the
 * program is bundled (a Bun macro), so that a start need not load drizzle for it.
 */
export function readsOfTables(): string[] {
  return Object.values<SQLiteTable>({ ...schema, ...safetySchema }).map((table) => {
    const { name, columns } = getTableConfig(table);
    // Unquoted: SQLite takes a name in quotes that it does not know for a text.
    return `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name} LIMIT 1`;
  });
}
